"""How the terminal shows a live search: its progress, its queries, the answer, and the evidence links under it.

Titles, snippets, addresses and model text are untrusted: printed as they are, never as markup, and no address in them
becomes a link.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from typing import TYPE_CHECKING

from locator_search.cli.live.texts import LiveTexts
from locator_search.cli.shared.lines import INDENT, show_line
from locator_search.cli.shared.output import console, error_console
from locator_search.core.model_results import is_stand_in
from locator_search.live_search.outcome import INDEX
from locator_search.text.visible import printable

if TYPE_CHECKING:
    from locator_search.live_search.outcome import LiveEvidence, LiveOutcome
    from locator_search.live_search.progress import OnStep, ProgressStep

STYLES = {"done": "green", "failed": "yellow", "working": "dim"}


@contextmanager
def live_progress() -> Iterator[OnStep]:
    """Tells each step on stderr. On a terminal, what is under way stands together in one line that goes in the end."""
    waiting: dict[str, str] = {}
    with error_console.status("") as status:

        def tell(step: ProgressStep) -> None:
            waiting.pop("", None)
            waiting.pop(step.row, None)
            if step.state == "working":
                waiting[step.row] = printable(step.line)
            if step.state != "working" or not error_console.is_terminal:
                error_console.print(printable(step.line), style=STYLES[step.state])
            status.update("  ".join(waiting.values()))

        yield tell


def show_outcome(outcome: LiveOutcome, say: LiveTexts, zone: tzinfo, *, may_choose: bool) -> None:
    """Queries, answer, evidence links, what is missing, what else to try, and who answered."""
    _show_queries(outcome, say)
    _show_answer(outcome.answer)
    show_line((say.evidence_links, "bold"))
    if not outcome.evidence:
        show_line(INDENT, (say.no_evidence, "dim"))
    for one in outcome.evidence:
        _show_evidence(one, say, zone)
    if outcome.warnings:
        show_line((say.warnings, "bold yellow"))
        for warning in outcome.warnings:
            show_line(INDENT, (warning.message, "yellow"))
    _show_alternatives(outcome, say, may_choose=may_choose)
    _show_who_answered(outcome, say)


def show_following(outcome: LiveOutcome, say: LiveTexts) -> None:
    """The answer to a question that followed another; its evidence is that of the other, by the same numbers."""
    show_line((outcome.question, "bold"))
    _show_answer(outcome.answer)
    for warning in outcome.warnings:
        show_line(INDENT, (warning.message, "yellow"))
    _show_who_answered(outcome, say)


def _show_queries(outcome: LiveOutcome, say: LiveTexts) -> None:
    if outcome.queries:
        show_line((say.search_queries, "bold"))
    for one in outcome.queries:
        found = say.failed if one.found is None else say.found.format(count=one.found)
        show_line(INDENT, (f"{one.label} / {one.kind}: ", "cyan"), one.query, (f"  ({found})", "dim"))


def _show_answer(answer: str) -> None:
    from rich.markdown import Markdown

    console.print()
    console.print(Markdown(answer, hyperlinks=False))
    console.print()


def _show_evidence(one: LiveEvidence, say: LiveTexts, zone: tzinfo) -> None:
    show_line((f"[{one.number}] ", "bold cyan"), (f"{one.label}  ", "cyan"), (one.title, "bold"))
    show_line(INDENT, (one.uri or one.name, "blue" if one.uri else "dim"))
    details = f"{say.made_up}  " * one.mock + say.evidence_read[one.read]
    if one.indexed:
        day = one.indexed.modified_at.astimezone(zone).strftime("%Y-%m-%d")
        form = say.only_indexed if one.service == INDEX else say.indexed
        details += "  " + form.format(day=day, age=say.ages[one.indexed.age])
    show_line(INDENT, (details, "dim"))


def _show_alternatives(outcome: LiveOutcome, say: LiveTexts, *, may_choose: bool) -> None:
    if not outcome.alternatives:
        return
    show_line((say.alternatives, "bold"))
    for number, one in enumerate(outcome.alternatives, start=1):
        show_line(INDENT, (f"{number}. ", "cyan"), (f"{one.label}: ", "dim"), one.query)
    if may_choose:
        show_line(INDENT, (say.how_to_choose, "dim"))


def _show_who_answered(outcome: LiveOutcome, say: LiveTexts) -> None:
    mocks = [one.label for one in outcome.services if one.mock and not one.failed]
    if mocks:
        show_line((say.mocks.format(labels=", ".join(mocks)), "yellow"))
    model = outcome.models.get("chat", "")
    if is_stand_in(model):
        show_line((say.stand_in.format(model=model), "yellow"))
    if outcome.usage.calls:
        usage = outcome.usage
        show_line((say.model_usage.format(calls=usage.calls, tokens=usage.tokens, cost=usage.cost_usd), "dim"))
