"""The X page: ask, watch a session at work in as many tabs as you like, read its answer and its posts."""

import secrets

import streamlit as st

from locator_search.core.errors import AccessDenied
from locator_search.ports.x.sessions import Session
from locator_search.x_search.rechecking import Recheck
from streamlit_app.shared import access, components, session
from streamlit_app.shared.templates import line_html
from streamlit_app.x import components as pieces
from streamlit_app.x import found as results
from streamlit_app.x.texts import XTexts

LOOKS_EVERY_SECONDS = 1.0


def page() -> None:
    """The whole page, top to bottom."""
    texts = XTexts.of(session.texts().language)
    st.html(line_html(texts.title, style="head") + line_html(texts.lead))
    owner = access.owner()
    x = pieces.x_search()
    if x.post_search.source == "sample":
        pieces.sample_notice(texts)

    def start(question: str, budget: float, model: str) -> None:
        begun = x.start(
            question,
            budget=budget,
            model=model,
            language=session.texts().language,
            message_id=secrets.token_urlsafe(12),
            owner=owner,
        )
        pieces.background().start(begun.session_id)
        show(begun.session_id)

    pieces.question_form(texts, start)
    pieces.sessions_list(texts, x.latest(owner), show)
    current = current_session(texts, owner)
    if current is None:
        return
    if current.status != "done" and current.session_id in dict(x.abandoned()):
        pieces.background().start(current.session_id)
    st.divider()
    st.html(line_html(current.question, style="question"))
    if current.source == "sample" != x.post_search.source:
        pieces.sample_notice(texts)
    if pieces.is_under_way(current):
        under_way(texts, current.session_id, owner)
    else:
        ended(texts, current, owner)


def show(session_id: str) -> None:
    """Show a session in this tab."""
    st.session_state["x-session"] = session_id
    st.session_state.pop("x-shown", None)


def current_session(texts: XTexts, owner: str) -> Session | None:
    """The session of this tab, or that of the address; none where it is another person's."""
    session_id = st.session_state.get("x-session") or st.query_params.get("session")
    if not session_id:
        return None
    try:
        found = pieces.x_search().get(session_id, owner)
    except AccessDenied:
        st.session_state.pop("x-session", None)
        st.error(texts.refused, icon=":material/error:")
        return None
    session.keep_in_address(session=session_id)
    return found


@st.fragment(run_every=LOOKS_EVERY_SECONDS)
def under_way(texts: XTexts, session_id: str, owner: str) -> None:
    """The session at work: this piece alone is drawn again every second, from what the tables say."""
    x = pieces.x_search()
    with components.errors_in_words():
        try:
            now = x.get(session_id, owner)
        except AccessDenied:  # it was deleted in another tab
            st.rerun()
        if not pieces.is_under_way(now):
            st.rerun()
        pieces.progress(texts, now)
        found = x.posts(session_id)
        if found:
            results.posts(texts, found, {one.post.post_id for one in found}, results.SHOWN_ON_THE_WAY)


def ended(texts: XTexts, current: Session, owner: str) -> None:
    """Show the answer and posts of a session that ended, or how far it came."""
    x = pieces.x_search()
    found = x.posts(current.session_id)
    if current.status != "done":
        pieces.stopped(texts, current)
        pieces.progress(texts, current)
    else:
        results.answer(texts, current, found)
    pieces.warnings(current)
    if outcome := st.session_state.pop("x-rechecked", None):
        results.rechecked(texts, outcome)
    results.still_there(texts, current, x.to_recheck(current.session_id, owner), look_again)
    if found:
        left = results.post_filters(texts, current, found)
        limit = st.session_state.get("x-shown", results.SHOWN_AT_ONCE)
        if results.posts(texts, found, left, limit):
            st.button(texts.more, on_click=show_more, key="x-more")
        results.downloads(texts, current, owner)
    pieces.details(texts, current, x.queries(current.session_id))
    st.button(
        texts.delete,
        type="tertiary",
        icon=":material/delete:",
        key=f"x-delete-{current.session_id}",
        on_click=forget,
        args=(current.session_id, owner),
    )


def look_again(plan: Recheck) -> None:
    """Ask X whether it still has these posts, for no more than the button says."""
    x = pieces.x_search()
    with st.spinner(""):
        st.session_state["x-rechecked"] = x.recheck(plan, plan.at_most or x.usual_budget)
    st.rerun()


def forget(session_id: str, owner: str) -> None:
    """Delete a session and leave it."""
    pieces.x_search().forget(session_id, owner)
    st.session_state.pop("x-session", None)
    st.query_params.pop("session", None)


def show_more() -> None:
    """More posts than now."""
    st.session_state["x-shown"] = st.session_state.get("x-shown", results.SHOWN_AT_ONCE) + results.SHOWN_AT_ONCE


page()
