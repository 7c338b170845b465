"""`document-locator similar`: documents that are like one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.drive_search.messages import Sentences
    from locator_search.ports import DocumentReader

MOST_NAMED = 20
"""Files of one name that are told apart by their ids."""


@reports_errors
def similar(
    file: Annotated[str, typer.Argument(help="Its file_id as `search --json` prints it, or its whole name.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most documents to return.")] = 10,
    json_output: JsonFlag = False,
) -> None:
    """Show the documents that are most like one file, without its own versions and copies.

    Example: document-locator similar "売上報告 2026年10月.pdf"
    """
    from zoneinfo import ZoneInfo

    from locator_search.app.locator import open_locator
    from locator_search.cli.search.as_json import evidence_as_json
    from locator_search.cli.search.results import show_evidence
    from locator_search.cli.shared.lines import show_line
    from locator_search.cli.shared.texts import Texts
    from locator_search.config.settings import load_settings
    from locator_search.core.clock import deadline
    from locator_search.drive_search.messages import Sentences

    settings = load_settings()
    say = Sentences.of(settings.locator_language)
    with open_locator(settings) as locator, deadline(settings.locator_search_seconds):
        file_id = _file_id(file, locator.documents, say)
        found = locator.similar_files.similar_to(file_id, limit, settings.locator_language)
        if locator.audit is not None:
            locator.audit.asked("", "command", file_id)
    if json_output:
        emit_json({"file_id": file_id, "evidence": [evidence_as_json(item) for item in found]})
        return
    count = len(found)
    told = say.similar_to.format(count, name=file) if count else say.similar_to_nothing.format(name=file)
    show_line((told, "bold"))
    show_evidence(found, Texts.of(settings.locator_language), ZoneInfo(settings.locator_time_zone))


def _file_id(file: str, documents: DocumentReader, say: Sentences) -> str:
    """The id that is meant. Raises ConfigurationError where several files have the name."""
    from locator_search.core.errors import ConfigurationError

    named = documents.named(file, MOST_NAMED)
    if len(named) > 1:
        raise ConfigurationError(say.similar_to_several.format(file=file), hint=say.comma.join(named))
    return named[0] if named else file
