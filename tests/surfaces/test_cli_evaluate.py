"""`document-locator evaluate` over real parts: a data set in, figures out, nothing left behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresSearchLog
from locator_search.app.locator import open_locator
from locator_search.cli.quality.evaluate import evaluate
from locator_search.config.settings import load_settings
from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery, read_queries, write_dataset
from locator_search.evaluation.flow_dataset import FlowQuestion, write_flow_questions
from locator_search.evaluation.measures import mean_quality, quality
from locator_search.model import SearchOutcome
from tests.builders.judged_corpus import load_small_corpus
from tests.builders.report_folder import index_everything

commands = typer.Typer()
commands.command()(evaluate)

LONG = "これは長い文書の一節であり、題名とは別のことを述べている。" * 60
DOCUMENTS = [
    CorpusDocument("leave", "育児休業規程", "子が一歳に達するまで休業できる。申出は一か月前までに行う。"),
    CorpusDocument("travel", "出張旅費規程", "宿泊費の上限は一万二千円とする。日当は三千円である。"),
    CorpusDocument("pump", "HP-350取扱説明書", LONG + "吐出圧力は毎月一度、圧力計で点検する。"),
    CorpusDocument("torque", "Installation guide", "Tighten the flange bolts to 45 newton metres."),
    CorpusDocument("blank", "", ""),
]
QUERIES = [
    JudgedQuery("q1", "出張の宿泊費はいくらまで", {"travel": 2, "leave": 0}),
    JudgedQuery("q2", "吐出圧力の点検", {"pump": 1}),
    JudgedQuery("q3", "bolt torque in newton metres", {"torque": 1, "of another set": 1}),
]


@pytest.fixture
def folder(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    write_dataset(tmp_path / "set", DOCUMENTS, QUERIES)
    return tmp_path / "set"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_it_prints_the_measures_as_json(folder: Path, mode: str) -> None:
    result = run(folder, "--mode", mode, "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert list(figures)[:7] == ["recall@1", "recall@10", "recall@50", "mrr@10", "ndcg@10", "p50_ms", "p95_ms"]
    assert figures["recall@10"] == pytest.approx((1 + 1 + 0.5) / 3)  # one judged document is in no corpus
    assert figures["mrr@10"] == 1
    assert 0 < figures["p50_ms"] <= figures["p95_ms"]
    assert (figures["documents"], figures["queries"], figures["mode"]) == (5, 3, mode)
    assert "offline-hashed-ngrams-2（オフラインの代役）" in result.stderr


def test_a_document_of_several_chunks_takes_one_place_and_the_run_says_what_the_figures_say(folder: Path) -> None:
    path = folder / "out.run"
    figures = json.loads(run(folder, "--run", path, "--fusion", "ranks", "--json").stdout)
    rankings: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        query, q0, document, rank, _, name = line.split(" ")
        rankings.setdefault(query, []).append(document)
        assert (q0, name, int(rank)) == ("Q0", "document-locator", len(rankings[query]))
    assert all(len(set(ranking)) == len(ranking) for ranking in rankings.values())
    again = mean_quality(quality(rankings[query.id], query.grades) for query in read_queries(folder))
    assert {name: figures[name] for name in again.as_dict()} == again.as_dict()


def test_a_person_reads_a_table(folder: Path) -> None:
    result = run(folder)
    assert "ndcg@10" in result.stdout
    assert "ミリ秒" in result.stdout
    assert "5 件の文書を索引に入れました" in result.stderr


def test_nothing_is_left_in_the_database(folder: Path, database: Database) -> None:
    run(folder, "--mode", "keyword")
    with database.connection() as connection:
        scratch = "SELECT nspname FROM pg_namespace WHERE nspname ~ 'scratch'"
        assert connection.execute(scratch).fetchall() == []
        assert connection.execute("SELECT count(*) FROM drive_file_index").fetchone() == (0,)


def test_a_broken_data_set_and_a_wrong_path_are_usage_errors_before_any_work(folder: Path) -> None:
    wrong = run(folder, "--run", folder / "no such folder" / "out.run")
    assert wrong.exit_code == 2
    assert "に書き込めません" in wrong.stderr
    (folder / "corpus.jsonl").write_text('{"_id": "a", "text": "b"}\n{"_id": ', "utf-8")
    broken = run(folder)
    assert broken.exit_code == 2
    assert "corpus.jsonl の 2 行目: JSON のオブジェクトではありません。" in broken.stderr
    assert "Traceback" not in broken.stderr


def test_feedback_measures_the_persons_own_index_and_becomes_a_data_set(folder: Path, database: Database) -> None:
    load_small_corpus(PostgresIndexStore(database))
    log = PostgresSearchLog(database)
    log.feedback(log.record("社員食堂の議事録", SearchOutcome("found", ""), "page", 0.1), "file-17", useful=True)
    log.opened(log.record("工場見学の契約書", SearchOutcome("found", ""), "page", 0.1), "file-1")

    out = folder / "mine"
    result = run("--from-feedback", "--out", out, "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert (figures["queries"], figures["documents"]) == (2, 40)
    assert figures["recall@1"] == 0.5
    assert "40 件のファイルと 2 問" in result.stderr

    elsewhere = json.loads(run(out, "--json").stdout)
    assert (elsewhere["queries"], elsewhere["documents"], elsewhere["recall@1"]) == (2, 40, 0.5)


def test_versions_are_measured_together_as_people_saw_them(
    folder: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_FOLDERS", str(folder.parent / "files"))
    (folder.parent / "files").mkdir()
    for number, more in ((1, "精算は精算書で行う。精算、精算。"), (2, "申請は画面で行う。")):
        text = "# 経費精算の手引き\n\n" + "領収書の写真を添えて、月末までに申請する。上長が承認する。" * 5 + more
        (folder.parent / "files" / f"経費精算の手引き_v{number}.md").write_text(text, "utf-8")
    with open_locator(load_settings()) as locator:
        index_everything(locator)
        stories = locator.status_reader.stories("v2", limit=1)
    log = PostgresSearchLog(database)
    asked = log.record("経費精算を精算書で", SearchOutcome("found", ""), "page", 0.1)
    log.feedback(asked, stories[0].known.file.file_id, useful=True)
    assert json.loads(run("--from-feedback", "--json").stdout)["recall@1"] == 1.0


@pytest.mark.usefixtures("folder")
def test_without_feedback_it_says_so() -> None:
    result = run("--from-feedback")
    assert result.exit_code == 1
    assert "まだ評価がありません" in result.stderr


def test_a_data_set_or_feedback_and_not_both(folder: Path) -> None:
    assert run().exit_code == 2
    assert run(folder, "--from-feedback").exit_code == 2
    assert run(folder, "--out", folder / "mine").exit_code == 2


def test_the_whole_flow_is_measured_by_kind_of_question(folder: Path) -> None:
    files = folder / "files" / "総務部"
    files.mkdir(parents=True)
    (files / "出張旅費規程.txt").write_text("宿泊費の上限は一万二千円とする。日当は三千円である。", encoding="utf-8")
    (files / "育児休業規程.txt").write_text("子が一歳に達するまで休業できる。", encoding="utf-8")
    asked = [
        FlowQuestion("q1", "出張の宿泊費の上限", "title", ("総務部/出張旅費規程.txt",)),
        FlowQuestion("q2", "望遠鏡の組み立て方", "unanswerable", ()),
    ]
    write_flow_questions(folder, asked)
    result = run(folder, "--flow", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["kinds"]["title"]["first"] == 1
    assert figures["kinds"]["unanswerable"]["refused"] == 1
    assert (figures["documents"], figures["queries"]) == (2, 2)
    assert "unanswerable" in run(folder, "--flow").stdout
