"""Orders files by how many of the question's words their name, keywords, summary and folder share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from locator_search.text.terms import PAIR, analyse

_FIELD_WEIGHTS = {"file_name": 3.0, "keywords": 2.0, "summary": 1.0, "folder_path": 1.0}
_PAIR_WEIGHT = 0.5


def ranked_ids(question: str, files: Sequence[Mapping[str, object]]) -> list[str]:
    """The ids of the files, best first; equal ones keep their order. Every id once, none invented."""
    wanted = set(analyse(question).terms)
    order = sorted(range(len(files)), key=lambda index: (-_score(wanted, files[index]), index))
    return list(dict.fromkeys(str(files[index].get("id", "")) for index in order if files[index].get("id")))


def _score(wanted: set[str], file: Mapping[str, object]) -> float:
    score = 0.0
    for field, weight in _FIELD_WEIGHTS.items():
        terms = set(analyse(_text(file.get(field))).terms)
        shared = sum(_PAIR_WEIGHT if term.startswith(PAIR) else 1.0 for term in terms & wanted)
        score += weight * shared / sqrt(10 + len(terms))  # a long summary shares words by chance
    return score


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(str(part) for part in value)
    return "" if value is None else str(value)
