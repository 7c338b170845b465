"""Questions to the whole search: `queries.jsonl` and `qrels.tsv` beside a folder `files`. What is right is named by its
path below `files`; a question without a judgement has no answer there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from locator_search.core.errors import ConfigurationError
from locator_search.evaluation.dataset import HEADER, QRELS, QUERIES, read_judgements, read_records

FILES = "files"
FORM_HINT = (
    f'A data set of the flow is a folder with {FILES}/, {QUERIES} ({{"_id", "text", "kind"}} per line) and {QRELS} '
    "(header query-id, corpus-id, score; the corpus-id is a path below it)."
)


@dataclass(frozen=True, slots=True)
class FlowQuestion:
    """One question of a `kind`, with the `paths` of the files any of which is right; none: it has no answer."""

    id: str
    text: str
    kind: str
    paths: tuple[str, ...]

    @property
    def half(self) -> int:
        """1 or 2, by its id: one half to tune on, the other to report."""
        return 1 + crc32(self.id.encode()) % 2


def read_flow_questions(folder: Path, half: int | None = None) -> list[FlowQuestion]:
    """The questions in the order of the file, all or one half. Raises ConfigurationError naming file and line."""
    if not (folder / FILES).is_dir():
        raise ConfigurationError(f"{folder} has no folder {FILES}.", hint=FORM_HINT)
    records = read_records(folder, QUERIES, ("text", "kind"))
    judged = read_judgements(folder, known=records)
    questions = [
        FlowQuestion(
            query_id,
            fields["text"],
            fields["kind"],
            tuple(path for path, grade in judged.get(query_id, {}).items() if grade > 0),
        )
        for query_id, fields in records.items()
    ]
    chosen = [question for question in questions if half in (None, question.half)]
    if not chosen:
        raise ConfigurationError(f"{folder / QUERIES} holds no question to ask.", hint=FORM_HINT)
    return chosen


def write_flow_questions(folder: Path, questions: Iterable[FlowQuestion]) -> None:
    """Write questions and judgements in the form that is read here."""
    asked = list(questions)
    lines = [json.dumps({"_id": one.id, "text": one.text, "kind": one.kind}, ensure_ascii=False) for one in asked]
    (folder / QUERIES).write_text("\n".join(lines) + "\n", encoding="utf-8")
    judged = [f"{one.id}\t{path}\t1" for one in asked for path in one.paths]
    (folder / QRELS).write_text("\n".join([HEADER, *judged]) + "\n", encoding="utf-8")
