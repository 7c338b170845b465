"""Embeddings of several files in one request: who waits, who gets what, who pays which share."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from locator_search.core.errors import BadModelOutput, BudgetExhausted, LocatorError, ModelUnavailable
from locator_search.core.usage import NOTHING_USED, Usage, metered, record
from locator_search.indexing import gathering
from locator_search.indexing.gathering import GatheringEmbedder, shares

if TYPE_CHECKING:
    from locator_search.model import Vector


LONGEST_WAIT_SECONDS = 60.0


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits in vain waits so long that no slow machine could be taken for it."""
    monkeypatch.setattr(gathering, "LONGEST_WAIT_SECONDS", LONGEST_WAIT_SECONDS)
    monkeypatch.setattr(gathering, "WAIT_PER_SECOND_ASKED", 240.0)


@dataclass
class LengthEmbedder:
    """Embeds a text as its length; refuses any request with one of the `bad` texts. One token per character."""

    error: LocatorError | None = None
    requests: list[list[str]] = field(default_factory=list)
    model_name: str = "length"
    dimensions: int = 1

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        self.requests.append(list(texts))
        if self.error is not None and any("bad" in text for text in texts):
            raise self.error
        record(Usage(1, sum(map(len, texts)), 0, sum(map(len, texts)) / 1e6))
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def at_once(embedder: GatheringEmbedder, files: Sequence[Sequence[str]]) -> list[list[int] | LocatorError]:
    """Every file in a thread of its own."""

    def embed(texts: Sequence[str]) -> list[int] | LocatorError:
        try:
            return [int(row[0]) for row in embedder.embed(texts, "document")]
        except LocatorError as error:
            return error

    with ThreadPoolExecutor(len(files)) as pool:
        futures = [pool.submit(copy_context().run, embed, texts) for texts in files]
        return [future.result() for future in futures]


def gathering_embedder(behind: LengthEmbedder, files: int) -> GatheringEmbedder:
    """Others follow until so many files wait."""
    embedder = GatheringEmbedder(behind, lambda: len(embedder._waiting) < files)
    return embedder


def test_files_that_gather_are_embedded_in_one_request_and_each_gets_its_own() -> None:
    behind = LengthEmbedder()
    assert at_once(gathering_embedder(behind, 3), [["a", "bb"], ["ccc"], ["dddd", "e"]]) == [[1, 2], [3], [4, 1]]
    assert len(behind.requests) == 1
    assert sorted(behind.requests[0]) == ["a", "bb", "ccc", "dddd", "e"]


def test_nobody_waits_when_nobody_is_to_come() -> None:
    started = time.monotonic()
    GatheringEmbedder(LengthEmbedder(), lambda: False).embed(["a"], "document")
    assert time.monotonic() - started < LONGEST_WAIT_SECONDS / 2


def test_a_question_never_waits() -> None:
    started = time.monotonic()
    GatheringEmbedder(LengthEmbedder(), lambda: True).embed(["a"], "query")
    assert time.monotonic() - started < LONGEST_WAIT_SECONDS / 2


def test_everybody_pays_a_share_and_the_shares_are_the_whole() -> None:
    embedder = gathering_embedder(LengthEmbedder(), 3)
    with metered() as meter:
        at_once(embedder, [["a" * 10], ["b" * 30], ["c" * 60]])
    assert (meter.total.calls, meter.total.input_tokens) == (1, 100)
    assert meter.total.cost_usd == pytest.approx(100 / 1e6)
    divided = shares(Usage(2, 101, 0, 1.0), [1, 1, 1])
    assert sum(share.input_tokens for share in divided) == 101
    assert sum(divided, NOTHING_USED).cost_usd == pytest.approx(1.0)


def test_a_file_that_is_refused_spoils_no_other() -> None:
    behind = LengthEmbedder(BadModelOutput("no embedding for this"))
    found = at_once(gathering_embedder(behind, 3), [["a"], ["bad"], ["cc"]])
    assert (found[0], found[2]) == ([1], [2])
    assert isinstance(found[1], BadModelOutput)


@pytest.mark.parametrize("error", [ModelUnavailable("down"), BudgetExhausted("no money")])
def test_what_concerns_everybody_is_not_tried_again_for_each(error: LocatorError) -> None:
    behind = LengthEmbedder(error)
    assert at_once(gathering_embedder(behind, 2), [["a"], ["bad"]]) == [error, error]
    assert len(behind.requests) == 1


def test_waiting_for_a_turn_among_the_summaries_makes_nobody_gather_longer() -> None:
    class SlowTurn(LengthEmbedder):
        def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
            time.sleep(0.25)  # for a slot, not for the service
            record(Usage(1, seconds=0.0001))
            return np.ones((len(texts), 1), dtype=np.float32)

    others_follow = False
    embedder = GatheringEmbedder(SlowTurn(), lambda: others_follow)
    embedder.embed(["a"], "document")
    others_follow = True
    started = time.monotonic()
    embedder.embed(["b"], "document")
    assert time.monotonic() - started < LONGEST_WAIT_SECONDS / 2, "it waits 24 ms, and with the turn counted a minute"
