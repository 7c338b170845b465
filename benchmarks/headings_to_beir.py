"""A folder of Markdown pages as a retrieval set in BEIR form, for `document-locator evaluate`: long documents.

    python benchmarks/headings_to_beir.py docs/ --out long-docs

Every page becomes a document without its headings; each heading below the title that no other page has becomes a
question, and its page is the relevant document.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import regex

from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery, write_dataset

HEADING = regex.compile(r"^(#{1,6})\s+(.+?)\s*#*$", regex.MULTILINE)
MARKS = regex.compile(r"\{[^{}]*\}|<[^<>]*>|\]\([^()]*\)|[`*\[\]]")
"""Anchors, tags, addresses of links, marks of emphasis."""
SHORTEST_PAGE = 2_000
"""Characters."""
SHORTEST_QUESTION = 6


def main() -> None:
    """Read, turn round, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the data set")
    arguments = parser.parse_args()
    documents, pages_of = [], defaultdict(set)
    for name, text in pages(arguments.folder):
        documents.append(CorpusDocument(name, "", HEADING.sub("", text)))
        for level, heading in HEADING.findall(text):
            if len(level) > 1:
                pages_of[" ".join(MARKS.sub("", heading).split())].add(name)
    asked = [(heading, found) for heading, found in pages_of.items() if len(heading) >= SHORTEST_QUESTION]
    queries = [
        JudgedQuery(f"q{place}", heading, dict.fromkeys(found, 1))
        for place, (heading, found) in enumerate(asked)
        if len(found) == 1
    ]
    write_dataset(arguments.out, documents, queries)
    print(f"{len(documents):,} documents, {len(queries):,} questions: {arguments.out}")


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """The long pages below a folder, with their paths."""
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text("utf-8")
        if len(text) >= SHORTEST_PAGE:
            yield str(path.relative_to(folder)), text


if __name__ == "__main__":
    main()
