"""The chosen result beside the list of results: all that is known of it, what can be done with it, and its text."""

from __future__ import annotations

from functools import partial

import streamlit as st

from locator_search.core.reader import reading_as
from locator_search.drive_search.searcher import SearchRun
from locator_search.model import Evidence
from locator_search.ports import DocumentPart, DocumentReader
from locator_search.retrieval.grouping import group_kind
from streamlit_app.search.similar import similar_button
from streamlit_app.shared import access, components, escaping, markup, originals, session
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts

PART_LENGTH = 12_000
"""Characters shown at once. Marking them takes a tenth of a second."""


def preview(texts: Texts, run: SearchRun, evidence: Evidence, query: str) -> None:
    """Draw it. On a wide screen it stands beside the list; on others it lies over it once somebody opens it."""
    opened = session.opened() == evidence.file_id
    with st.container(key="preview", gap="xsmall"):
        close, step = session.close, session.step()
        st.button(texts.keys_close, key="close", icon=":material/close:", type="tertiary", on_click=close, args=(step,))
        st.html(markup.details_html(evidence, texts, session.zone(), originals.address_of, opened))
        _actions(texts, run, evidence)
        if path := escaping.local_path(evidence.link):
            st.code(path, language=None, wrap_lines=True)
        if evidence.group:
            with st.expander(texts.groups[group_kind(evidence.group)].format(count=len(evidence.group))):
                st.html(markup.group_html(evidence.group, texts, session.zone(), originals.address_of))
        _text(texts, evidence, query)
        st.html(render("search/keys", "shown", [evidence.file_id, query, opened]), unsafe_allow_javascript=True)


def _actions(texts: Texts, run: SearchRun, evidence: Evidence) -> None:
    locator = session.locator()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="actions"):
        if address := originals.address_of(evidence):
            st.link_button(texts.open_file, address, type="tertiary", icon=":material/open_in_new:")
        similar_button(texts, evidence)
        with st.popover(texts.why, type="tertiary"):
            st.html(markup.why_html(evidence, texts))
        key = locator.registry.partition_keys([evidence.file_id]).get(evidence.file_id, "")
        st.link_button(
            texts.partition, components.partition_url(locator.settings.locator_dagster_url, key), type="tertiary"
        )
        if run.search_id:
            _thumbs(texts, run.search_id, evidence.file_id)


def _thumbs(texts: Texts, search_id: int, file_id: str) -> None:
    key = f"thumbs-{session.step()}-{file_id}"
    feedback = partial(session.locator().search_log.feedback, search_id, file_id)

    def given() -> None:
        useful = st.session_state[key]
        if useful is not None:
            feedback(bool(useful))
            st.toast(texts.thanks, icon=":material/thumbs_up_down:")

    st.feedback("thumbs", key=key, on_change=given)


@st.fragment
def _text(texts: Texts, evidence: Evidence, query: str) -> None:
    """The text as the index keeps it, beginning with the part in which the file was found."""
    with components.errors_in_words(), reading_as(access.reader()):
        documents = session.locator().documents
        part = _part_with_hit(documents, evidence)
        if part is None or not _may_be_shown(part):
            st.html(line_html(texts.preview_gone))
            return
        if (audit := session.locator().audit) is not None:
            audit.opened(part.file.file_id, "page")
        if part.count > 1:
            title = texts.preview_part.format(count=part.count)
            number = int(st.number_input(title, 1, part.count, part.number, key=f"part-{evidence.file_id}"))
            part = documents.part(evidence.file_id, number, PART_LENGTH) or part
        st.html(markup.preview_html(part.chunks, evidence.text, query, texts))


def _may_be_shown(part: DocumentPart) -> bool:
    """Whether the source says so at this moment, where permissions count."""
    locator = session.locator()
    return not locator.settings.locator_permissions or bool(locator.access_checker.check([part.file]))


def _part_with_hit(documents: DocumentReader, evidence: Evidence) -> DocumentPart | None:
    first = documents.part(evidence.file_id, 1, PART_LENGTH)
    part = first
    while part is not None and not any(chunk.text == evidence.text for chunk in part.chunks):
        if part.number == part.count:
            return first
        part = documents.part(evidence.file_id, part.number + 1, PART_LENGTH)
    return part
