"""`document-locator evidence`: retrieval alone, without any call of a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locator_search.cli.search.filters import (
    AfterOption,
    BeforeOption,
    DriveOption,
    EditorOption,
    FolderOption,
    MatchingOffOption,
    MimeOption,
    OwnerOption,
    also_in,
    filters_from,
)
from locator_search.cli.shared.output import ExplainFlag, JsonFlag, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.core.model_results import ModelResult
    from locator_search.model import Evidence, SearchFilters


@reports_errors
def evidence(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    mode: Annotated[
        Literal["hybrid", "vector", "keyword"], typer.Option(help="What searches: words, vectors or both.")
    ] = "hybrid",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="Most files to return.")] = 10,
    after: AfterOption = None,
    before: BeforeOption = None,
    mime: MimeOption = None,
    folder: FolderOption = None,
    owner: OwnerOption = None,
    editor: EditorOption = None,
    drive: DriveOption = None,
    matching_off: MatchingOffOption = None,
    explain: ExplainFlag = False,
    json_output: JsonFlag = False,
) -> None:
    """Show the best evidence for a query: no keywords, no questions, no reranking.

    Example: document-locator evidence "週次レポート" --mode keyword --top-k 5
    """
    from zoneinfo import ZoneInfo

    from locator_search.app.locator import open_locator
    from locator_search.cli.search.as_json import evidence_as_json
    from locator_search.cli.shared.texts import Texts
    from locator_search.config.settings import load_settings
    from locator_search.config.synonyms import matching_of
    from locator_search.core.clock import deadline
    from locator_search.drive_search.questions import checked_question
    from locator_search.locales.model_failures import without_embedding_model
    from locator_search.retrieval.confirmed import confirmed, missing_of
    from locator_search.retrieval.evidence import IndexEvidenceProvider

    settings = load_settings()
    with open_locator(settings) as locator:
        matching = matching_of(settings, matching_off or ())
        limits = filters_from(after, before, mime, settings, locator.clock.now())
        with deadline(settings.locator_search_seconds):
            provider = IndexEvidenceProvider(locator.index, locator.embedder, mode, lambda: matching)
            question = checked_question(query, settings.locator_language)

            def look(filters: SearchFilters) -> tuple[ModelResult[list[Evidence]], list[Evidence]]:
                looked = provider.look(question, filters, top_k)
                trimmed = settings.locator_permissions
                return looked, locator.access_checker.check(looked.value) if trimmed else looked.value

            filters = also_in(limits, folder, owner, editor, drive)
            looked, found = confirmed(filters, look, lambda found: missing_of(found[0].value, found[1]))
        failure = looked.failure
        if locator.audit is not None:
            locator.audit.asked(query, "command")
        notes = [without_embedding_model(failure, settings.locator_language)] if failure else []
        if json_output:
            evidence = [evidence_as_json(item) for item in found]
            emit_json({"evidence": evidence, "notes": notes, "models": {"embedding": looked.model}})
            return

    from locator_search.cli.search.results import show_evidence
    from locator_search.cli.shared.lines import show_line

    say = Texts.of(settings.locator_language)
    if not found:
        show_line(say.nothing_found)
    show_evidence(found, say, ZoneInfo(settings.locator_time_zone), explain=explain)
    for note in notes:
        show_line((note, "yellow"))
