"""`document-locator roots`: the source roots that share this index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, for_operators, reports_errors
from locator_search.core.errors import ConfigurationError
from locator_search.core.reader import named_reader

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.health.root_texts import RootNotice
    from locator_search.model import RootState, SourceRoot

app = typer.Typer(help="The source roots that share this index: list, remove.", no_args_is_help=True)


@app.command("list")
@reports_errors
def list_roots(json_output: JsonFlag = False) -> None:
    """Show every source root that files of the index belong to, who crawls it, and what is wrong with it.

    With permissions on, people who are no administrators see the names of those in which they may read a file.

    Example: document-locator roots list
    """
    from locator_search.app.locator import open_locator
    from locator_search.health.root_texts import notice

    with open_locator() as locator:
        if locator.settings.locator_permissions and not named_reader().administers:
            _show_names([_name_of(root) for root in locator.registry.readable_roots()], json_output=json_output)
            return
        states, own, language = locator.registry.roots(), locator.root_ids, locator.settings.locator_language
        warnings = [notice(warning, language) for warning in locator.root_warnings()]
    if json_output:
        emit_json({"roots": [root_as_json(state, own) for state in states], "warnings": warnings})
        return
    _show(states, own, locator)
    show_warnings(warnings)


@app.command()
@for_operators
def remove(
    root: Annotated[str, typer.Argument(metavar="ROOT", help="Its name, as `roots list` shows it.")],
    json_output: JsonFlag = False,
) -> None:
    """Take all files of a root out of the index that this home does not crawl. The files themselves stay as they are.

    Example: document-locator roots remove /srv/old-documents
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.operating.texts import OperatingTexts

    with open_locator() as locator:
        found = _named([state.root for state in locator.registry.roots()], root)
        if found.root_id in locator.root_ids:
            raise ConfigurationError(
                f"{found.name} is crawled here, so the next crawl would bring its files back.",
                hint="Take it out of LOCATOR_FOLDERS or GOOGLE_DRIVE_TARGET_FOLDER_IDS first.",
            )
        removed = locator.remove_root(found.root_id)
    if json_output:
        emit_json({"root": found.handle, "removed": removed})
    else:
        texts = OperatingTexts.of(locator.settings.locator_language)
        console.print(texts.root_removed.format(root=found.name, count=removed), soft_wrap=True, markup=False)


def own_root(locator: Locator, name: str) -> SourceRoot:
    """The root of this home that a person means. Raises ConfigurationError."""
    return _named([state.root for state in _own_states(locator)], name)


def root_as_json(state: RootState, own: Collection[str]) -> dict[str, object]:
    """A root for JSON output. `here`: whether this home crawls it."""
    return {
        "root": state.root.handle,
        "name": state.root.name,
        "source": state.root.source,
        "here": state.root.root_id in own,
        "files": state.files,
        "missing": state.missing,
        "listed": state.listed,
        "listed_at": state.listed_at,
        "problem": state.problem,
        "unlisted": list(state.unlisted),
        "rules": state.rules,
    }


def show_warnings(warnings: Sequence[RootNotice]) -> None:
    """Each warning as a sentence, with its command on a line of its own."""
    from locator_search.cli.shared.lines import show_line

    for warning in warnings:
        show_line((warning.message, "yellow"))
        if warning.command:
            show_line(f"    {warning.command}")


def _show_names(names: Sequence[str], *, json_output: bool) -> None:
    from locator_search.cli.shared.lines import show_line

    if json_output:
        emit_json({"roots": [{"name": name} for name in names], "warnings": []})
        return
    for name in names:
        show_line(name)


def _name_of(root: SourceRoot) -> str:
    """The name without the folders of the machine above it."""
    return root.name.rstrip("/").rpartition("/")[2] or root.name


def _own_states(locator: Locator) -> list[RootState]:
    return [state for state in locator.registry.roots() if state.root.root_id in locator.root_ids]


def _named(roots: Sequence[SourceRoot], name: str) -> SourceRoot:
    for found in ([one for one in roots if name in (one.root_id, one.handle)], [r for r in roots if r.name == name]):
        if len(found) == 1:
            return found[0]
    known = ", ".join(root.handle for root in roots) or "none"
    raise ConfigurationError(f"There is no root of the name {name} here.", hint=f"The roots are: {known}.")


def _show(states: Sequence[RootState], own: Collection[str], locator: Locator) -> None:
    from zoneinfo import ZoneInfo

    from rich.table import Table
    from rich.text import Text

    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.text.visible import printable

    texts, zone = OperatingTexts.of(locator.settings.locator_language), ZoneInfo(locator.settings.locator_time_zone)
    table = Table(texts.root, texts.root_files, texts.root_listed, texts.root_crawled, box=None, pad_edge=False)
    for state in states:
        listed = f"{state.listed_at.astimezone(zone):%Y-%m-%d %H:%M %Z}" if state.listed_at else "-"
        crawled = texts.root_here if state.root.root_id in own else texts.root_elsewhere
        name = Text(printable(state.root.handle), overflow="fold")
        table.add_row(name, f"{state.files:,}", listed, crawled)
    console.print(table)
