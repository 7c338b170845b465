"""A session on the X page: how it is begun, how far it is, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from locator_search.locales.times import moment
from locator_search.ports.x.sessions import QueryState, Session
from locator_search.x_search.background import BackgroundWork
from locator_search.x_search.messages import Sentences, small_budget
from locator_search.x_search.phases import seconds_left
from locator_search.x_search.searcher import XSearch
from streamlit_app.shared import escaping, session
from streamlit_app.shared.templates import line_html, separated
from streamlit_app.x import markup as x_markup
from streamlit_app.x.texts import XTexts

SMALLEST_BUDGET = 0.05
"""US dollars: one page of the smallest size."""


@st.cache_resource(show_spinner=False)
def x_search() -> XSearch:
    """The X search, made here because only one thread can be here at a time."""
    return session.locator().x_search


@st.cache_resource(show_spinner=False)
def background() -> BackgroundWork:
    """The worker that goes on with sessions while no page shows them."""
    return BackgroundWork(x_search())


def sample_notice(texts: XTexts) -> None:
    """Say that the posts are made up and do not come from X."""
    st.html(line_html(texts.sample, style="stand-in") + line_html(texts.sample_hint))


def question_form(texts: XTexts, start: Callable[[str, float, str], None]) -> None:
    """Question, budget and model, what it will cost, and the button that begins it."""
    x = x_search()
    question = st.text_input(
        texts.question_label, placeholder=texts.placeholder, key="x-question", icon=":material/search:", max_chars=1000
    )
    left, right = st.columns(2)
    usual, most = (max(SMALLEST_BUDGET, usd) for usd in (min(x.usual_budget, x.monthly_cap), x.monthly_cap))
    budget = left.number_input(
        texts.budget, SMALLEST_BUDGET, most, usual, step=0.1, help=texts.budget_help, key="x-budget"
    )
    model = right.selectbox(texts.language_model, x.models, key="x-model")
    st.html(line_html(*_cost(texts, budget, model)))
    if st.button(texts.run, type="primary", icon=":material/play_arrow:", disabled=not question.strip()):
        start(question, budget, model)


def _cost(texts: XTexts, budget: float, model: str) -> Iterator[str]:
    """The most a search will cost, and the spend meter of the month."""
    x = x_search()
    estimate, extra = x.estimate(budget), "" if model.startswith("offline-") else texts.model_extra
    if not estimate.full:
        yield texts.together(texts.free, extra)
        return
    message = texts.estimate.format(
        at_most=f"{estimate.at_most:.2f}", posts=estimate.posts, full=f"{estimate.full:.2f}"
    )
    yield texts.together(message, extra)
    if estimate.too_small:
        yield small_budget(estimate, session.texts().language)
    yield x_markup.spend_meter_html(x.meter.this_month(), x.monthly_cap, texts)


def sessions_list(texts: XTexts, found: Sequence[Session], choose: Callable[[str], None]) -> None:
    """Sessions made before; a click shows one again."""
    with st.expander(texts.sessions, icon=":material/history:"):
        if not found:
            st.html(line_html(texts.no_sessions))
        for one in found:
            line = texts.session_line.format(
                created=moment(one.created_at, session.zone(), session.texts().language, short=True),
                status=texts.stopped if _has_stopped(one) else texts.session_statuses[one.status],
                question=one.question,
                posts=one.posts,
                cost=f"{one.cost_usd + one.model_cost_usd:.3f}",
            )
            st.button(
                escaping.label(line),
                key=f"x-session-{one.session_id}",
                type="tertiary",
                on_click=choose,
                args=(one.session_id,),
            )


def is_under_way(one: Session) -> bool:
    """Whether somebody works on it, here or elsewhere."""
    return one.status != "done" and (one.worked_on or background().is_working(one.session_id))


def _has_stopped(one: Session) -> bool:
    return one.status == "running" and not is_under_way(one)


def progress(texts: XTexts, one: Session) -> None:
    """The bar, the phase, what is left, and why it waits."""
    phase = one.reason if one.status == "paused" else Sentences.of(session.texts().language).phases[one.phase]
    st.progress(one.progress, text=escaping.label(texts.progress.format(percent=f"{one.progress:.0%}", phase=phase)))
    pause = (one.resume_after - session.locator().clock.now()).total_seconds() if one.resume_after else 0.0
    left = seconds_left(sum(one.seconds.values()), one.progress, max(0.0, pause))
    facts = [texts.so_far.format(count=one.posts)]
    if left:
        facts.append(texts.time_left.format(seconds=max(1, round(left))))
    st.html(line_html(separated(facts)))


def stopped(texts: XTexts, one: Session) -> None:
    """Show why a session failed or stopped, and a button to resume it."""
    message = texts.stopped if _has_stopped(one) else f"{texts.session_statuses[one.status]}: {one.reason}"
    st.warning(escaping.label(message) + "  \n" + escaping.label(texts.stopped_hint), icon=":material/pause_circle:")
    st.button(
        texts.resume,
        type="primary",
        icon=":material/play_arrow:",
        key=f"x-resume-{one.session_id}",
        on_click=background().start,
        args=(one.session_id,),
    )


def warnings(one: Session) -> None:
    """Show the warnings of a session."""
    for warning in one.warnings:
        st.warning(escaping.label(warning), icon=":material/info:")


def details(texts: XTexts, one: Session, queries: Sequence[QueryState]) -> None:
    """Queries, times and costs."""
    with st.expander(texts.details, icon=":material/receipt_long:"):
        st.html(x_markup.queries_html(queries, texts))
        st.html(x_markup.seconds_html(one, texts, Sentences.of(session.texts().language).phase_names))
        cost = texts.cost.format(
            x=f"{one.cost_usd:.3f}",
            budget=f"{one.budget_usd:.2f}",
            model=f"{one.model_cost_usd:.4f}",
            name=one.model_id,
            reranker=one.reranker or "–",
        )
        until = texts.kept_until.format(until=moment(one.expires_at, session.zone(), session.texts().language))
        st.html(line_html(cost, until))
