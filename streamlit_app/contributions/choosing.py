"""Choosing contributions and what to ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import streamlit as st

from locator_search.contributions.meeting_view import meeting_rows, meeting_table
from locator_search.contributions.selection import cover_field
from locator_search.ports import DocumentState, KnownContribution, OnProgress
from locator_search.ports.contributions.analyses import AnalysisKind
from locator_search.ports.contributions.questions import SavedQuestion, SavedQuestions
from streamlit_app.contributions import markup as contribution_markup
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import escaping, session
from streamlit_app.shared.markup import table_html
from streamlit_app.shared.templates import line_html

MOST_CHOSEN = 10
LONGEST_NAME = 40
ANYTHING = ""


def no_meetings(texts: ContributionTexts) -> None:
    """Show how to list meetings when there are none."""
    st.info(texts.no_meetings, icon=":material/inventory_2:")
    st.code("document-locator contributions sync\ndocument-locator contributions index", language=None)


def contribution_filters(texts: ContributionTexts, known: Sequence[KnownContribution]) -> list[KnownContribution]:
    """The contributions left after choosing what the meeting's list and the cover pages say of them."""
    fields: tuple[tuple[str, Callable[[KnownContribution], str]], ...] = (
        (texts.agenda_item, lambda one: one.contribution.agenda_item),
        (texts.source, lambda one: one.contribution.source),
        (texts.status, lambda one: one.contribution.status),
        (texts.specification, lambda one: cover_field(one, "specification")),
        (texts.release, lambda one: cover_field(one, "release")),
    )
    with st.expander(texts.filters, icon=":material/filter_list:"):
        for column, (name, value_of) in zip(st.columns(len(fields)), fields, strict=True):
            values = sorted({value_of(one) for one in known} - {""})
            chosen = column.selectbox(name, [ANYTHING, *values], format_func=lambda value: value or texts.anything)
            known = [one for one in known if chosen in (ANYTHING, value_of(one))]
    return list(known)


def meeting_view(
    texts: ContributionTexts, shown: Sequence[KnownContribution], listed: Sequence[KnownContribution]
) -> None:
    """The contributions that passed the filters as a table: agenda item, source, status, revisions, decision."""
    with st.expander(texts.meeting_view, icon=":material/table_rows:"):
        table = meeting_table(meeting_rows(shown, listed), session.texts().language)
        st.html(table_html(table.columns, table.rows))


def contribution_name(known: KnownContribution) -> str:
    """Number, title and source on one line. The same in every state and language: a browser keeps a choice by it."""
    one = known.contribution
    details = " / ".join(filter(None, (one.title, one.source)))
    return f"{one.number}  {details}".strip()


def details(texts: ContributionTexts, known: Sequence[KnownContribution], documents: Sequence[DocumentState]) -> None:
    """Show the chosen contributions: their cover pages, how their documents were read, why one was not."""
    if not known:
        return
    with st.expander(texts.details, icon=":material/description:"):
        for one in known:
            of = [each for each in documents if each.contribution_id == one.contribution.contribution_id]
            st.html(contribution_markup.details_html(one, of, texts))


def kind_choice(texts: ContributionTexts, count: int) -> AnalysisKind:
    """The choice of the kind of analysis; of two contributions, a person says whether one revises the other."""
    if count < 2:
        return "single"
    if count > 2:
        return "comparison"
    choices: list[AnalysisKind] = ["comparison", "revisions"]
    chosen = st.segmented_control(
        texts.kind, choices, default="comparison", format_func=lambda kind: texts.kinds[kind], key="contribution-kind"
    )
    if chosen == "revisions":
        st.html(line_html(texts.older_first))
    return chosen or "comparison"


def question(texts: ContributionTexts, saved: SavedQuestions, owner: str) -> str:
    """The field for a question of one's own, "" for none; questions can be kept under a name."""
    kept = {one.name: one.question for one in saved.of(owner)}
    if kept:
        st.pills(
            texts.saved_question,
            list(kept),
            key="saved-question",
            on_change=partial(_take_question, kept),
            selection_mode="single",
        )
    asked = st.text_area(texts.question, key="own-question", placeholder=texts.question_placeholder, height=80)
    if asked.strip() or kept:
        with st.popover(texts.keep_question, icon=":material/bookmark:"):
            _keep_question(texts, saved, owner, asked, kept)
    return asked


def _take_question(kept: Mapping[str, str]) -> None:
    chosen = st.session_state["saved-question"]
    if chosen in kept:
        st.session_state["own-question"] = kept[chosen]


def _keep_question(
    texts: ContributionTexts, saved: SavedQuestions, owner: str, asked: str, kept: Mapping[str, str]
) -> None:
    name = st.text_input(texts.question_name, max_chars=LONGEST_NAME, key="question-name").strip()
    if st.button(texts.keep, disabled=not (name and asked.strip()), icon=":material/save:"):
        saved.save(owner, SavedQuestion(name, " ".join(asked.split())))
        st.rerun()
    for one in kept:
        if st.button(escaping.label(texts.forget.format(name=one)), key=f"forget-{one}", icon=":material/delete:"):
            saved.delete(owner, one)
            st.rerun()


@contextmanager
def progress(texts: ContributionTexts) -> Iterator[OnProgress]:
    """A panel that fills with one line per step, and folds when all is done."""
    with st.status(texts.running, expanded=True) as panel:

        def show(line: str) -> None:
            panel.text(escaping.visible(line))

        yield show
        panel.update(label=texts.done, expanded=False, state="complete")
