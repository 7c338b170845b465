"""The pieces of the X page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from locator_search.app.sheets import sheet_as
from locator_search.ports.sheets import SheetFormat
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import QueryState, Session
from locator_search.x_search.background import BackgroundWork
from locator_search.x_search.messages import Sentences, small_budget
from locator_search.x_search.near_copies import threads
from locator_search.x_search.phases import seconds_left
from locator_search.x_search.rechecking import Recheck, Rechecked
from locator_search.x_search.searcher import XSearch
from locator_search.x_search.sheet import session_sheet
from streamlit_app.shared import escaping, session
from streamlit_app.shared.templates import line_html, separated
from streamlit_app.x import markup as x_markup
from streamlit_app.x.texts import XTexts

SMALLEST_BUDGET = 0.05
"""US dollars: one page of the smallest size."""
SHOWN_AT_ONCE = 20
SHOWN_ON_THE_WAY = 5


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
                created=f"{one.created_at.astimezone(session.zone()):%m-%d %H:%M %Z}",
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


def answer(texts: XTexts, one: Session, found: Sequence[FoundPost]) -> None:
    """The answer with its citations, and plainly so where a stand-in wrote it."""
    st.html(line_html(texts.answer_heading, style="outcome"))
    if not one.answer:
        st.html(line_html(texts.no_answer))
        return
    places = {item.post.post_id: item for item in found}
    st.html(x_markup.answer_html(one.answer, places, texts))
    if found and one.model_id.startswith("offline-"):
        st.html(line_html(texts.stand_in, style="stand-in") + line_html(texts.stand_in_hint))


def warnings(one: Session) -> None:
    """Show the warnings of a session."""
    for warning in one.warnings:
        st.warning(escaping.label(warning), icon=":material/info:")


def still_there(texts: XTexts, one: Session, plan: Recheck, look: Callable[[Recheck], None]) -> None:
    """Show how many posts are gone, and a button that asks X about posts of earlier days, with its price on it."""
    if one.removed:
        st.html(line_html(texts.removed.format(count=one.removed)))
    if not plan.post_ids or one.source != "x":
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(line_html(texts.to_recheck.format(count=len(plan.post_ids))))
        price = escaping.label(texts.recheck.format(at_most=f"{plan.at_most:.2f}"))
        if st.button(price, icon=":material/refresh:", key=f"x-recheck-{one.session_id}"):
            look(plan)


def rechecked(texts: XTexts, done: Rechecked) -> None:
    """Show the result of asking X again."""
    message = (texts.rechecked if done.gone else texts.all_there).format(
        still_there=done.still_there, gone=len(done.gone), cost=f"{done.cost_usd:.3f}"
    )
    if done.why_ended:
        message += " " + texts.why_ended[done.why_ended].format(left=done.left)
    st.info(escaping.label(message), icon=":material/info:")


def post_filters(texts: XTexts, one: Session, found: Sequence[FoundPost]) -> set[str]:
    """Author and time; returns the ids of the posts that are left."""
    zone = session.zone()
    names = Counter(_author(item) for item in found)
    with st.expander(texts.filters, icon=":material/filter_list:"):
        authors = st.multiselect(
            texts.authors,
            [name for name, _ in names.most_common()],
            format_func=lambda name: f"@{name} ({names[name]})",
            placeholder=texts.authors_placeholder,
            key=f"x-authors-{one.session_id}",
        )
        times = [item.post.posted_at.astimezone(zone).replace(tzinfo=None) for item in found]
        period = _period(texts, one, min(times), max(times))
    left = {
        item.post.post_id
        for item, time in zip(found, times, strict=True)
        if (not authors or _author(item) in authors) and period[0] <= time <= period[1]
    }
    st.html(line_html(texts.shown.format(total=len(found), shown=len(left))))
    return left


def _period(texts: XTexts, one: Session, first: datetime, last: datetime) -> tuple[datetime, datetime]:
    if first == last:
        return first, last
    chosen = st.slider(texts.period, first, last, (first, last), format="MM-DD HH:mm", key=f"x-period-{one.session_id}")
    # The slider moves in whole steps, so its ends stand for the ends of the posts themselves.
    return (first if chosen[0] <= first else chosen[0]), (last if chosen[1] >= last else chosen[1])


def _author(found: FoundPost) -> str:
    return found.post.author or found.post.author_id


def posts(texts: XTexts, found: Sequence[FoundPost], left: set[str], limit: int) -> int:
    """The posts that passed the filters as cards, threads and near-copies together; returns how many are not shown."""
    zone = session.zone()
    numbers = {one.post.post_id: number for number, one in enumerate(found, start=1)}
    groups = threads([one for one in found if one.post.post_id in left])
    for group in groups[:limit]:
        first, *others = group
        with st.container(border=True, key=f"x-post-{first.post.post_id}", gap="xsmall"):
            st.html(x_markup.post_html(first, numbers[first.post.post_id], texts, zone))
            if others:
                with st.expander(texts.same_thread.format(count=len(others))):
                    cards = (x_markup.post_html(one, numbers[one.post.post_id], texts, zone) for one in others)
                    st.html("".join(cards))
    return max(0, len(groups) - limit)


def downloads(texts: XTexts, one: Session, owner: str) -> None:
    """The answer with its posts as Word, Markdown and Excel, written when clicked from what may be shown by then."""

    def write(sheet_format: SheetFormat) -> bytes:
        now = x_search().get(one.session_id, owner)
        posts = x_search().posts(one.session_id)
        return sheet_as(session_sheet(now, posts, session.zone(), session.texts().language), sheet_format)

    names: dict[SheetFormat, str] = {"docx": "Word", "md": "Markdown", "xlsx": "Excel"}
    with st.container(horizontal=True, gap="small"):
        for sheet_format, name in names.items():
            st.download_button(
                texts.download.format(format=name),
                data=partial(write, sheet_format),
                file_name=f"{texts.file_name}.{sheet_format}",
                on_click="ignore",
                key=f"x-download-{sheet_format}",
                icon=":material/download:",
            )


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
        until = texts.kept_until.format(until=f"{one.expires_at.astimezone(session.zone()):%Y-%m-%d %H:%M %Z}")
        st.html(line_html(cost, until))
