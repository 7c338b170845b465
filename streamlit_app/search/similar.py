"""The documents that are like one result, in a drawer."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from locator_search.core.clock import deadline
from locator_search.core.reader import reading_as
from locator_search.drive_search.messages import Sentences
from locator_search.model import Evidence
from streamlit_app.shared import access, components, escaping, markup, originals, session
from streamlit_app.shared.templates import line_html
from streamlit_app.shared.texts import Texts

SHOWN = 10


def similar_button(texts: Texts, evidence: Evidence) -> None:
    """A click opens the drawer."""
    if st.button(texts.similar, type="tertiary", key=f"similar-{evidence.file_id}"):
        _open(texts, evidence)


def _open(texts: Texts, evidence: Evidence) -> None:
    @st.dialog(texts.similar, width="large")
    def drawer() -> None:
        with components.errors_in_words(), reading_as(access.reader()):
            _listed(texts, evidence)

    drawer()


def _listed(texts: Texts, evidence: Evidence) -> None:
    """The documents like the file, each as a whole: no passage was asked for."""
    locator, say = session.locator(), Sentences.of(texts.language)
    with deadline(locator.settings.locator_search_seconds):
        found = locator.similar_files.similar_to(evidence.file_id, SHOWN, texts.language)
    if locator.audit is not None:
        locator.audit.asked("", "page", evidence.file_id)
    name = escaping.visible(evidence.file_name)
    told = say.similar_to.format(len(found), name=name) if found else say.similar_to_nothing.format(name=name)
    st.html(line_html(told, style="outcome"))
    for rank, item in enumerate(found, start=1):
        with st.container(border=True):
            shown = replace(item, snippet="", highlights=(), page_number=None, cosine=None)
            st.html(markup.result_html(shown, rank, texts, session.zone(), originals.address_of))
