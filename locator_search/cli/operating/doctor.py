"""`document-locator doctor`: what stands behind each part of the product, each part tried now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.ports import PartStatus

STATE_STYLES = {
    "real": "green",
    "embedded": "green",
    "offline": "yellow",
    "missing": "red",
    "failing": "bold red",
    "for_administrators": "dim",
}


@reports_errors
def doctor(
    live: Annotated[
        bool, typer.Option("--live", help="Start the servers of live search and ask each one thing, too.")
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Show what stands behind each part, what is missing, and what to do about it.

    Example: document-locator doctor
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.health.checks import examine

    with open_locator() as locator:
        parts = examine(locator, locator.settings.locator_language, ask_services=live)
    if json_output:
        emit_json({"parts": {part.name: _part_as_json(part) for part in parts}})
    else:
        _show(parts, OperatingTexts.of(locator.settings.locator_language))


def _part_as_json(part: PartStatus) -> dict[str, object]:
    return {"state": part.state, "detail": part.detail, "hint": part.hint, **part.extra}


def _show(parts: Sequence[PartStatus], texts: OperatingTexts) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(texts.part, texts.part_state, texts.detail, box=None, pad_edge=False)
    for part in parts:
        detail = Text(part.detail, overflow="fold")
        if part.hint:
            detail.append(f"\n{part.hint}", style="dim")
        state = Text(texts.part_states[part.state], style=STATE_STYLES[part.state])
        table.add_row(texts.parts.get(part.name) or part.label or part.name, state, detail)
    console.print(table)
