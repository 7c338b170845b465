"""Data sets in BEIR form, and the measures of a ranking."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from locator_search.core.errors import ConfigurationError
from locator_search.evaluation.dataset import (
    CorpusDocument,
    JudgedQuery,
    read_corpus,
    read_queries,
    write_dataset,
)
from locator_search.evaluation.evaluate import Answer, evaluate, run_lines
from locator_search.evaluation.measures import mean_quality, ndcg, quality, recall, reciprocal_rank
from tests.fakes.scripted_index import evidence

CORPUS = [{"_id": "d1", "title": "規程", "text": "文書の保存期間"}, {"_id": "d2", "text": "no title"}]
QUERIES = [{"_id": "q1", "text": "保存期間は"}, {"_id": "q2", "text": "not judged"}]
HEADER = "query-id\tcorpus-id\tscore"


def write(
    folder: Path,
    corpus: str | list[dict[str, str]] = CORPUS,
    queries: str | list[dict[str, str]] = QUERIES,
    qrels: str = f"{HEADER}\nq1\td1\t2\n",
) -> Path:
    for name, records in (("corpus.jsonl", corpus), ("queries.jsonl", queries)):
        lines = [records] if isinstance(records, str) else [json.dumps(record) for record in records]
        (folder / name).write_text("\n".join(lines), "utf-8")
    (folder / "qrels.tsv").write_text(qrels, "utf-8")
    return folder


def read(folder: Path) -> tuple[list[CorpusDocument], list[JudgedQuery]]:
    return list(read_corpus(folder)), read_queries(folder)


def test_a_data_set_is_read_as_it_is_written(tmp_path: Path) -> None:
    documents, queries = read(write(tmp_path))
    assert documents == [CorpusDocument("d1", "規程", "文書の保存期間"), CorpusDocument("d2", "", "no title")]
    assert queries == [JudgedQuery("q1", "保存期間は", {"d1": 2})]  # what nobody judged cannot be measured
    assert write_dataset(tmp_path / "copy", documents, queries) == 2
    assert read(tmp_path / "copy") == (documents, queries)


def test_the_judgements_may_lie_where_the_archives_of_beir_keep_them(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels.tsv").rename(tmp_path / "qrels" / "test.tsv")
    assert [query.id for query in read_queries(tmp_path)] == ["q1"]


def test_windows_line_ends_blank_lines_a_byte_order_mark_and_numbers_as_ids_are_accepted(tmp_path: Path) -> None:
    write(tmp_path, '\ufeff{"_id": 7, "title": null, "text": "a"}\r\n\r\n', qrels=f"{HEADER}\r\nq1\t7\t1\r\n")
    documents, queries = read(tmp_path)
    assert documents == [CorpusDocument("7", "", "a")]
    assert queries[0].grades == {"7": 1}


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"corpus": '{"_id": "a", "text": "b"}\n{"_id": "c"'}, "corpus.jsonl, line 2: not a JSON object."),
        ({"corpus": "[" * 100_000}, "corpus.jsonl, line 1: not a JSON object."),
        ({"corpus": "[1]"}, "corpus.jsonl, line 1: not a JSON object."),
        ({"corpus": [{"_id": "a"}]}, "corpus.jsonl, line 1: the text of 'text' is missing."),
        ({"corpus": [{"_id": "a b", "text": ""}]}, "corpus.jsonl, line 1: an _id without spaces is expected."),
        ({"corpus": [{"_id": "a\0", "text": ""}]}, "corpus.jsonl, line 1: an _id without spaces is expected."),
        ({"corpus": CORPUS[:1] * 2}, "corpus.jsonl, line 2: the _id 'd1' occurs a second time."),
        ({"corpus": ""}, "corpus.jsonl holds no document."),
        ({"queries": QUERIES[:1] * 2}, "queries.jsonl, line 2: the _id 'q1' occurs a second time."),
        ({"queries": [{"text": "a"}]}, "queries.jsonl, line 1: an _id without spaces is expected."),
        ({"qrels": "q1\td1\t1\n"}, "qrels.tsv, line 1: the header query-id, corpus-id, score is missing."),
        ({"qrels": f"{HEADER}\nq1 d1 1\n"}, "qrels.tsv, line 2: three fields parted by tabs are expected, found 1."),
        ({"qrels": f"{HEADER}\nq1\td1\tyes\n"}, "qrels.tsv, line 2: the score 'yes' is not a whole number."),
        ({"qrels": f"{HEADER}\nq9\td1\t1\n"}, "qrels.tsv, line 2: the question 'q9' is not in queries.jsonl."),
        ({"qrels": f"{HEADER}\nq1\td1\t0\n"}, "queries.jsonl has a relevant document."),
    ],
)
def test_a_broken_data_set_is_refused_in_one_sentence_with_file_and_line(
    tmp_path: Path, broken: dict[str, object], sentence: str
) -> None:
    write(tmp_path, **broken)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError) as refused:
        read(tmp_path)
    assert refused.value.message.endswith(sentence)
    assert refused.value.exit_code == 2
    assert "corpus.jsonl" in refused.value.hint


def test_text_that_is_not_utf_8_names_its_line(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "queries.jsonl").write_bytes('{"_id": "q1", "text": "保存"}'.encode("cp932"))
    with pytest.raises(ConfigurationError, match=r"queries.jsonl, line 1: not UTF-8\."):
        read_queries(tmp_path)


@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    (write(tmp_path) / missing).unlink()
    with pytest.raises(ConfigurationError, match=f"{missing} does not exist"):
        read(tmp_path)
    with pytest.raises(ConfigurationError, match="the folder does not exist"):
        read(tmp_path / "nowhere")


def test_recall_counts_the_relevant_among_the_first() -> None:
    grades = {"a": 1, "b": 2, "c": 0, "d": 1}
    assert recall(["c", "a", "x", "b"], grades, 1) == 0
    assert recall(["c", "a", "x", "b"], grades, 3) == pytest.approx(1 / 3)
    assert recall(["c", "a", "x", "b"], grades, 10) == pytest.approx(2 / 3)


def test_the_reciprocal_rank_is_that_of_the_first_relevant_document() -> None:
    assert reciprocal_rank(["c", "x", "b", "a"], {"a": 1, "b": 1, "c": 0}, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"] * 10 + ["a"], {"a": 1}, 10) == 0


def test_ndcg_gains_the_grade_itself_and_discounts_by_the_logarithm_of_the_rank() -> None:
    # As trec_eval: (1/log2(2) + 3/log2(4)) / (3/log2(2) + 2/log2(3) + 1/log2(4)); 2^grade - 1 would give another value.
    grades = {"a": 3, "b": 2, "c": 1, "d": 0, "e": -1}
    expected = (1 + 3 / 2) / (3 + 2 / math.log2(3) + 1 / 2)
    assert ndcg(["c", "d", "a", "e"], grades, 10) == pytest.approx(expected)
    assert ndcg(["a", "b", "c"], grades, 10) == 1
    assert ndcg(["x"], grades, 10) == 0


def test_ndcg_of_more_relevant_documents_than_places_can_be_one() -> None:
    grades = {str(number): 1 for number in range(20)}
    assert ndcg(list(grades), grades, 10) == 1


def test_means_are_over_questions() -> None:
    good, bad = quality(["a"], {"a": 1}), quality(["b"], {"a": 1})
    assert mean_quality([good, bad]).as_dict() == dict.fromkeys(
        ["recall@1", "recall@10", "recall@50", "mrr@10", "ndcg@10"], 0.5
    )


def answer(*scores: float) -> Answer:
    found = [evidence(number, score) for number, score in enumerate(scores)]
    return Answer(JudgedQuery("q1", "text", {"file-1": 1}), found, 0.25)


def test_a_run_keeps_the_order_for_readers_that_break_ties_their_own_way() -> None:
    lines = [line.split() for line in run_lines(answer(0.9, 0.5, 0.5, 0.5 - 1e-12, 0.0, 0.0))]
    assert [line[:4] for line in lines] == [["q1", "Q0", f"file-{number}", str(number + 1)] for number in range(6)]
    written = [np.float32(line[4]) for line in lines]
    assert all(later < earlier for earlier, later in pairwise(written))
    assert float(written[0]) == pytest.approx(0.9)


def test_times_are_quantiles_in_milliseconds() -> None:
    def answers() -> Iterator[Answer]:
        for seconds in (0.1, 0.2, 0.3):
            yield Answer(JudgedQuery("q", "text", {"file-0": 1}), [evidence(0)], seconds)

    measured = evaluate(answers())
    assert (measured.queries, measured.quality.ndcg_at_10) == (3, 1)
    assert measured.p50_ms == pytest.approx(200)
    assert measured.p95_ms == pytest.approx(290)
