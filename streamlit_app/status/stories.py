"""Why a file is found, or is not: any listed file by its name, and how far it came."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from locator_search.health.stories import SHOWN, StoryTexts, steps_of
from locator_search.ports import FileStory
from streamlit_app.shared import components, originals, session
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts

FILE = "file"
"""The parameter of the address that names one file; records in Dagster lead here by it."""

WORDS = "story_words"


def find(texts: Texts, retry: Callable[[FileStory], None] | None) -> None:
    """A field for names and folders, and the story of each file that fits; that of the file in the address at first.
    Without `retry`, whoever looks may not have files tried again."""
    say = StoryTexts.of(texts.language)
    st.subheader(say.find, anchor=False)
    file_id = st.query_params.get(FILE, "")
    st.text_input(
        say.find,
        key=WORDS,
        placeholder=say.find_placeholder,
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=_forget_file,
    )
    words = str(st.session_state[WORDS] or "").strip()
    if not (words or file_id):
        return
    reader = session.locator().status_reader
    found = reader.stories(words, limit=SHOWN + 1) if words else reader.stories(file_id=file_id)
    if not found:
        st.html(line_html(say.no_such_file))
    for story in found[:SHOWN]:
        _card(story, texts, retry, opened=len(found) == 1)
    if len(found) > SHOWN:
        st.html(line_html(say.more_files.format(count=SHOWN)))
    if not words:
        session.keep_in_address(**{FILE: file_id})


def _forget_file() -> None:
    st.query_params.pop(FILE, None)


def _card(story: FileStory, texts: Texts, retry: Callable[[FileStory], None] | None, *, opened: bool) -> None:
    locator, file = session.locator(), story.known.file
    steps = steps_of(story, texts.language, locator.clock.now(), session.zone())
    with st.container(border=True):
        st.html(render("status/status", "story", story, steps, texts, opened))
        with st.container(horizontal=True, gap="small"):
            if address := originals.address_of(file):
                st.link_button(texts.open_file, address, icon=":material/open_in_new:")
            if retry is not None:
                if story.partition_key:
                    # Where it ended: what has no text says why there.
                    asset = "drive_file_index" if story.indexed_at else "extracted_text"
                    url = components.partition_url(locator.settings.locator_dagster_url, story.partition_key, asset)
                    st.link_button(texts.partition, url, type="tertiary")
                if story.known.state != "indexed":
                    st.button(
                        texts.retry,
                        key=f"again-{file.file_id}",
                        icon=":material/refresh:",
                        on_click=retry,
                        args=(story,),
                    )
