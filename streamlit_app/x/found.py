"""Posts that a session found: the answer from them, filters, list, another look at them, and sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

import streamlit as st

from locator_search.app.sheets import sheet_as
from locator_search.ports.sheets import SheetFormat
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import Session
from locator_search.x_search.near_copies import threads
from locator_search.x_search.rechecking import Recheck, Rechecked
from locator_search.x_search.sheet import session_sheet
from streamlit_app.shared import escaping, session
from streamlit_app.shared.templates import line_html
from streamlit_app.x import markup as x_markup
from streamlit_app.x.components import x_search
from streamlit_app.x.texts import XTexts

SHOWN_AT_ONCE = 20
SHOWN_ON_THE_WAY = 5


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
            select_all=False,
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
    # A slider moves in whole steps from its start, and reaches no end between two of them.
    step = timedelta(hours=1) if last - first > timedelta(hours=6) else timedelta(minutes=1)
    start, end = first - (first - datetime.min) % step, last + (datetime.min - last) % step
    return st.slider(
        texts.period,
        start,
        end,
        (start, end),
        step,
        format="MM-DD HH:mm",
        key=f"x-period-{one.session_id}",
    )


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
