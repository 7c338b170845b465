"""How the terminal shows evidence, a narrowing question and the decision path.

File names, summaries, snippets and model text are untrusted: they are printed as `Text`, never as markup, and without
control characters. Every item stays on one line however narrow the terminal is, so links can be copied.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from rich.text import Text

from locator_search.cli.output import console
from locator_search.cli.texts import Texts

if TYPE_CHECKING:
    from locator_search.metering import Usage
    from locator_search.model import Choice, Evidence, Round

INDENT = " " * 4
DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """The text with each control character and direction mark replaced by a space; its length stays the same."""
    return "".join(
        " " if unicodedata.category(letter) == "Cc" or letter in DIRECTION_MARKS else letter for letter in text
    )


def show_line(*parts: str | tuple[str, str] | Text) -> None:
    """Print one line; parts are texts, or (text, style)."""
    line = Text()
    for part in parts:
        if isinstance(part, Text):
            line.append_text(part)
        elif isinstance(part, tuple):
            line.append(printable(part[0]), style=part[1])
        else:
            line.append(printable(part))
    console.print(line, soft_wrap=True)


def show_evidence(evidence: Sequence[Evidence], say: Texts, zone: tzinfo) -> None:
    """The results, numbered from 1."""
    for number, item in enumerate(evidence, start=1):
        show_line((f"[{number}] ", "bold cyan"), (item.file_name, "bold"))
        show_line(INDENT, say.summary, item.summary)
        show_line(INDENT, say.link, (item.link, "blue"))
        show_line(INDENT, (_details(item, say, zone), "dim"))
        if item.snippet:
            show_line(INDENT, say.excerpt, _highlighted(item))


def show_question(question: str, choices: Sequence[Choice]) -> None:
    """The narrowing question and its numbered choices with the resulting counts."""
    show_line((question, "bold"))
    for number, choice in enumerate(choices, start=1):
        show_line(INDENT, (f"{number}. ", "cyan"), f"{choice.label} ({choice.count})")


def show_trace(rounds: Sequence[Round], say: Texts) -> None:
    """The decision path: one round per line, with its query and what was changed for it."""
    show_line((say.trace, "bold"))
    for done in rounds:
        top = say.none_at_all if done.top_similarity is None else f"{done.top_similarity:.3f}"
        show_line(
            "  ",
            say.trace_round.format(
                round=done.round, branch=done.branch, hit_count=done.hit_count, top=top, threshold=done.threshold
            ),
        )
        show_line(INDENT, say.trace_query, done.query)
        if done.keywords:
            show_line(INDENT, say.trace_keywords, ", ".join(done.keywords))
        if done.note:
            show_line(INDENT, (done.note, "dim"))


def show_stand_ins(models: Mapping[str, str], say: Texts) -> None:
    """A visible line when an offline stand-in answered instead of a real model."""
    if any(name.startswith("offline-") for name in models.values()):
        show_line((say.stand_ins.format(**models), "yellow"))


def show_usage(usage: Usage, say: Texts) -> None:
    """What models took for it, where any was asked."""
    if usage.calls:
        show_line((say.usage.format(calls=usage.calls, tokens=usage.tokens, cost=usage.cost_usd), "dim"))


def _details(item: Evidence, say: Texts, zone: tzinfo) -> str:
    details = [say.similarity.format(similarity=item.similarity)]
    if item.cosine is not None:
        details.append(say.cosine.format(cosine=item.cosine))
    details.append(say.modified.format(day=item.modified_at.astimezone(zone).strftime("%Y-%m-%d")))
    if item.page_number is not None:
        details.append(say.page.format(page=item.page_number))
    if item.clause_number is not None:
        details.append(say.clause.format(clause=item.clause_number))
    if item.freshness == "changed":
        details.append(say.changed)
    elif item.verified is None:
        details.append(say.not_verified)
    return "  ".join(details)


def _highlighted(item: Evidence) -> Text:
    snippet = Text(printable(item.snippet))
    for start, end in item.highlights:
        snippet.stylize("bold yellow", start, end)
    return snippet
