"""A data set made of people's opinions of results: judged questions, and the index as the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery
from locator_search.evaluation.evaluate import Answer
from locator_search.ports import IndexedText, Judgement, VersionReader
from locator_search.retrieval.grouping import files_of, folded


def judged_queries(judgements: Iterable[Judgement]) -> list[JudgedQuery]:
    """The questions for which somebody opened a file or thought it useful."""
    grades: dict[str, dict[str, int]] = {}
    for judgement in judgements:
        grades.setdefault(judgement.question, {})[judgement.file_id] = judgement.grade
    return [
        JudgedQuery(f"q{number}", question, judged)
        for number, (question, judged) in enumerate(grades.items(), start=1)
        if any(judged.values())
    ]


def as_corpus(texts: Iterable[IndexedText]) -> Iterator[CorpusDocument]:
    """The indexed files as documents of a data set."""
    return (CorpusDocument(text.file_id, text.file_name, text.text) for text in texts)


def as_shown(answers: Iterable[Answer], versions: VersionReader) -> Iterator[Answer]:
    """The answers as people saw them: the files of one document together, the one that is shown first."""
    for answer in answers:
        shown = folded(answer.evidence, versions, answer.query.text)
        yield replace(answer, evidence=[one for item in shown for one in files_of([item])])
