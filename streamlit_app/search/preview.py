"""The text of one result beside the results, as the index keeps it, with the places that match marked."""

from __future__ import annotations

import streamlit as st

from locator_search.core.reader import reading_as
from locator_search.model import Evidence
from locator_search.ports import DocumentPart, DocumentReader
from streamlit_app.shared import access, components, escaping, markup
from streamlit_app.shared.templates import line_html
from streamlit_app.shared.texts import Texts

PART_LENGTH = 12_000
"""Characters shown at once. Marking them takes a tenth of a second."""


def open_preview(texts: Texts, documents: DocumentReader, evidence: Evidence, question: str) -> None:
    """Show the text of a file in a drawer, beginning with the part in which it was found."""

    @st.dialog(escaping.label(evidence.file_name), width="large")
    def drawer() -> None:
        with components.errors_in_words(), reading_as(access.reader()):
            _text(texts, documents, evidence, question)

    drawer()


def _text(texts: Texts, documents: DocumentReader, evidence: Evidence, question: str) -> None:
    part = _part_with_hit(documents, evidence)
    if part is None:
        st.html(line_html(texts.preview_gone))
        return
    if part.count > 1:
        title = texts.preview_part.format(count=part.count)
        number = int(st.number_input(title, 1, part.count, part.number, key=f"part-{evidence.file_id}"))
        part = documents.part(evidence.file_id, number, PART_LENGTH) or part
    st.html(markup.preview_html(part.chunks, evidence.text, question, texts))


def _part_with_hit(documents: DocumentReader, evidence: Evidence) -> DocumentPart | None:
    first = documents.part(evidence.file_id, 1, PART_LENGTH)
    part = first
    while part is not None and not any(chunk.text == evidence.text for chunk in part.chunks):
        if part.number == part.count:
            return first
        part = documents.part(evidence.file_id, part.number + 1, PART_LENGTH)
    return part
