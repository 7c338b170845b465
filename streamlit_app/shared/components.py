"""The pieces the pages are made of. Every foreign string goes through `markup`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import quote

import streamlit as st
from markupsafe import Markup

from locator_search.core.errors import LocatorError
from locator_search.core.model_results import is_stand_in
from locator_search.core.usage import Usage
from locator_search.drive_search.questions import Condition
from locator_search.locales.said import told
from locator_search.model import Choice, FileRef, Round, SearchCoverage, SearchOutcome, UnreadFile
from streamlit_app.shared import access, escaping, markup, originals, session
from streamlit_app.shared.ordering import ORDERS
from streamlit_app.shared.retrying import FAILED, SKIPPED, try_again
from streamlit_app.shared.templates import line_html
from streamlit_app.shared.texts import Texts

logger = logging.getLogger(__name__)


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Show what goes wrong as one sentence and a hint; a stack trace goes to the log only."""
    try:
        yield
    except LocatorError as error:
        language = session.texts().language
        _error(told(error.message, language), told(error.hint, language))
    except Exception:
        logger.exception("The page could not be drawn")
        _error(session.texts().unexpected)


def _error(*lines: str) -> None:
    st.error("  \n".join(escaping.label(line) for line in lines if line), icon=":material/error:")


def question_field(texts: Texts) -> None:
    """The question; Enter searches."""
    st.text_input(
        texts.question_label,
        key="question",
        placeholder=texts.question_placeholder,
        icon=":material/search:",
        label_visibility="collapsed",
        persist_state="session",
        on_change=session.forget_ignored,
    )


def headline(texts: Texts, outcome: SearchOutcome, conditions: Sequence[Condition]) -> None:
    """How the search ended, which tells the exact number of hits, and what was changed on the way.

    The message repeats some of the notes; here each is said once. Conditions have chips of their own, and what was
    tried in vain is said below.
    """
    is_plain = outcome.outcome == "not_found" and not outcome.unread
    message = texts.nothing_found if is_plain else outcome.message
    for note in outcome.notes:
        message = message.replace(note, "")
    shown = {condition.note for condition in conditions}
    html = line_html(message, style="outcome")
    if outcome.outcome == "needs_answer":
        html += line_html(texts.shown.format(count=len(outcome.evidence)))
    st.html(html + markup.chips([note for note in outcome.notes if note not in shown]))


def did_you_mean(texts: Texts, outcome: SearchOutcome) -> None:
    """Questions that may be meant; a click asks one."""
    for other in outcome.did_you_mean:
        label = f"{texts.did_you_mean}: {escaping.label(other)}"
        st.button(label, key=f"did-you-mean-{other}", on_click=session.ask, args=(other,))


def unread(texts: Texts, files: Sequence[UnreadFile]) -> None:
    """The files that fit by their names and could not be read; paths of this machine can be copied."""
    if not files:
        return
    with st.container(key="unread", gap="xsmall"):
        st.html(markup.unread_html(files, texts, originals.address_of))
        if access.administers(session.locator().settings):
            for one in files:
                if one.state != "pending":
                    _retry(texts, one.file)
        for path in filter(None, (escaping.local_path(one.file.link) for one in files)):
            st.code(path, language=None, wrap_lines=True)


def _retry(texts: Texts, file: FileRef) -> None:
    """A button that has a file tried once more, at the next tick of the sensor or the next crawl."""

    def clicked() -> None:
        count = try_again((*FAILED, *SKIPPED), file_id=file.file_id)
        st.toast(texts.retried.format(count=count), icon=":material/check:")

    label = texts.retry_file.format(name=escaping.label(file.file_name))
    st.button(label, key=f"retry-{file.file_id}", icon=":material/refresh:", type="tertiary", on_click=clicked)


def coverage(texts: Texts, counts: SearchCoverage | None) -> None:
    """How many of the listed files were searched, and the way to the others."""
    if counts is None:
        return
    st.html(line_html(texts.coverage_line(counts.listed, counts.searchable, texts.unread_where)))
    if counts.unread:
        st.page_link("status/status.py", label=texts.status_page, icon=":material/monitoring:")


def order(texts: Texts) -> None:
    """The choice of the order of results."""
    with session.said_in_its_language("order"):
        st.selectbox(
            texts.order,
            ORDERS,
            format_func=lambda order: texts.orders[order],
            key="order",
            label_visibility="collapsed",
            persist_state="session",
            width=220,
        )


def narrowing(texts: Texts, outcome: SearchOutcome) -> None:
    """The narrowing question: a button per choice with the hits it leaves, the person's own words, or neither."""
    with st.container(border=True, key="narrowing"):
        st.html(line_html(outcome.narrowing_question or texts.narrowing, style="question"))
        with st.container(horizontal=True, gap="small"):
            for number, choice in enumerate(outcome.choices, start=1):
                _choice_button(texts, number, choice)
        with st.form("own-answer", border=False, clear_on_submit=True), st.container(horizontal=True):
            words = st.text_input(
                texts.own_answer,
                placeholder=texts.own_answer_placeholder,
                label_visibility="collapsed",
                key="own-answer-words",
            )
            st.form_submit_button(texts.answer)
        st.button(texts.show_anyway, type="tertiary", key="show-anyway", on_click=session.answer, args=("",))
    if words.strip():
        session.answer(words.strip())
        st.rerun()


def undo(texts: Texts) -> None:
    """The way back before the last answer to a narrowing question."""
    if before := session.step_before():
        st.button(texts.undo, key="undo", icon=":material/undo:", on_click=session.take_up, args=(before,))


def _choice_button(texts: Texts, number: int, choice: Choice) -> None:
    st.button(
        f"{escaping.label(choice.label)} ({texts.count.format(count=choice.count)})",
        key=f"choice-{number}",
        on_click=session.answer,
        args=(choice.label,),
    )


def partition_url(dagster_url: str, key: str, asset: str = "drive_file_index") -> str:
    """The address where Dagster shows how the index entry of a file, or another asset of it, was made."""
    return f"{dagster_url.rstrip('/')}/assets/{asset}?view=partitions&partition={quote(key, safe='')}"


def trace(texts: Texts, rounds: Sequence[Round], chat: str, embedding: str, usage: Usage) -> None:
    """How the answer came about, for those who want to know: one row per round, the models, and what they took.

    Notes are sentences and stand below the table: as its last column they would be out of sight beside the text."""
    with st.expander(texts.trace, icon=":material/alt_route:"):
        st.html(
            markup.table_html(
                texts.trace_columns,
                (
                    (
                        step.round,
                        texts.branches[step.branch],
                        f"{step.threshold:.2f}",
                        f"{step.hit_count:,}",
                        "–" if step.top_similarity is None else f"{step.top_similarity:.2f}",
                        step.query,
                        texts.comma.join(step.keywords),
                    )
                    for step in rounds
                ),
            )
        )
        told = [texts.exact_counts]
        told += [texts.round_note.format(round=step.round, note=step.note) for step in rounds if step.note]
        told.append(texts.models.format(chat=chat, embedding=embedding))
        if usage.calls:
            told.append(texts.model_usage.format(calls=usage.calls, tokens=usage.tokens, cost=usage.cost_usd))
        st.html(line_html(*told))


def stand_ins(texts: Texts, chat: str, embedding: str) -> None:
    """That stand-ins answered where no model is set, plainly."""
    if is_stand_in(chat) or is_stand_in(embedding):
        st.html(line_html(texts.offline, style="stand-in") + line_html(texts.offline_hint))


def heading(words: str, name: str) -> None:
    """A line above questions to click, which has its height before it is drawn."""
    with st.container(key=f"heading-{name}"):
        st.html(line_html(words))


def welcome(texts: Texts) -> None:
    """Before the first question: questions to begin with; a click asks one."""
    st.html(line_html(texts.headline, style="head"))
    heading(texts.examples_title, "examples")
    with st.container(horizontal=True, gap="small", key="asks-examples"):
        for example in texts.examples:
            st.button(example, on_click=session.ask, args=(example,))


def no_index(texts: Texts) -> None:
    """The index is empty: why, and the way to fill it."""
    st.info(f"**{texts.no_index_title}**  \n{texts.no_index}", icon=":material/inventory_2:")
    st.page_link("adding/adding.py", label=texts.no_index_way, icon=":material/create_new_folder:")


def nothing_found(texts: Texts, outcome: SearchOutcome) -> None:
    """Show what was tried when nothing was found, what to try, and what the files below are, if any."""
    tried = [texts.attempt.format(query=step.query, threshold=step.threshold) for step in outcome.rounds]
    if not any(file.named for file in outcome.unread):
        st.html(line_html(Markup("{} {}").format(texts.tried, markup.chips(tried)), texts.try_next))
    if outcome.closest:
        st.html(line_html(texts.closest, style="outcome"))
