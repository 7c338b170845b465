"""Data sets in BEIR form: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` in one folder. Read line by line.

The form: Thakur et al., BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models,
NeurIPS 2021. Its own archives keep the judgements of the test split in `qrels/test.tsv`; both places are read.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from locator_search.core.errors import ConfigurationError, LocatorError

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.tsv"
QRELS_OF_BEIR = Path("qrels", "test.tsv")
HEADER = "query-id\tcorpus-id\tscore"

FORM_HINT = (
    f'A data set is a folder with {CORPUS} ({{"_id", "title", "text"}} per line), {QUERIES} ({{"_id", "text"}} per '
    f"line) and {QRELS} (header query-id, corpus-id, score; parted by tabs)."
)

Grades = Mapping[str, int]
"""Judgements of one question by document id: 0 not relevant, 1 and more the more relevant."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One document to be found. `title` may be empty."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """One question with the judgements of its documents; at least one is relevant."""

    id: str
    text: str
    grades: Grades


def read_corpus(folder: Path) -> Iterator[CorpusDocument]:
    """The documents in the order of the file. Raises ConfigurationError naming file and line."""
    path = _existing(folder, CORPUS)
    seen: set[str] = set()
    for number, record in _records(path):
        document = CorpusDocument(
            _id(record, path, number), _text(record, "title", path, number, ""), _text(record, "text", path, number)
        )
        if document.id in seen:
            raise _bad(path, number, f"the _id {document.id!r} occurs a second time")
        seen.add(document.id)
        yield document
    if not seen:
        raise ConfigurationError(f"{path} holds no document.", hint=FORM_HINT)


def read_queries(folder: Path) -> list[JudgedQuery]:
    """The questions that have a relevant document, in the order of the file; the others cannot be measured.

    Raises ConfigurationError naming file and line.
    """
    texts = read_records(folder, QUERIES, ("text",))
    judged = read_judgements(folder, known=texts)
    queries = [
        JudgedQuery(query_id, fields["text"], judged[query_id])
        for query_id, fields in texts.items()
        if query_id in judged
    ]
    relevant = [query for query in queries if any(grade > 0 for grade in query.grades.values())]
    if not relevant:
        raise ConfigurationError(f"No question in {folder / QUERIES} has a relevant document.", hint=FORM_HINT)
    return relevant


def read_records(folder: Path, name: str, fields: Sequence[str]) -> dict[str, dict[str, str]]:
    """The texts of these fields of each line, by its `_id`. Raises ConfigurationError naming file and line."""
    path = _existing(folder, name)
    records: dict[str, dict[str, str]] = {}
    for number, record in _records(path):
        record_id = _id(record, path, number)
        if record_id in records:
            raise _bad(path, number, f"the _id {record_id!r} occurs a second time")
        records[record_id] = {field: _text(record, field, path, number) for field in fields}
    return records


def write_dataset(folder: Path, documents: Iterable[CorpusDocument], queries: Iterable[JudgedQuery]) -> int:
    """Write a data set in the form that is read here; returns the number of documents. Raises LocatorError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        with (folder / CORPUS).open("w", encoding="utf-8") as corpus:
            for document in documents:
                corpus.write(_line({"_id": document.id, "title": document.title, "text": document.text}))
                count += 1
        with (
            (folder / QUERIES).open("w", encoding="utf-8") as texts,
            (folder / QRELS).open("w", encoding="utf-8") as judgements,
        ):
            judgements.write(HEADER + "\n")
            for query in queries:
                texts.write(_line({"_id": query.id, "text": query.text}))
                judgements.writelines(f"{query.id}\t{found}\t{grade}\n" for found, grade in query.grades.items())
    except OSError as error:
        raise LocatorError(f"The data set could not be written to {folder}: {error.strerror}.") from None
    return count


def read_judgements(folder: Path, known: Container[str]) -> dict[str, dict[str, int]]:
    """The grades of each question by document id. Raises ConfigurationError naming file and line."""
    path = next((found for found in (folder / QRELS, folder / QRELS_OF_BEIR) if found.is_file()), folder / QRELS)
    judged: dict[str, dict[str, int]] = {}
    for number, line in _lines(_existing(folder, str(path.relative_to(folder)))):
        fields = line.split("\t")
        if number == 1:
            if fields[:2] != HEADER.split("\t")[:2]:
                raise _bad(path, number, "the header query-id, corpus-id, score is missing")
            continue
        if len(fields) != 3:
            raise _bad(path, number, f"three fields parted by tabs are expected, found {len(fields)}")
        query_id, document_id, grade = (field.strip() for field in fields)
        if query_id not in known:
            raise _bad(path, number, f"the question {query_id!r} is not in {QUERIES}")
        try:
            judged.setdefault(query_id, {})[document_id] = int(grade)
        except ValueError:
            raise _bad(path, number, f"the score {grade!r} is not a whole number") from None
    return judged


def _existing(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        missing = name if folder.is_dir() else "the folder"
        raise ConfigurationError(f"{folder} is not a data set: {missing} does not exist.", hint=FORM_HINT)
    return path


def _records(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in _lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise _bad(path, number, "not a JSON object") from None
        if not isinstance(record, dict):
            raise _bad(path, number, "not a JSON object")
        yield number, record


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers from 1."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise _bad(path, number, "not UTF-8") from None
                if text.strip():
                    yield number, text
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.", hint=FORM_HINT) from None


def _id(record: Mapping[str, object], path: Path, number: int) -> str:
    value = record.get("_id")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    # A TREC run parts its fields by spaces.
    if not isinstance(value, str) or not value.isprintable() or not value or any(letter.isspace() for letter in value):
        raise _bad(path, number, "an _id without spaces is expected")
    return value


def _text(record: Mapping[str, object], name: str, path: Path, number: int, missing: str | None = None) -> str:
    value = record.get(name, missing)
    if value is None and missing is not None:
        return missing
    if not isinstance(value, str):
        raise _bad(path, number, f"the text of {name!r} is missing")
    return value


def _line(record: Mapping[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _bad(path: Path, number: int, what: str) -> ConfigurationError:
    return ConfigurationError(f"{path}, line {number}: {what}.", hint=FORM_HINT)
