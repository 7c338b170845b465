"""Asks the whole search every question of a data set, with a simulated person who answers what it asks back.

The person has a file in mind, picks the first choice that holds it, and looks at the first ten files shown.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from locator_search.evaluation.flow_dataset import FlowQuestion
from locator_search.model import Choice, Evidence, SearchOutcome

ANSWERS = 2
"""Narrowing questions the person answers; whoever is asked a third time has given up."""

SHOWN = 10

Holds = Callable[[Choice, str], bool]
"""Whether a choice holds the file at a path."""


class Search(Protocol):
    """One search in progress."""

    def advance(self) -> SearchOutcome:
        """Run until it ends or asks."""
        ...

    def answer(self, text: str) -> SearchOutcome:
        """Answer what it asks."""
        ...


@dataclass(frozen=True, slots=True)
class FlowAnswer:
    """How one search went: the outcomes, the first one before any answer; the last one is how it ended."""

    question: FlowQuestion
    outcomes: tuple[SearchOutcome, ...]

    @property
    def first(self) -> bool:
        """Whether the right file came first, without a question."""
        return self.outcomes[0].outcome == "found" and self._rank(self.outcomes[0].evidence) == 1

    @property
    def listed(self) -> bool:
        """Whether it was among the files shown as found, without a question."""
        return self.outcomes[0].outcome == "found" and self._rank(self.outcomes[0].evidence) is not None

    @property
    def asked(self) -> bool:
        """Whether the person was asked anything."""
        return self.outcomes[0].outcome == "needs_answer"

    @property
    def refused(self) -> bool:
        """Whether the search ended with nothing found."""
        return self.outcomes[-1].outcome == "not_found"

    @property
    def wrongly_refused(self) -> bool:
        """Whether it ended so although there is an answer."""
        return self.refused and bool(self.question.paths)

    @property
    def closest(self) -> bool:
        """Whether the right file was named as one of the nearest, with nothing found."""
        return self.refused and self._rank(self.outcomes[-1].closest) is not None

    def reached(self, answers: int) -> bool:
        """Whether the right file was shown after so many answers at most."""
        return self._rank(self.outcomes[: answers + 1][-1].evidence) is not None

    def _rank(self, evidence: Sequence[Evidence]) -> int | None:
        """The place of the right file, from 1; a folded file has the place of its group."""
        right = {_same_form(path) for path in self.question.paths}
        for rank, item in enumerate(evidence[:SHOWN], start=1):
            if any(path_of(one) in right for one in (item, *(member.evidence for member in item.group))):
                return rank
        return None


def ask_flow(questions: Iterable[FlowQuestion], start: Callable[[str], Search], holds: Holds) -> Iterator[FlowAnswer]:
    """The answers, one by one. Raises what the search raises."""
    for question in questions:
        search = start(question.text)
        outcomes = [search.advance()]
        while outcomes[-1].outcome == "needs_answer" and len(outcomes) <= ANSWERS:
            outcomes.append(search.answer(_chosen(outcomes[-1].choices, question, holds)))
        yield FlowAnswer(question, tuple(outcomes))


def flow_figures(answers: Iterable[FlowAnswer]) -> dict[str, dict[str, float]]:
    """The number of questions and the shares of their outcomes, by kind in order of appearance; `all` at the end."""
    asked = list(answers)
    kinds = {kind: [one for one in asked if one.question.kind == kind] for kind in _kinds(asked)}
    return {kind: _figures(own) for kind, own in {**kinds, "all": asked}.items()}


def path_of(item: Evidence) -> str:
    """The path of a file below its source root."""
    return _same_form("/".join([*item.folder_path.split("/")[1:], item.file_name]))


def _figures(asked: Sequence[FlowAnswer]) -> dict[str, float]:
    measures: Mapping[str, Callable[[FlowAnswer], bool]] = {
        "first": lambda one: one.first,
        "listed": lambda one: one.listed,
        "asked": lambda one: one.asked,
        **{f"reached_{n}": lambda one, n=n: one.reached(n) for n in range(1, ANSWERS + 1)},  # type: ignore[misc]
        "refused": lambda one: one.refused,
        "wrongly_refused": lambda one: one.wrongly_refused,
        "closest": lambda one: one.closest,
    }
    shares = {name: math.fsum(map(holds, asked)) / len(asked) for name, holds in measures.items()}
    return {"questions": len(asked), **shares}


def _kinds(asked: Iterable[FlowAnswer]) -> dict[str, None]:
    return dict.fromkeys(one.question.kind for one in asked)


def _chosen(choices: Sequence[Choice], question: FlowQuestion, holds: Holds) -> str:
    """The label of the first choice that holds what the person has in mind; nothing, where none does."""
    fitting = (choice.label for choice in choices if any(holds(choice, path) for path in question.paths))
    return next(fitting, "")


def _same_form(path: str) -> str:
    return unicodedata.normalize("NFC", path)
