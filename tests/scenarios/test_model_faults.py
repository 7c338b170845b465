"""Models that answer wrongly: no file is lost, every request that was paid is counted, and the model is asked again."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from locator_assets.commands.crawl import run_crawl
from locator_assets.commands.crawl_report import CrawlReport
from locator_search.core.clock import SystemClock
from locator_search.indexing.model_outages import REFUSALS_IN_A_ROW
from locator_search.model import Evidence, RetrievalQuery
from tests.builders.model_office import Office, answer, task_of, vector_of
from tests.dagster.runs import index_runs, tick
from tests.fakes.openai_server import Body, OpenAiServer, Reply, completion, embeddings, error

pytestmark = pytest.mark.dagster_tables

Handler = Callable[[str, Body], Reply]
FULL_LENGTH = "。".join(f"北斗製鋼との契約第{number}条を改定し支払期日を月末とする" for number in range(40))[:400]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "sleep", lambda _self, _seconds: None)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Moves the clock of the program on."""
    now, passed = SystemClock.now, [timedelta()]
    monkeypatch.setattr(SystemClock, "now", lambda self: now(self) + passed[0])

    def move(time: timedelta) -> None:
        passed[0] += time

    return move


def summaries(reply: Callable[[str], Reply]) -> Handler:
    """A model that answers like this when it is asked for the summary of a text, and otherwise well."""

    def handler(path: str, body: Body) -> Reply:
        if path.endswith("/chat/completions") and task_of(body) == "summarise":
            return reply(json.loads(body["messages"][1]["content"])["text"])
        return answer(path, body)

    return handler


def vectors(made: Callable[[str], list[float]]) -> Handler:
    def handler(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings"):
            return Reply(embeddings([made(text) for text in body["input"]]))
        return answer(path, body)

    return handler


def asked_for_summaries(server: OpenAiServer) -> int:
    return sum("response_format" in body and task_of(body) == "summarise" for _, body in server.requests)


def found(office: Office, words: str) -> list[Evidence]:
    """The evidence that the words alone find."""
    with office.open() as locator:
        return list(locator.index.retrieve(RetrievalQuery(words, threshold=0.0, mode="keyword"), None).evidence)


def crawl(office: Office, mode: Any = "auto") -> CrawlReport:
    with office.open() as locator:
        return run_crawl(locator, mode)


def bill_of(report: CrawlReport) -> tuple[int, int]:
    return report.model_calls, report.tokens


def status_bill(office: Office) -> tuple[int, int]:
    with office.open() as locator:
        status = locator.status_reader.status()
    return status.model_calls, status.tokens


def tokens_of(text: str) -> int:
    return int(len(text) * 1.1)


def test_a_summary_of_full_length_is_not_cut_off_and_paid_once(office: Office, server: OpenAiServer) -> None:
    def within_the_limit(path: str, body: Body) -> Reply:
        if not path.endswith("/chat/completions"):
            return answer(path, body)
        content = json.dumps({"summary": FULL_LENGTH, "keywords": ["北斗製鋼株式会社", "契約"]}, ensure_ascii=False)
        limit = body.get("max_completion_tokens") or body["max_tokens"]
        if tokens_of(content) > limit:
            return Reply(completion(content[:50], finish_reason="length"))
        return Reply(completion(content))

    server.handler = within_the_limit
    office.write(4)
    report = office.crawl()
    assert (report.indexed, report.stand_in_summaries, asked_for_summaries(server)) == (4, 0, 4)
    assert bill_of(report) == status_bill(office) == server.billed
    assert all(len(one.summary) == 400 for one in found(office, "報告書"))


FAULTS: dict[str, Reply] = {
    "refused": Reply(completion("", refusal="I cannot help with that.")),
    "content filter": Reply(completion("", finish_reason="content_filter")),
    "cut off": Reply(completion('{"summary": "要', finish_reason="length")),
    "empty": Reply(completion("")),
    "malformed": Reply(completion("{'summary': nonsense")),
    "blank summary": Reply(completion('{"summary": "  ", "keywords": ["報告"]}')),
    "no keywords": Reply(completion('{"summary": "要約", "keywords": []}')),
    "signs alone": Reply(completion('{"summary": "?? -- !! ###", "keywords": ["報告"]}')),
    "another script": Reply(completion('{"summary": "Отчёт о работе предприятия", "keywords": ["报告"]}')),
    "not a completion": Reply({"choices": "none", "usage": completion("")["usage"]}),
    "refused with 400": Reply(error("content management policy", 400, code="content_filter"), 400),
    "too long": Reply(error("maximum context length", 400, code="context_length_exceeded"), 400),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_whose_summary_fails_is_indexed_with_an_extract_and_asked_about_a_day_later(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None], fault: str
) -> None:
    server.handler = summaries(lambda text: FAULTS[fault] if "案件2" in text else answer_to(text))
    office.write(4)
    report = office.crawl()
    assert (report.indexed, report.failed, report.stand_in_summaries) == (4, (), 1)
    assert report.model_problem
    assert bill_of(report) == status_bill(office) == server.billed
    [hit] = [one for one in found(office, "案件2") if one.file_name == "報告002.txt"]
    assert hit.summary_state == "stand-in"
    assert "案件2の予算" in hit.summary
    others = [one for one in found(office, "報告書") if one.file_name != "報告002.txt"]
    assert {one.summary_state for one in others} == {"ok"}

    made = asked_for_summaries(server)
    for mode in ("auto", "diff"):
        assert crawl(office, mode).indexed == 0
    assert asked_for_summaries(server) == made, "not before its time"

    server.handler = answer
    later(timedelta(days=1, minutes=1))
    assert crawl(office).indexed == 1
    [hit] = [one for one in found(office, "案件2") if one.file_name == "報告002.txt"]
    assert (hit.summary_state, hit.summary[:3]) == ("ok", "要約:")
    assert asked_for_summaries(server) == made + 1
    assert status_bill(office) == server.billed


def answer_to(text: str) -> Reply:
    return Reply(completion(json.dumps({"summary": f"要約: {text[:30]}", "keywords": ["報告"]})))


def test_a_refusal_is_paid_for_once_whatever_happens_to_the_file_and_for_all_its_copies(
    office: Office, server: OpenAiServer
) -> None:
    server.handler = summaries(lambda _text: FAULTS["refused"])
    office.write(1)
    for copy in range(3):
        text = (office.folder / "報告000.txt").read_bytes()
        (office.folder / f"写し{copy}.txt").write_bytes(text)
    assert office.crawl().stand_in_summaries == 4
    assert asked_for_summaries(server) == 2, "asked, and asked to repair it"
    (office.folder / "報告000.txt").rename(office.folder / "改名.txt")
    report = office.crawl()
    assert (report.indexed, report.stand_in_summaries, report.deleted) == (1, 1, 1)
    assert asked_for_summaries(server) == 2


def test_a_refused_file_is_asked_about_ever_more_rarely_and_at_last_no_more(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None]
) -> None:
    server.handler = summaries(lambda _text: FAULTS["refused"])
    office.write(1)
    office.crawl()
    asked_on = []
    for day in range(40):
        later(timedelta(days=1, minutes=1))
        before = asked_for_summaries(server)
        crawl(office)
        if asked_for_summaries(server) > before:
            asked_on.append(day)
    assert asked_on == [0, 2, 6, 14]
    assert asked_for_summaries(server) == 2 * 5
    crawl(office, "full")
    assert asked_for_summaries(server) == 2 * 5
    assert status_bill(office) == server.billed


def test_while_the_model_is_down_all_words_are_found_and_the_next_crawl_asks_again(
    office: Office, server: OpenAiServer
) -> None:
    server.handler = summaries(lambda _text: Reply(error("down", 503), 503))
    office.write(30)
    report = office.crawl()
    assert (report.indexed, report.failed, report.stand_in_summaries) == (30, (), 30)
    assert "503" in report.model_problem
    assert bill_of(report) == status_bill(office) == server.billed
    assert asked_for_summaries(server) <= 6 * 6, "those under way try to the end, the others do not wait for it"
    assert len(found(office, "案件29")) >= 1

    server.handler = answer
    report = office.crawl()
    assert (report.indexed, report.stand_in_summaries) == (30, 0)
    assert {one.summary_state for one in found(office, "報告書")} == {"ok"}
    assert status_bill(office) == server.billed
    assert office.crawl().indexed == 0


def test_the_sensor_asks_about_an_outage_ever_more_rarely(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None]
) -> None:
    import dagster as dg

    server.handler = summaries(lambda _text: Reply(error("down", 503), 503))
    office.write(2)
    office.crawl()
    with dg.DagsterInstance.ephemeral() as instance, office.open() as parts:
        assert index_runs(tick(parts, instance)) == []
        later(timedelta(minutes=2))
        assert len(index_runs(tick(parts, instance))) == 1


def test_a_model_that_only_talks_nonsense_is_not_paid_for_every_file(office: Office, server: OpenAiServer) -> None:
    server.handler = summaries(lambda _text: FAULTS["malformed"])
    office.write(60)
    report = office.crawl()
    assert (report.indexed, report.failed, report.stand_in_summaries) == (60, (), 60)
    assert asked_for_summaries(server) <= 2 * (REFUSALS_IN_A_ROW + 6)
    assert bill_of(report) == server.billed


def test_no_text_of_a_file_and_no_key_gets_into_the_log(
    office: Office, server: OpenAiServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def echoes(path: str, body: Body) -> Reply:
        said = json.dumps(body, ensure_ascii=False) + str(office.settings["openai_api_key"])
        if path.endswith("/embeddings") or "案件1" in said:
            return Reply(error(said, 400), 400)
        return Reply(completion(said))

    server.handler = echoes
    office.write(3)
    report = office.crawl()
    assert (report.indexed, report.stand_in_summaries, report.without_embeddings) == (3, 3, 3)
    for secret in ("予算は", str(office.settings["openai_api_key"])):
        assert secret not in caplog.text + report.model_problem


def test_a_wrong_key_still_ends_the_crawl(office: Office, server: OpenAiServer) -> None:
    from locator_search.core.errors import ConfigurationError

    server.handler = summaries(lambda _text: Reply(error("no", 401), 401))
    office.write(3)
    with pytest.raises(ConfigurationError, match="key"):
        office.crawl()


WRONG_VECTORS: dict[str, Callable[[str], list[Any]]] = {
    "shorter": lambda text: vector_of(text)[:100],
    "longer": lambda text: vector_of(text) * 2,
    "zero": lambda _text: [0.0] * 1536,
    "not a number": lambda text: [float("nan"), *vector_of(text)[1:]],
    "strings": lambda text: [str(part) for part in vector_of(text)],
}


@pytest.mark.parametrize("fault", WRONG_VECTORS)
def test_wrong_embeddings_are_never_used_and_cost_no_file(office: Office, server: OpenAiServer, fault: str) -> None:
    server.handler = vectors(WRONG_VECTORS[fault])
    office.write(5)
    report = office.crawl()
    assert (report.indexed, report.failed, report.without_embeddings) == (5, (), 5)
    assert "text-embedding-3-small" in report.model_problem
    assert bill_of(report) == status_bill(office) == server.billed
    assert found(office, "案件3")[0].file_name == "報告003.txt"
    assert rows(office, "text_embedding") == rows(office, "embedding_code") == 0

    server.handler = answer
    report = office.crawl()
    assert (report.indexed, report.without_embeddings) == (5, 0)
    assert rows(office, "embedding_code") > 5
    with office.open() as locator:
        outcome = locator.drive_search.start("案件3の予算").advance()
        assert locator.index_inspector.inspect().vectors_not_unit == 0
    assert outcome.outcome in ("found", "too_many", "needs_answer")
    assert status_bill(office) == server.billed


def test_an_embedding_model_that_is_down_leaves_every_file_to_its_words(office: Office, server: OpenAiServer) -> None:
    def down(path: str, body: Body) -> Reply:
        return Reply(error("down", 502), 502) if path.endswith("/embeddings") else answer(path, body)

    server.handler = down
    office.write(30)
    report = office.crawl()
    assert (report.indexed, report.failed, report.without_embeddings) == (30, (), 30)
    assert found(office, "案件17")[0].file_name == "報告017.txt"
    server.handler = answer
    assert (office.crawl().indexed, asked_for_summaries(server)) == (30, 30)
    assert status_bill(office) == server.billed


def test_one_text_the_embedding_model_refuses_costs_the_others_nothing(office: Office, server: OpenAiServer) -> None:
    def refuses(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings") and any("案件1" in text for text in body["input"]):
            return Reply(error("this text is refused", 400), 400)
        return answer(path, body)

    server.handler = refuses
    office.write(5)
    report = office.crawl()
    assert (report.indexed, report.failed, report.without_embeddings) == (5, (), 1)
    assert found(office, "案件1")[0].file_name == "報告001.txt"
    made = len(server.requests)
    assert office.crawl().indexed == 0
    assert len(server.requests) == made, "not asked again on the same day"
    assert bill_of(report) == server.billed


def test_embeddings_of_a_wrong_length_that_were_remembered_before_are_made_anew(
    office: Office, server: OpenAiServer
) -> None:
    office.write(4)
    office.crawl()
    as_before_lengths_were_checked(office, kept=100)
    report = crawl(office)
    assert (report.indexed, report.unchanged) == (4, 0)
    with office.open() as locator, locator.database.connection() as connection:
        short = connection.execute(
            "SELECT count(*) FROM file_chunk WHERE vector_norm(subvector(embedding, 101, 1436)) = 0"
        ).fetchone()
        assert short == (0,)
    assert crawl(office, "full").unchanged == 4


def as_before_lengths_were_checked(office: Office, kept: int) -> None:
    """Every embedding cut to its first numbers and filled up with zeros, by a pipeline of an earlier version."""
    first = f"subvector(embedding, 1, {kept})::vector({kept})::real[]"
    cut = f"({first} || array_fill(0::real, ARRAY[{1536 - kept}]))::vector"
    with office.open() as locator, locator.database.connection() as connection:
        connection.execute(f"UPDATE text_embedding SET embedding = l2_normalize({cut}), width = NULL")
        connection.execute(f"UPDATE file_chunk SET embedding = l2_normalize({cut})")
        connection.execute(f"UPDATE drive_file_index SET embedding = l2_normalize({cut})")
        connection.execute("UPDATE file_state SET pipeline_version = 'earlier'")


def rows(office: Office, table: str) -> int:
    with office.open() as locator, locator.database.connection() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])
