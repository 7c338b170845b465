"""The filters beside the question, and the chips that show which of them are active."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.page_filters import CUSTOM, EARLIEST, LATEST, PageFilters, chosen_filters
from locator_search.drive_search.questions import Condition
from locator_search.locales import language_name, languages
from locator_search.model import Facet, FacetName, FacetValue
from streamlit_app.shared import escaping, session
from streamlit_app.shared.texts import Texts

FACETS: tuple[FacetName, ...] = ("folder", "type", "period", "owner", "editor", "drive")
MOST_VALUES = 6


def language_switch(texts: Texts) -> None:
    """日本語, English, and whatever other languages there are files of."""
    st.segmented_control(
        texts.language_switch,
        languages(),
        format_func=language_name,
        key="language",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )


def filter_panel(texts: Texts) -> None:
    """Period, type, folder, people and drive, all but the first with the number of indexed documents."""
    st.subheader(texts.filters, anchor=False)
    with session.said_in_its_language("period"):
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
    _choose(texts.types, "types", session.counts("type"), partial(type_name, language=texts.language), texts)
    _choose(texts.folders, "folders", session.counts("folder"), str, texts)
    told: tuple[tuple[FacetName, str, str], ...] = (
        ("owner", "owners", texts.owners),
        ("editor", "editors", texts.editors),
        ("drive", "drives", texts.drives),
    )
    for name, key, title in told:  # files of local folders have none
        if session.counts(name) or st.session_state[key]:
            _choose(title, key, session.counts(name), str, texts)


def _choose(title: str, key: str, counts: Mapping[str, int], name: Callable[[str], str], texts: Texts) -> None:
    # A value in the address stays choosable when no indexed file has it any more.
    options = [*counts, *(value for value in st.session_state[key] if value not in counts)]
    st.multiselect(
        title,
        options,
        format_func=lambda value: f"{escaping.visible(name(value))} ({counts.get(value, 0)})",
        key=key,
        placeholder=texts.anything,
        select_all=False,
        persist_state="session",
    )


def facets(texts: Texts, found: Sequence[Facet], hit_count: int, chosen: PageFilters) -> None:
    """The facets of the hits; a click narrows the search to one value and leaves exactly as many files as shown."""
    by_name = {facet.name: _telling(facet, hit_count) for facet in found}
    split = {name: by_name[name] for name in FACETS if by_name.get(name)}
    if split:
        st.subheader(texts.facets, anchor=False)
    for name, values in split.items():
        _facet(texts, name, values, chosen)


def _telling(facet: Facet, hit_count: int) -> list[FacetValue]:
    """The most frequent values among those that not every hit has; months newest first."""
    values = [value for value in facet.values if value.count < hit_count][:MOST_VALUES]
    return sorted(values, key=lambda value: value.value, reverse=True) if facet.name == "period" else values


def _facet(texts: Texts, name: FacetName, values: Sequence[FacetValue], chosen: PageFilters) -> None:
    titles: dict[FacetName, str] = {
        "folder": texts.folders,
        "type": texts.types,
        "period": texts.months,
        "owner": texts.owners,
        "editor": texts.editors,
        "drive": texts.drives,
    }

    def told(value: FacetValue) -> str:
        words = type_name(value.value, texts.language) if name == "type" else value.label
        return f"{escaping.label(words)} ({value.count})"

    words = {value.value: told(value) for value in values}
    key = f"facet-{name}"

    def clicked() -> None:
        value = st.session_state[key]
        st.session_state[key] = None
        if value is not None:
            session.set_filters(chosen.narrowed_to(name, value))

    st.pills(titles[name], list(words), format_func=lambda value: words[value], key=key, on_change=clicked)


def active_filters(texts: Texts, chosen: PageFilters, conditions: Sequence[Condition]) -> None:
    """The filters of the search, those read from the question first; a click removes one."""
    if chosen == PageFilters() and not conditions:
        return
    with st.container(horizontal=True, gap="xsmall", key="active-filters"):
        for condition in conditions:
            without = replace(chosen, ignored=(*chosen.ignored, condition.kind))
            _chip(texts.from_question.format(label=texts.dates(condition.label)), without, texts)
        for words, left in chosen_filters(texts, chosen):
            _chip(words, left, texts)
        if chosen.ignored:
            restored = replace(chosen, ignored=())
            st.button(texts.restore, type="tertiary", on_click=session.set_filters, args=(restored,))
        if chosen != PageFilters(ignored=chosen.ignored):
            nothing = PageFilters(ignored=chosen.ignored)
            st.button(texts.clear_filters, type="tertiary", on_click=session.set_filters, args=(nothing,))


def _chip(words: str, without: PageFilters, texts: Texts) -> None:
    st.button(
        escaping.label(words),
        icon=":material/close:",
        help=texts.remove,
        key=f"chip-{without}",
        on_click=session.set_filters,
        args=(without,),
    )
