"""The services a crawl asks are slow, overloaded, broken or untruthful: models, and Google Drive."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping
from random import Random

from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from tests.chaos.faults.kills import signal_a_crawl
from tests.chaos.models import USUAL_SECONDS, Disturbance
from tests.chaos.moments import some_moment
from tests.chaos.scenario import Fault
from tests.chaos.world import World
from tests.fakes.openai_server import Body, Reply, completion, embeddings, error

SHARE_STRUCK = 0.12
"""Of all requests."""
FULL = ("--mode", "full")


def _sometimes(world: World, replies: Mapping[str, Callable[[str, Body], Reply]]) -> Disturbance:
    def disturb(_number: int, path: str, body: Body, chance: Random) -> Reply | None:
        if chance.random() >= SHARE_STRUCK:
            return None
        return replies[chance.choice(sorted(replies))](path, body)

    return disturb


def _from(number: int, reply: Reply) -> Disturbance:
    return lambda count, _path, _body, _chance: reply if count >= number else None


def _crawl_with(world: World, disturbance: Disturbance) -> None:
    world.models.disturb = disturbance
    world.end(world.start_crawl(), "a crawl with such a model")
    world.note_strike()


def models_overloaded(world: World) -> None:
    """429, 500 and 503 now and then, connections that end without an answer, and answers that take long."""
    _crawl_with(
        world,
        _sometimes(
            world,
            {
                "429": lambda *_: Reply(error("slow down", 429), 429, {"Retry-After": "1"}),
                "500": lambda *_: Reply(error("oops", 500), 500),
                "503": lambda *_: Reply("<html>busy</html>", 503),
                "hangs up": lambda *_: Reply("", hangs_up=True),
            },
        ),
    )


def models_slow(world: World) -> None:
    """Every answer takes its time."""
    world.models.seconds = world.chance.uniform(0.3, 0.8)
    world.end(world.start_crawl(), "a crawl with slow models")
    world.note_strike()
    world.models.seconds = USUAL_SECONDS


def models_gone(world: World) -> None:
    """From some request on the service is gone, or the key is refused."""
    gone = world.chance.choice((Reply("", hangs_up=True), Reply(error("wrong key", 401, code="invalid_api_key"), 401)))
    _crawl_with(world, _from(world.chance.randint(1, world.files), gone))


def models_lie(world: World) -> None:
    """Embeddings of a wrong length or of nothing; summaries that are cut off, refused, or no JSON."""

    def wrong(path: str, body: Body, chance: Random) -> Reply:
        if path.endswith("/embeddings"):
            length = chance.choice((0, 100, 512, 1535, 1537, 3072))
            return Reply(embeddings([[0.5] * length for _ in body["input"]]))
        return chance.choice(
            (
                Reply(completion('{"summary": "途中で', finish_reason="length")),
                Reply(completion("", refusal="I will not")),
                Reply(completion("要約はこちらです。")),
                Reply(completion(json.dumps({"summary": 7, "keywords": None}))),
            )
        )

    def disturb(_number: int, path: str, body: Body, chance: Random) -> Reply | None:
        return wrong(path, body, chance) if chance.random() < SHARE_STRUCK else None

    _crawl_with(world, disturb)


def drive_overloaded(world: World) -> None:
    """Google Drive answers with 429 and 5xx, resets connections, and sends downloads in part."""
    drive = _look_at_drive(world)
    drive.set_faults(
        FaultRule(faults=("429", "500", "503", "userRateLimitExceeded"), probability=0.06),
        FaultRule(faults=("reset_before_headers", "reset_after_headers"), probability=0.04),
        FaultRule(faults=("truncated_body",), probability=0.05, method="files.media"),
        seed=world.chance.randint(1, 10**6),
    )
    world.end(world.start_crawl(), "a crawl of an overloaded Drive")
    world.note_strike()
    drive.set_faults()


def kill_crawl_of_drive(world: World) -> None:
    """`kill -9` of a crawl that downloads what it reads."""
    drive = _look_at_drive(world)
    drive.set_faults(FaultRule(faults=("slow",), seconds=0.3, probability=0.3, method="files.media"))
    signal_a_crawl(world, signal.SIGKILL, some_moment(world.chance, world.files))
    drive.set_faults()


def _look_at_drive(world: World) -> DriveEmulator:
    """Serve the folder as Google Drive, and crawl it there."""
    drive = DriveEmulator(world.folder)
    world.cleanups.append(drive.close)
    world.settings.update(drive.environment())
    return drive


FAULTS = (
    Fault("models-overloaded", models_overloaded, options=FULL),
    Fault("models-slow", models_slow),
    Fault("models-gone", models_gone, options=FULL),
    Fault("models-lie", models_lie, options=FULL),
    Fault("drive-overloaded", drive_overloaded, options=FULL),
    Fault("kill-crawl-of-drive", kill_crawl_of_drive),
)
