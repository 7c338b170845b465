"""`document-locator searches`: the searches a person comes back to, and what others ask often."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, reports_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locator_search.app.locator import Locator
    from locator_search.config.settings import Settings
    from locator_search.drive_search.own_searches import OwnSearches
    from locator_search.drive_search.replay import Reason, Replay, ReplayTexts
    from locator_search.locales import Language
    from locator_search.ports.own_searches import Look, OwnSearch

MOST_RECENT = 10
MOST_POPULAR = 5


@reports_errors
def searches(
    save: Annotated[str | None, typer.Option(metavar="QUESTION", help="Save a question.")] = None,
    forget: Annotated[str | None, typer.Option(metavar="QUESTION", help="Forget a question, saved or recent.")] = None,
    forget_recent: Annotated[bool, typer.Option("--forget-recent", help="Forget all that are not saved.")] = False,
    why: Annotated[
        str | None, typer.Option(metavar="QUESTION", help="Say why the result of a saved question changed.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="With --why: compare with the result last seen until then.")
    ] = None,
    kept: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --why: search again in a state of the index that `db keep` kept."),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show saved searches with the number of new hits, and the last questions of the search page, and what people
    ask often; or why the result of a saved search changed since it was looked at.

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
        if why is not None:
            _show_why(locator, owner, why, until, kept, json_output=json_output)
            return
        if forget_recent:
            own.forget_recent(owner)
        asked = own.of(owner)
        saved = [_saved(one, own, settings.locator_language) for one in asked if one.saved]
        last = [_described(one, settings.locator_language) for one in recent(asked, MOST_RECENT)]
        shown = [str(one["question"]) for one in (*saved, *last)]
        popular = locator.asked_questions.popular(owner, MOST_POPULAR, shown)
    if json_output:
        emit_json({"saved": saved, "recent": last, "popular": popular})
        return
    from locator_search.cli.shared.lines import show_line

    for one in saved:
        count = one["new_hits"]
        told = say.new_hits.format(count) if isinstance(count, int) else say.new_hits_unknown
        show_line((f"{one['question']}  ", "bold"), (f"{limits}  " if (limits := _limits(one)) else "", "dim"), told)
    for one in last:
        show_line(str(one["question"]), (f"  {_limits(one)}", "dim"))
    for question in popular:
        show_line((f"{say.popular_questions}: ", "dim"), question)


def _show_why(
    locator: Locator, owner: str, question: str, until: str | None, kept: str | None, *, json_output: bool
) -> None:
    """The difference from an earlier look at a saved search, or from a state of the index that is kept. Raises
    ConfigurationError."""
    from zoneinfo import ZoneInfo

    from locator_search.cli.search.filters import filters_from
    from locator_search.cli.shared.lines import INDENT, show_line
    from locator_search.core.errors import ConfigurationError
    from locator_search.drive_search.replay import ReplayTexts

    settings, own = locator.settings, locator.own_searches
    say, zone = ReplayTexts.of(settings.locator_language), ZoneInfo(settings.locator_time_zone)
    asked = " ".join(question.split())
    search = next((one for one in own.of(owner) if one.saved and one.question == asked), None)
    if search is None:
        raise ConfigurationError(say.not_saved.format(question=asked), hint=say.not_saved_hint)
    replay: Replay | None
    if kept is None:
        latest = filters_from(None, until, None, settings, locator.clock.now()).modified_before
        replay = own.replay(owner, search, latest)
    else:
        state = locator.kept_states.find(kept)
        replay = own.replay_from(search, locator.searched_again(search, state), state.name)
    if json_output:
        looks = [look.looked_at for look in own.looks(owner, search)]
        emit_json({"question": asked, "filters": search.filters, "looks": looks, **_as_json(replay, say)})
    elif replay is None:
        show_line(say.not_kept)
    else:
        for line in replay.told(say, f"{replay.then.looked_at.astimezone(zone):%Y-%m-%d %H:%M}"):
            show_line(line)
        for change in replay.changes:
            name, before, now, why = change.row(say)
            show_line((name, "bold"), f"  {before} → {now}  ", (say.kinds[change.kind], "cyan"))
            show_line(INDENT, (why, "dim"))


def _as_json(replay: Replay | None, say: ReplayTexts) -> dict[str, object]:
    if replay is None:
        return {"then": None, "now": None, "search_changes": [], "changes": [], "note": say.not_kept}

    def look(one: Look) -> dict[str, object]:
        return {"looked_at": one.looked_at, "hit_count": one.hit_count, "index_files": one.files}

    def reasons(those: Sequence[Reason]) -> list[dict[str, object]]:
        return [{**asdict(one), "sentence": one.sentence(say)} for one in those]

    changes = [{**asdict(one), "reasons": reasons(one.reasons)} for one in replay.changes]
    return {
        "then": look(replay.then),
        "now": look(replay.now),
        "search_changes": reasons(replay.reasons),
        "changes": changes,
        "note": replay.told(say, replay.then.looked_at.isoformat())[0],
    }


def owner_of(settings: Settings) -> str:
    """Where permissions are on, the person whom the settings name for the user of this machine; else nobody, as on a
    page without sign-in. Raises AccessDenied."""
    from locator_search.core.reader import named_reader

    return named_reader().principals[0] if settings.locator_permissions else ""


def _ids(searches: list[OwnSearch], question: str) -> list[str]:
    return [one.search_id for one in searches if one.question == " ".join(question.split())]


def _described(search: OwnSearch, language: Language) -> dict[str, object]:
    from locator_search.drive_search.own_searches import filters_of
    from locator_search.drive_search.page_filters import FilterTexts, chosen_filters

    words = [words for words, _ in chosen_filters(FilterTexts.of(language), filters_of(search))]
    asked_at = search.asked_at.isoformat()
    return {"question": search.question, "filters": search.filters, "filter_words": words, "asked_at": asked_at}


def _saved(search: OwnSearch, own: OwnSearches, language: Language) -> dict[str, object]:
    return {**_described(search, language), "new_hits": own.new_hits(search)}


def _limits(described: dict[str, object]) -> str:
    words = described["filter_words"]
    return " · ".join(map(str, words)) if isinstance(words, list) else ""
