"""Why a file is found, or is not: any listed file by its name, and how far it came."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

import streamlit as st

from locator_search.locales.reasons import reason_text
from locator_search.locales.times import moment
from locator_search.ports import FileStory, KnownFile
from streamlit_app.shared import components, originals, session
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts
from streamlit_app.status.texts import StatusTexts

SHOWN = 20
FILE = "file"
"""The parameter of the address that names one file; records in Dagster lead here by it."""

WORDS = "story_words"


class Step(NamedTuple):
    """One thing that has or has not happened to a file; `state` is one of the colours of parts."""

    state: Literal["real", "offline", "missing", "failing"]
    name: str
    detail: str


def steps_of(story: FileStory, say: StatusTexts, texts: Texts, now: datetime, zone: ZoneInfo) -> list[Step]:
    """The way of a file from the listing to the search, and its tries."""
    known = story.known
    why = reason_text(known.reason, texts.language).words if known.reason else texts.states[known.state]
    waits = known.state == "pending"
    tried_at = moment(story.tried_at, zone, say.language)
    tries = say.waits if waits else say.was_tried.format(time=tried_at, count=known.attempts)
    steps = [Step("real", say.listed, say.was_listed.format(time=moment(story.seen_at, zone, say.language)))]
    if story.indexed_at is None:
        nothing: Literal["offline", "failing"] = "offline" if waits or known.state == "skipped" else "failing"
        steps.append(Step(nothing, say.read, say.waits if waits else why))
        steps.append(Step("missing", say.searchable, say.is_not))
    else:
        steps.append(Step("real", say.read, say.was_read.format(story.characters, chunks=story.chunks)))
        written = Step("real", say.summarised, say.by_model) if story.by_model else None
        steps.append(written or Step("offline", say.summarised, say.extract))
        words = say.is_searchable if known.state == "indexed" else say.older_text
        at = words.format(time=moment(story.indexed_at, zone, say.language), why=why)
        steps.append(Step("real" if known.state == "indexed" else "offline", say.searchable, at))
    return [*steps, Step("missing", say.tried, f"{tries} {_next_try(known, say, now, zone)}".strip())]


def _next_try(known: KnownFile, say: StatusTexts, now: datetime, zone: ZoneInfo) -> str:
    if known.next_try_at is not None:
        at = moment(known.next_try_at, zone, say.language)
        return say.next_due if known.next_try_at <= now else say.next_at.format(time=at)
    return say.next_by_hand if known.state in ("failed", "skipped") else ""


def find(say: StatusTexts, texts: Texts, retry: Callable[[FileStory], None] | None) -> None:
    """A field for names and folders, and the story of each file that fits; that of the file in the address at first.
    Without `retry`, whoever looks may not have files tried again."""
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
        _card(story, say, texts, retry, opened=len(found) == 1)
    if len(found) > SHOWN:
        st.html(line_html(say.more_files.format(count=SHOWN)))
    if not words:
        session.keep_in_address(**{FILE: file_id})


def _forget_file() -> None:
    st.query_params.pop(FILE, None)


def _card(
    story: FileStory, say: StatusTexts, texts: Texts, retry: Callable[[FileStory], None] | None, *, opened: bool
) -> None:
    locator, file = session.locator(), story.known.file
    steps = steps_of(story, say, texts, locator.clock.now(), session.zone())
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
