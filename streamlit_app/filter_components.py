"""The filters beside the question, and the chips that show which of them are active."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from locator_search.drive_search.file_types import type_name
from streamlit_app import markup, session
from streamlit_app.filters import CUSTOM, EARLIEST, LATEST, PageFilters
from streamlit_app.texts import LANGUAGE_NAMES, Texts


def language_switch(texts: Texts) -> None:
    """日本語 or English."""
    st.segmented_control(
        texts.language_switch,
        list(LANGUAGE_NAMES),
        format_func=lambda code: LANGUAGE_NAMES[code],
        key="language",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )


def filter_panel(texts: Texts) -> None:
    """Period, type and folder, the latter two with the number of indexed files."""
    st.subheader(texts.filters, anchor=False)
    st.selectbox(
        texts.period,
        list(texts.periods),
        format_func=lambda period: texts.periods[period],
        key="period",
        persist_state="session",
    )
    if st.session_state["period"] == CUSTOM:
        for name, title in (("after", texts.after), ("before", texts.before)):
            st.date_input(title, key=name, min_value=EARLIEST, max_value=LATEST, persist_state="session")
    _choose(texts.types, "types", session.counts("type"), type_name, texts)
    _choose(texts.folders, "folders", session.counts("folder"), str, texts)


def _choose(title: str, key: str, counts: Mapping[str, int], name: Callable[[str], str], texts: Texts) -> None:
    # What an address names stays choosable when no indexed file has it any more.
    options = [*counts, *(value for value in st.session_state[key] if value not in counts)]
    st.multiselect(
        title,
        options,
        format_func=lambda value: f"{markup.visible(name(value))} ({counts.get(value, 0)})",
        key=key,
        placeholder=texts.anything,
        select_all=False,
        persist_state="session",
    )


def active_filters(texts: Texts, chosen: PageFilters) -> None:
    """What limits the search now; a click removes it."""
    if chosen == PageFilters():
        return
    with st.container(horizontal=True, gap="xsmall", key="active-filters"):
        if chosen.period:
            _chip(f"{texts.period}: {_period_words(texts, chosen)}", replace(chosen, period=""), texts)
        for mime_type in chosen.mime_types:
            left = tuple(other for other in chosen.mime_types if other != mime_type)
            _chip(type_name(mime_type), replace(chosen, mime_types=left), texts)
        for folder in chosen.folders:
            left = tuple(other for other in chosen.folders if other != folder)
            _chip(folder, replace(chosen, folders=left), texts)
        st.button(texts.clear_filters, type="tertiary", on_click=session.set_filters, args=(PageFilters(),))


def _chip(words: str, without: PageFilters, texts: Texts) -> None:
    st.button(
        markup.label(words),
        icon=":material/close:",
        help=texts.remove,
        key=f"chip-{without}",
        on_click=session.set_filters,
        args=(without,),
    )


def _period_words(texts: Texts, chosen: PageFilters) -> str:
    if chosen.period != CUSTOM:
        return texts.periods[chosen.period]
    return f"{chosen.after or ''} – {chosen.before or ''}"
