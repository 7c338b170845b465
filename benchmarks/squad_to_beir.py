"""A reading set in the form of SQuAD (JSQuAD, JaQuAD) as a retrieval set in BEIR form, for `document-locator evaluate`.

    python benchmarks/squad_to_beir.py valid-v1.1.json --corpus test-v1.3.json jaquad_train_*.json --out jsquad-valid

Every paragraph becomes a document, and the one relevant document of a question is the paragraph it was asked about.
Paragraphs of the files after --corpus are added as documents to be told apart from it; their questions are left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery, write_dataset

TITLE_MARK = " [SEP] "
"""JSQuAD writes the title of the article before each paragraph, parted by this."""


def main() -> None:
    """Read, turn round, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path, help="files whose questions are asked")
    parser.add_argument("--corpus", nargs="*", type=Path, default=[], help="files with further paragraphs")
    parser.add_argument("--out", type=Path, required=True, help="folder of the data set")
    arguments = parser.parse_args()
    documents: dict[str, CorpusDocument] = {}
    queries: list[JudgedQuery] = []
    for path in arguments.questions:
        for document, questions in paragraphs(path):
            kept = documents.setdefault(document.text, document)
            queries += [JudgedQuery(f"{path.stem}-{name}", text, {kept.id: 1}) for name, text in questions]
    for path in arguments.corpus:
        for document, _ in paragraphs(path):
            documents.setdefault(document.text, document)
    write_dataset(arguments.out, documents.values(), queries)
    print(f"{len(documents):,} documents, {len(queries):,} questions: {arguments.out}")


def paragraphs(path: Path) -> Iterator[tuple[CorpusDocument, list[tuple[str, str]]]]:
    """The paragraphs of a file with their questions as (id, text)."""
    articles: Iterable[dict[str, Any]] = json.loads(path.read_text("utf-8"))["data"]
    for number, article in enumerate(articles):
        for place, paragraph in enumerate(article["paragraphs"]):
            before, mark, after = paragraph["context"].partition(TITLE_MARK)
            title, text = (before, after) if mark else (article["title"], before)
            yield CorpusDocument(f"{path.stem}-{number}-{place}", title, text), _questions(paragraph["qas"])


def _questions(asked: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(question["id"], question["question"]) for question in asked]


if __name__ == "__main__":
    main()
