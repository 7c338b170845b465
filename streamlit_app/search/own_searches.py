"""The searches people come back to: those they asked last, those they saved, with a notice of new hits, and what many
ask."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from locator_search.core.clock import deadline
from locator_search.core.errors import LocatorError
from locator_search.core.reader import Reader, reader_now, reading_as
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.own_searches import MOST_SAVED, OwnSearches, filters_of, recent
from locator_search.drive_search.page_filters import chosen_filters
from locator_search.drive_search.replay import Replay, ReplayTexts
from locator_search.locales.times import moment
from locator_search.model import SearchOutcome
from locator_search.ports.own_searches import Look, OwnSearch
from locator_search.ports.versions import KeptState
from streamlit_app.shared import access, components, escaping, markup, session
from streamlit_app.shared.templates import line_html
from streamlit_app.shared.texts import Texts

logger = logging.getLogger(__name__)

RECENT = 6
POPULAR = 4
RELATED = 3
LONGEST_LABEL = 60
NEWS_SECONDS = 3.0
"""For all saved searches together; of what is not known by then nothing is said."""


def _own() -> OwnSearches:
    return session.locator().own_searches


def asked() -> None:
    """The present question is a new search; it is remembered once the page is drawn."""
    st.session_state["to_remember"] = session.question(), session.filters()


def remember() -> None:
    """Remember what was asked."""
    if new := st.session_state.pop("to_remember", None):
        _own().ask(access.owner(), *new)


def welcome(texts: Texts) -> None:
    """Saved searches with their new hits, then recent ones; a click asks one again."""
    searches = _own().of(access.owner())
    saved, last = [one for one in searches if one.saved], recent(searches, RECENT)
    notices = []
    if saved:
        components.heading(texts.saved_searches, "saved")
    for one in saved:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"saved-{one.search_id}"):
            _ask_button(texts, one, ":material/star:")
            notices.append(st.empty())
            _why_button(texts, one)
            st.button(
                texts.forget_saved,
                icon=":material/close:",
                type="tertiary",
                key=f"forget-{one.search_id}",
                on_click=_forget,
                args=(one.search_id,),
            )
    if last:
        components.heading(texts.recent_searches, "recent")
        with st.container(horizontal=True, gap="small", key="asks-recent"):
            for one in last:
                _ask_button(texts, one, ":material/history:")
            st.button(texts.forget_recent, type="tertiary", key="forget-recent", on_click=_forget_recent)
    besides = [one.question for one in (*saved, *last)]
    popular = session.locator().asked_questions.popular(access.owner(), POPULAR, besides)
    _asked_by_others(texts.popular_questions, popular)
    with deadline(NEWS_SECONDS):
        for one, notice in zip(saved, notices, strict=True):
            if count := _news(one, reader_now()):
                notice.html(markup.chips([texts.new_hits.format(count)]))


def beside(texts: Texts, search_page: StreamlitPage) -> None:
    """On the other pages: the same searches, in the sidebar; a click asks one again on the search page."""
    searches = _own().of(access.owner())
    saved, last = [one for one in searches if one.saved], recent(searches, RECENT)
    for title, icon, some in ((texts.saved_searches, "star", saved), (texts.recent_searches, "history", last)):
        if some:
            st.subheader(title, anchor=False)
        for one in some:
            key = f"beside-{one.search_id}"
            if st.button(_words(texts, one), icon=f":material/{icon}:", type="tertiary", key=key):
                _ask(one)
                st.switch_page(search_page)


def related(texts: Texts, outcome: SearchOutcome) -> None:
    """Questions that people asked about the same, once the search has ended; a click asks one."""
    if outcome.outcome == "needs_answer":
        return
    shown = [item.file_id for item in outcome.evidence]
    asked_questions = session.locator().asked_questions
    found = asked_questions.related(access.owner(), session.question(), shown, RELATED)
    _asked_by_others(texts.related_questions, found)


def save_button(texts: Texts) -> None:
    """Saves the search that is shown, or forgets that it was saved."""
    found = _own().find(access.owner(), session.question(), session.filters())
    label, icon = (texts.search_is_saved, "bookmark_added") if found else (texts.save_search, "bookmark_add")
    change, values = (_forget, (found.search_id,)) if found else (_save, ())
    st.button(label, icon=f":material/{icon}:", type="tertiary", key="save-search", on_click=change, args=values)


def why_changed(texts: Texts) -> None:
    """Of a saved search that is shown, the way to what is different from an earlier look at it."""
    if found := _own().find(access.owner(), session.question(), session.filters()):
        _why_button(texts, found)


def _why_button(texts: Texts, search: OwnSearch) -> None:
    """Opens what is different from an earlier look at a saved search."""
    say = ReplayTexts.of(texts.language)
    if not st.button(say.title, icon=":material/compare_arrows:", type="tertiary", key=f"why-{search.search_id}"):
        return

    @st.dialog(escaping.label(f"{say.title}: {search.question}"), width="large")
    def drawer() -> None:
        with reading_as(access.reader()):
            replay = _replay(texts, search)
        if replay is None:
            st.html(line_html(say.not_kept))
            return
        for line in replay.told(say, moment(replay.then.looked_at, session.zone(), texts.language)):
            st.html(line_html(line))
        if replay.changes:
            st.html(markup.table_html(say.columns, [change.row(say) for change in replay.changes]))

    drawer()


def _replay(texts: Texts, search: OwnSearch) -> Replay | None:
    """The difference from an earlier look, or from a state of the index that is kept, as chosen; None without any."""
    say, owner = ReplayTexts.of(texts.language), access.owner()
    last = _own().replay(owner, search)
    looks, locator = _own().looks(owner, search), session.locator()
    states = [] if locator.settings.locator_permissions else locator.kept_states.all()
    earlier: list[Look | KeptState] = [*looks, *states]
    if not earlier:
        return None

    def told(at: int) -> str:
        one = earlier[at]
        if isinstance(one, KeptState):
            return say.state.format(name=one.name, when=moment(one.kept_at, session.zone(), texts.language))
        return moment(one.looked_at, session.zone(), texts.language)

    first = looks.index(last.then) if last else 0
    at = st.selectbox(say.compare_with, range(len(earlier)), index=first, format_func=told)
    if isinstance(chosen := earlier[at], KeptState):
        return _own().replay_from(search, locator.searched_again(search, chosen), chosen.name)
    return last if at == first else _own().replay(owner, search, chosen.looked_at)


def _ask_button(texts: Texts, search: OwnSearch, icon: str) -> None:
    label, key = _words(texts, search), f"own-{search.search_id}"
    st.button(label, icon=icon, key=key, on_click=_ask, args=(search,))


def _words(texts: Texts, search: OwnSearch) -> str:
    return _label(" · ".join([search.question, *(words for words, _ in chosen_filters(texts, filters_of(search)))]))


def _asked_by_others(title: str, questions: Sequence[str]) -> None:
    if not questions:
        return
    components.heading(title, "asked-by-others")
    with st.container(horizontal=True, gap="small", key="asked-by-others"):
        for number, question in enumerate(questions):
            key = f"asked-by-others-{number}"
            st.button(_label(question), icon=":material/groups:", key=key, on_click=session.ask, args=(question,))


def _label(words: str) -> str:
    return escaping.label(words if len(words) <= LONGEST_LABEL else f"{words[:LONGEST_LABEL]}…")


def _ask(search: OwnSearch) -> None:
    session.ask(search.question)
    session.set_filters(filters_of(search))


def _save() -> None:
    with reading_as(access.reader()):
        if not _own().save(access.owner(), session.question(), session.filters()):
            say = Sentences.of(session.texts().language)
            st.toast(say.too_many_saved.format(count=MOST_SAVED), icon=":material/warning:")


def _forget(search_id: str) -> None:
    _own().forget(access.owner(), [search_id])


def _forget_recent() -> None:
    _own().forget_recent(access.owner())


@st.cache_data(ttl=60, show_spinner=False, hash_funcs={Reader: hash, OwnSearch: hash})
def _news(search: OwnSearch, reader: Reader | None) -> int | None:  # noqa: ARG001 - kept for each reader apart
    try:
        return _own().new_hits(search)
    except LocatorError as error:
        logger.warning("New hits of a saved search are not known: %s", error.message)
        return None
