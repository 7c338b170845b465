"""The pieces of the live search page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from locator_search.core.model_results import is_stand_in
from locator_search.live_search.outcome import Alternative, LiveOutcome
from locator_search.live_search.progress import OnStep, ProgressStep
from streamlit_app.live import markup as live_markup
from streamlit_app.live.texts import LiveTexts
from streamlit_app.shared import escaping, session
from streamlit_app.shared.templates import heading_html, line_html

MARKS = {"working": "…", "done": "✓", "failed": "✗"}
WHOLE = ""
"""The row of steps that are about the question as a whole."""


def notice(texts: LiveTexts, model: str) -> None:
    """The notice which model receives the texts that are found; it stays on the page."""
    text = texts.notice_offline if model.startswith("offline-") else texts.notice.format(model=model)
    st.info(escaping.label(text), icon=":material/privacy_tip:")


def question_form(texts: LiveTexts, *, has_index: bool) -> tuple[str | None, bool]:
    """The question once it is sent, and whether the index is to be folded in."""
    with st.form("live-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        question = st.text_input(
            texts.question_label,
            key="live-question",
            placeholder=texts.question_placeholder,
            icon=":material/travel_explore:",
            label_visibility="collapsed",
        )
        sent = st.form_submit_button(texts.ask, type="primary")
    with_index = has_index and st.toggle(texts.with_index, value=True, help=texts.with_index_hint, key="live-index")
    return (question.strip() or None if sent else None), with_index


def examples(texts: LiveTexts, ask: Callable[[str], None]) -> None:
    """Questions to begin with; a click asks one."""
    st.html(line_html(texts.examples_title))
    with st.container(horizontal=True, gap="small"):
        for example in texts.examples:
            st.button(example, on_click=ask, args=(example,))


@contextmanager
def progress(texts: LiveTexts) -> Iterator[OnStep]:
    """A panel with a line for each service and phase that changes as the service answers; it folds in the end.

    Lines of the question as a whole are done when the next line comes.
    """
    with st.status(texts.running, expanded=True) as panel:
        waiting: dict[str, Any] = {}

        def show(slot: Any, state: str, line: str) -> None:
            slot.text(f"{MARKS[state]} {escaping.visible(line)}")

        def tell(step: ProgressStep | None) -> None:
            if WHOLE in waiting:
                slot, line = waiting.pop(WHOLE)
                show(slot, "done", line)
            if step is None:
                return
            slot, _ = waiting.pop(step.row, None) or (panel.empty(), "")
            show(slot, step.state, step.line)
            if step.state == "working":
                waiting[step.row] = slot, step.line

        yield tell
        tell(None)
        panel.update(label=texts.done, expanded=False, state="complete")


def outcome(
    texts: LiveTexts, shown: LiveOutcome, following: Sequence[LiveOutcome], try_instead: Callable[[Alternative], None]
) -> str | None:
    """Queries, answer, the questions that followed it with their answers, evidence links, what else to try, and who
    answered; the next question over the same evidence, once it is sent."""
    _warnings(shown)
    if shown.queries:
        with st.expander(texts.queries, icon=":material/manage_search:", expanded=True):
            st.html(live_markup.queries_html(shown.queries, texts))
    st.html(heading_html(texts.answer_heading))
    with st.container(key="live-answer"):
        st.html(live_markup.answer_html(shown.answer, shown.evidence))
    for later in following:
        st.html(heading_html(later.question))
        _warnings(later)
        st.html(live_markup.answer_html(later.answer, later.evidence))
    asked = _follow_form(texts) if shown.evidence else None
    st.html(heading_html(texts.evidence_links))
    if not shown.evidence:
        st.html(line_html(texts.no_evidence))
    for one in shown.evidence:
        st.html(live_markup.evidence_html(one, texts, session.zone()))
    _alternatives(texts, shown, try_instead)
    _who_answered(texts, shown)
    return asked


def _warnings(shown: LiveOutcome) -> None:
    if shown.warnings:
        lines = [escaping.label(warning.message) for warning in shown.warnings]
        st.warning("\n".join(f"- {line}" for line in lines) if lines[1:] else lines[0], icon=":material/warning:")


def _follow_form(texts: LiveTexts) -> str | None:
    """A field for a question over the evidence that is shown."""
    with (
        st.form("live-follow", border=False, clear_on_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        question = st.text_input(texts.follow_label, key="live-follow-question", placeholder=texts.follow_placeholder)
        sent = st.form_submit_button(texts.follow)
    return question.strip() or None if sent else None


def _alternatives(texts: LiveTexts, shown: LiveOutcome, try_instead: Callable[[Alternative], None]) -> None:
    if not shown.alternatives:
        return
    st.html(heading_html(texts.alternatives) + line_html(texts.alternatives_hint))
    with st.container(horizontal=True, gap="small"):
        for number, one in enumerate(shown.alternatives, start=1):
            st.button(
                f"{escaping.label(one.label)}: {escaping.label(one.query)}",
                key=f"live-alternative-{number}",
                on_click=try_instead,
                args=(one,),
            )


def _who_answered(texts: LiveTexts, shown: LiveOutcome) -> None:
    mocks = [one.label for one in shown.services if one.mock and not one.failed]
    model = shown.models.get("chat", "")
    if mocks:
        st.html(line_html(texts.mocks.format(labels=", ".join(mocks)), style="stand-in"))
    if is_stand_in(model):
        by_model = texts.by_model.format(model=model)
        st.html(line_html(texts.stand_in, style="stand-in") + line_html(texts.stand_in_hint, by_model))
    else:
        st.html(line_html(texts.by_model.format(model=model)))
    if shown.usage.calls:
        usage = shown.usage
        took = texts.model_usage.format(calls=usage.calls, tokens=usage.tokens, cost=usage.cost_usd)
        st.html(line_html(took))
