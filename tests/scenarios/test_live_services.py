"""Servers that hang, crash, flood and talk nonsense: the others' results arrive, and the next question works."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from locator_search.adapters.mcp_services import McpServiceGateway, server
from locator_search.adapters.mcp_services import gateway as gateway_module
from locator_search.adapters.mcp_services.transport import child
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import SearchReply, ServiceQuery
from tests.builders.services import allow, ask, opened, scripted
from tests.builders.waiting import wait_until

ROOT = Path(__file__).parents[2]
AT_ONCE = 60
"""Seconds: what happens at once is done by then, however busy the machine; the limits that would end it are longer."""


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServiceGateway]:
    """Three services that go through one test after the other, as they would go through questions."""
    with opened(tmp_path_factory.mktemp("three"), {name: scripted() for name in ("red", "green", "blue")}) as gateway:
        gateway.services()
        yield gateway


def reason_of(reply: SearchReply) -> str:
    assert reply.failure is not None
    return reply.failure.reason


def gone(process: int) -> bool:
    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(processes: list[int]) -> None:
    wait_until(lambda: all(gone(process) for process in processes), f"one of {processes} is there", AT_ONCE)


def processes_in(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()]


def while_red_is_waited_for(gateway: McpServiceGateway, do: Callable[[], object]) -> list[SearchReply]:
    """Asks red, which never answers, and green; `do` is done in a thread of its own once green has answered."""
    doing = threading.Thread(target=do)
    asked = [ServiceQuery("red", "thing", "hang"), ServiceQuery("green", "thing", "1 hits")]
    try:
        return gateway.search(asked, on_reply=lambda reply: doing.start() if reply.query.service == "green" else None)
    finally:
        doing.join()


def test_a_service_says_what_it_is_searched_for_in_the_words_of_the_live_server(three: McpServiceGateway) -> None:
    service = three.services()[0]
    assert (service.name, service.label, service.failure) == ("red", "Scripted", None)
    assert [(search.kind, search.syntax) for search in service.searches] == [("thing", "Words, without operators.")]


def test_hits_carry_parsed_links_and_their_bodies_can_be_read(three: McpServiceGateway) -> None:
    (reply,) = three.search([ServiceQuery("red", "thing", "5 hits")], max_results=2)
    assert [(hit.title, hit.uri) for hit in reply.hits] == [
        ("hit 0", "https://example.com/0"),
        ("hit 1", "https://example.com/1"),
    ]
    assert [body.text for body in three.fetch(reply.hits)] == ["the body of h0", "the body of h1"]


def test_a_kind_without_bodies_has_an_empty_one(tmp_path: Path) -> None:
    with opened(tmp_path, {"red": scripted(fetch={"thing": "snippet"})}) as gateway:
        (body,) = gateway.fetch(ask(gateway, red="1 hits")["red"].hits)
        assert (body.text, body.failure) == ("", None)


def test_bodies_may_be_resources_and_one_that_is_not_there_is_told(tmp_path: Path) -> None:
    services = {
        "red": scripted(fetch={"thing": {"read_resource": "thing://{{ item.id }}"}}),
        "green": scripted(fetch={"thing": {"read_resource": "elsewhere://{{ item.id }}"}}),
    }
    with opened(tmp_path, services) as gateway:
        found = ask(gateway, red="2 hits", green="1 hits")
        first, second, absent = gateway.fetch([*found["red"].hits, *found["green"].hits])
    assert [first.text, second.text] == ["the resource thing://h0", "the resource thing://h1"]
    assert absent.failure is not None
    assert absent.failure.reason == "refused"


def test_services_are_asked_at_the_same_time(three: McpServiceGateway, tmp_path: Path) -> None:
    each_waits_for_the_others = f"meet 3 {tmp_path}"
    replies = ask(three, **dict.fromkeys(("red", "green", "blue"), each_waits_for_the_others))
    assert all(reply.hits for reply in replies.values())


@pytest.mark.parametrize(
    ("query", "reason", "said"),
    [
        ("hang", "timed_out", "within 0.5 seconds"),
        ("die", "unavailable", "the disk is full"),
        ("429 as error", "rate_limited", "429"),
        ("429 as text", "rate_limited", "Too Many Requests"),
        ("429 as rpc", "rate_limited", "Quota exceeded"),
        ("huge 40", "bad_answer", "larger than 4 MiB"),
        ("flood 8", "bad_answer", "larger than 4 MiB"),
        ("missing", "refused", "issues/429: not found"),
        ("nonsense", "bad_answer", "does not follow the protocol"),
    ],
)
def test_what_one_service_does_leaves_the_others_alone(
    three: McpServiceGateway, query: str, reason: str, said: str
) -> None:
    if query == "hang":
        allow(three, "red", search_seconds=0.5)
    bad, good = ask(three, red=query, green="3 hits").values()
    allow(three, "red", search_seconds=120)
    assert (reason_of(bad), len(good.hits)) == (reason, 3)
    assert bad.failure is not None
    assert said in fault_sentence(bad.failure.fault, "en")
    assert [len(reply.hits) for reply in ask(three, red="1 hits", green="2 hits").values()] == [1, 2]


def test_lines_that_are_no_messages_are_passed_over(three: McpServiceGateway) -> None:
    assert len(ask(three, red="garbage")["red"].hits) == 1


def test_a_service_that_cannot_start_says_why_and_the_others_answer(tmp_path: Path) -> None:
    services = {"crash": scripted("crash"), "well": scripted(), "nowhere": scripted()}
    services["nowhere"]["transport"] = {"command": "no-such-program"}
    with opened(tmp_path, services) as gateway:
        states = {service.name: service.failure for service in gateway.services()}
        assert states["well"] is None
        assert states["crash"] is not None
        assert "invalid_auth: the token was revoked" in fault_sentence(states["crash"].fault, "en")
        assert states["nowhere"] is not None
        assert states["nowhere"].fault.kind == "no_program"
        assert "no-such-program" in fault_sentence(states["nowhere"].fault, "en")
        replies = ask(gateway, crash="1 hits", well="1 hits", nowhere="1 hits")
        assert [bool(reply.hits) for reply in replies.values()] == [False, True, False]


def test_a_service_that_never_gets_ready_does_not_hold_the_others(tmp_path: Path) -> None:
    with opened(tmp_path, {"slow": scripted("hang"), "well": scripted()}, patience_seconds=0.2) as gateway:
        assert [service.failure for service in gateway.services()] == [None, None], "that one still starts"
        arrived: list[str] = []

        def enough(reply: SearchReply) -> None:
            arrived.append(reply.query.service)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            gateway.search([ServiceQuery(name, "thing", "2 hits") for name in ("slow", "well")], on_reply=enough)
        assert arrived == ["well"]


def test_a_service_that_never_gets_ready_is_given_up_and_waited_for_once(tmp_path: Path) -> None:
    slow = scripted("hang", limits={"start_seconds": 0.5})
    with opened(tmp_path, {"slow": slow, "well": scripted()}) as gateway:
        (late,) = gateway.search([ServiceQuery("slow", "thing", "2 hits")])
        assert reason_of(late) == "timed_out"
        allow(gateway, "slow", start_seconds=120)
        started = time.monotonic()
        state, _ = gateway.services()
        assert time.monotonic() - started < AT_ONCE
        assert state.failure is not None
        assert (state.failure.reason, state.failure.fault.kind) == ("timed_out", "not_ready")
        assert len(ask(gateway, well="2 hits")["well"].hits) == 2


def test_a_service_that_is_slow_to_start_is_searched_once_it_is_ready(tmp_path: Path) -> None:
    with opened(tmp_path, {"slow": scripted("late"), "well": scripted()}, patience_seconds=0) as gateway:
        gateway.prepare()
        assert [service.failure for service in gateway.services()] == [None, None]
        replies = ask(gateway, slow="1 hits", well="2 hits")
        assert [len(reply.hits) for reply in replies.values()] == [1, 2]
        assert gateway.services()[0].searches[0].syntax == "Words, without operators."


def test_a_server_that_keeps_dying_is_left_alone_for_a_while(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with opened(tmp_path, {"red": scripted("well", "--pid", str(pids))}) as gateway:
        reasons = [reason_of(ask(gateway, red="die")["red"]) for _ in range(5)]
        assert reasons == ["unavailable"] * 5
        assert len(processes_in(pids)) == 3


def test_two_time_outs_in_a_row_end_the_process_and_the_next_question_gets_another(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    services = {"red": scripted("well", "--pid", str(pids), limits={"search_seconds": 0.2})}
    with opened(tmp_path, services) as gateway:
        assert [reason_of(ask(gateway, red="hang")["red"]) for _ in range(2)] == ["timed_out"] * 2
        allow(gateway, "red", search_seconds=120)
        assert len(ask(gateway, red="1 hits")["red"].hits) == 1
        first, second = processes_in(pids)
        wait_until_gone([first])
        assert not gone(second)


def test_breaking_off_cancels_the_running_question_only(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with opened(tmp_path, {"red": scripted("well", "--log", str(log)), "green": scripted()}) as gateway:
        gateway.services()

        def break_off(_: SearchReply) -> None:
            raise KeyboardInterrupt

        asked = [ServiceQuery("red", "thing", "hang"), ServiceQuery("green", "thing", "1 hits")]
        with pytest.raises(KeyboardInterrupt):
            gateway.search(asked, on_reply=break_off)
        assert len(ask(gateway, red="2 hits")["red"].hits) == 2
        wait_until(lambda: "notifications/cancelled" in log.read_text(), "nothing was cancelled", AT_ONCE)


def test_ctrl_c_while_waiting_breaks_off_at_once(three: McpServiceGateway) -> None:
    def press() -> None:
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while_red_is_waited_for(three, press)
    assert time.monotonic() - started < AT_ONCE
    assert len(ask(three, red="1 hits")["red"].hits) == 1


def test_after_a_rate_limit_nothing_more_is_asked_of_the_service(tmp_path: Path) -> None:
    log = tmp_path / "log"
    services = {"red": scripted("well", "--log", str(log), limits={"calls_at_once": 1})}
    with opened(tmp_path, services) as gateway:
        hits = ask(gateway, red="3 hits")["red"].hits
        limited = [type(hit)(hit.service, hit.kind, hit.title, "", "", {"id": "429 as error"}) for hit in hits]
        replies = gateway.fetch([limited[0], *hits])
        assert [reply.failure and reply.failure.reason for reply in replies] == ["rate_limited"] * 4
        assert log.read_text().count("tools/call") == 2


def test_tools_that_do_not_only_read_are_refused_and_missing_ones_named(tmp_path: Path) -> None:
    service = scripted()
    search = service["searches"]["thing"]
    service["searches"]["erase"] = {**search, "tool": "delete", "args": {"query": "{{ query }}"}}
    service["searches"]["other"] = {**search, "tool": "find"}
    service["searches"]["misfit"] = {**search, "args": {"q": "{{ query }}"}}
    with opened(tmp_path, {"red": service}) as gateway:
        (state,) = gateway.services()
        assert [each.kind for each in state.searches] == ["thing"]
        assert tuple(fault_sentence(problem, "en") for problem in state.problems) == (
            "The search `erase` is left out: the tool `delete` says that it does not only read.",
            "The search `other` is left out: the server has no tool `find`; it has delete, read, search.",
            "The search `misfit` is left out: it has no argument `q` (tool `search`).",
            "The search `misfit` is left out: it requires `query`, which is not given (tool `search`).",
        )
        (reply,) = gateway.search([ServiceQuery("red", "erase", "everything")])
        assert reason_of(reply) == "misconfigured"


def test_secrets_are_blotted_out_of_what_a_server_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKI_TOKEN", "wiki-secret-123")
    monkeypatch.setenv("OTHER_TOKEN", "nobody-gets-this")
    service = scripted()
    service["transport"]["env"] = {"PASSED": "${WIKI_TOKEN}"}
    with opened(tmp_path, {"red": service}) as gateway:
        (told,) = gateway.search([ServiceQuery("red", "thing", "say PASSED")])
        (untold,) = gateway.search([ServiceQuery("red", "thing", "say OTHER_TOKEN")])
    assert told.failure is not None
    assert fault_sentence(told.failure.fault, "en") == "It answered with an error: refused for ***"
    assert untold.failure is not None
    assert fault_sentence(untold.failure.fault, "en") == "It answered with an error: refused for None"


def test_closing_while_a_question_runs_ends_it(tmp_path: Path) -> None:
    with opened(tmp_path, {"red": scripted(), "green": scripted()}) as gateway:
        started = time.monotonic()
        red, _ = while_red_is_waited_for(gateway, gateway.close)
        assert red.failure is not None
        assert time.monotonic() - started < AT_ONCE


def test_closing_while_servers_still_start_does_not_wait_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "CLOSE_SECONDS", 300)
    monkeypatch.setattr(server, "END_SECONDS", 200)
    monkeypatch.setattr(child, "LEAVE_SECONDS", 100)
    pids = tmp_path / "pids"
    with opened(tmp_path, {"red": scripted("hang", "--pid", str(pids))}) as gateway:
        gateway.prepare()
        wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"), "it has not begun to start", AT_ONCE)
        started = time.monotonic()
    assert time.monotonic() - started < AT_ONCE
    wait_until_gone(processes_in(pids))


def test_closing_ends_deaf_servers_and_their_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "LEAVE_SECONDS", 0.2)
    pids = tmp_path / "pids"
    services = {start: scripted(start, "--pid", str(pids)) for start in ("deaf", "family")}
    with opened(tmp_path, services) as gateway:
        assert [service.failure for service in gateway.services()] == [None, None]
        assert len(processes_in(pids)) == 3
    wait_until_gone(processes_in(pids))


HOST = """
import sys, time
from pathlib import Path
from tests.builders.services import opened, scripted
folder, pids = Path(sys.argv[1]), sys.argv[2]
services = {start: scripted(start, "--pid", pids) for start in ("well", "deaf", "family")}
with opened(folder, services) as gateway:
    gateway.services()
    print("ready", flush=True)
    time.sleep(60)
"""


def test_a_host_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, str(tmp_path), str(pids)], stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"ready\n"
    children = [child.pid for child in psutil.Process(host.pid).children(recursive=True)]
    assert len(processes_in(pids)) == 4
    assert len(children) >= 7  # each behind its shim
    os.kill(host.pid, signal.SIGKILL)
    host.wait()
    host.stdout.close()
    wait_until_gone([*children, *processes_in(pids)])


def more_than(early: tuple[int, ...], late: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(max(0, after - before) for before, after in zip(early, late, strict=True))


def leaks_after(gateway: McpServiceGateway, questions: int) -> tuple[int, ...]:
    """How many file descriptors, threads, children and tasks more there are after many questions, most of them bad.

    Some go a moment after the last answer has come.
    """
    this = psutil.Process()
    loop = gateway._loop._loop
    assert loop is not None

    def counts() -> tuple[int, ...]:
        tasks = len(asyncio.all_tasks(loop))
        return this.num_fds(), threading.active_count(), len(this.children(recursive=True)), tasks

    def question(number: int) -> None:
        wish = ("3 hits", "429 as text", "garbage", "nonsense", "huge 5")[number % 5]
        found = ask(gateway, red=wish, green="2 hits", blue="1 hits")
        gateway.fetch([hit for reply in found.values() for hit in reply.hits])

    question(0)
    before = counts()
    for number in range(questions):
        question(number)
    deadline = time.monotonic() + AT_ONCE
    while any(more := more_than(before, counts())) and time.monotonic() < deadline:
        time.sleep(0.05)
    return more


def test_questions_leave_nothing_behind(three: McpServiceGateway) -> None:
    assert leaks_after(three, 10) == (0, 0, 0, 0)


@pytest.mark.large
def test_a_hundred_questions_leave_nothing_behind(three: McpServiceGateway) -> None:
    assert leaks_after(three, 100) == (0, 0, 0, 0)


@pytest.mark.large
def test_servers_that_die_again_and_again_leave_nothing_behind(tmp_path: Path) -> None:
    this = psutil.Process()
    counts = []
    for _ in range(8):
        with opened(tmp_path, {"red": scripted(), "green": scripted("crash")}) as gateway:
            gateway.services()
            for _ in range(3):
                ask(gateway, red="die", green="1 hits")
        counts.append((this.num_fds(), threading.active_count(), len(this.children(recursive=True))))
    assert counts[-1] == counts[1]
