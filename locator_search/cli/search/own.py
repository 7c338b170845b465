"""`document-locator searches`: the searches a person comes back to, and what others ask often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.drive_search.own_searches import OwnSearches
    from locator_search.ports.own_searches import OwnSearch

MOST_RECENT = 10
MOST_POPULAR = 5


@reports_errors
def searches(
    save: Annotated[str | None, typer.Option(metavar="QUESTION", help="Save a question.")] = None,
    forget: Annotated[str | None, typer.Option(metavar="QUESTION", help="Forget a question, saved or recent.")] = None,
    forget_recent: Annotated[bool, typer.Option("--forget-recent", help="Forget all that are not saved.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Show saved searches with the number of new hits, and the last questions of the search page, and what people
    ask often.

    Example: document-locator searches --save "見積書"
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.shared.texts import Texts
    from locator_search.config.settings import load_settings
    from locator_search.core.errors import ConfigurationError
    from locator_search.drive_search.messages import Sentences
    from locator_search.drive_search.own_searches import MOST_SAVED, recent
    from locator_search.drive_search.page_filters import PageFilters

    settings = load_settings()
    say, owner = Texts.of(settings.locator_language), owner_of(settings)
    with open_locator(settings) as locator:
        own = locator.own_searches
        if save is not None and not own.save(owner, save, PageFilters()):
            raise ConfigurationError(Sentences.of(settings.locator_language).too_many_saved.format(count=MOST_SAVED))
        if forget is not None and not own.forget(owner, _ids(own.of(owner), forget)):
            raise ConfigurationError(say.no_such_search.format(question=forget))
        if forget_recent:
            own.forget_recent(owner)
        kept = own.of(owner)
        saved = [_saved(one, own) for one in kept if one.saved]
        last = [_described(one) for one in recent(kept, MOST_RECENT)]
        shown = [str(one["question"]) for one in (*saved, *last)]
        popular = locator.asked_questions.popular(owner, MOST_POPULAR, shown)
    if json_output:
        emit_json({"saved": saved, "recent": last, "popular": popular})
        return
    from locator_search.cli.shared.lines import show_line

    for one in saved:
        count = one["new_hits"]
        told = say.new_hits.format(count) if isinstance(count, int) else say.new_hits_unknown
        show_line((f"{one['question']}  ", "bold"), (f"{one['filters']}  " if one["filters"] else "", "dim"), told)
    for one in last:
        show_line(str(one["question"]), (f"  {one['filters']}", "dim"))
    for question in popular:
        show_line((f"{say.popular_questions}: ", "dim"), question)


def owner_of(settings: Settings) -> str:
    """Where permissions are on, the person whom the settings name for the user of this machine; else nobody, as on a
    page without sign-in. Raises AccessDenied."""
    from locator_search.core.reader import named_reader

    return named_reader().principals[0] if settings.locator_permissions else ""


def _ids(searches: list[OwnSearch], question: str) -> list[str]:
    return [one.search_id for one in searches if one.question == " ".join(question.split())]


def _described(search: OwnSearch) -> dict[str, object]:
    return {"question": search.question, "filters": search.filters, "asked_at": search.asked_at.isoformat()}


def _saved(search: OwnSearch, own: OwnSearches) -> dict[str, object]:
    return {**_described(search), "new_hits": own.new_hits(search)}
