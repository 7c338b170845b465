"""All questions with their costs, for administrators: plots by day, costs by kind of work, and questions in lists."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import streamlit as st

from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied
from locator_search.health.usage import UsageTexts, usage_sheet
from locator_search.ports.feedback import UsageReport, Work
from streamlit_app.shared import access, markup, session
from streamlit_app.shared.templates import line_html
from streamlit_app.status.history import COLOURS, plot
from streamlit_app.status.texts import StatusTexts

PERIODS = (7, 30, 90)
SHOWN = 20
WORK_COLOURS: Mapping[Work, str] = {
    "questions": "#2f6f9f",
    "summaries": "#9fb8c9",
    "embeddings": "#d9a13b",
    "live": "#5f8f5f",
    "x": "#8f6fa8",
    "posts": "#c98fb0",
    "contributions": "#b8742f",
    "other": "#8f8f8f",
}


def page() -> None:
    """The whole page, top to bottom."""
    texts, settings = session.texts(), load_settings()
    say, words = StatusTexts.of(texts.language), UsageTexts.of(texts.language)
    st.html(line_html(words.title, style="head"))
    days = st.segmented_control(
        words.days,
        PERIODS,
        format_func=lambda count: say.last_days.format(days=count),
        default=30,
        required=True,
        key="usage-days",
        label_visibility="collapsed",
    )
    try:
        report = session.locator().usage_reader.report(days or 30)
    except AccessDenied:
        st.html(line_html(say.usage_for_administrators))
        return
    sheet = usage_sheet(report, words, session.zone(), days or 30)
    with st.container(horizontal=True, gap="small"):
        for name, value in sheet.facts[1:]:
            st.metric(name, value, border=True)
    if not sheet.sections:
        st.html(line_html(words.no_questions))
        return
    today = session.locator().clock.now().astimezone(session.zone()).date()
    plots(say, words, report, [today - timedelta(before) for before in reversed(range(days or 30))])
    hidden = {words.unanswered, words.dearest, words.newest} if access.others_may_look(settings) else set()
    if hidden:
        st.html(line_html(say.questions_hidden))
    with st.container(key="usage"):
        for section in sheet.sections:
            if section.table and section.title not in hidden:
                rows = section.table.rows if section.title == words.by_day else section.table.rows[:SHOWN]
                st.subheader(section.title, anchor=False)
                st.html(markup.table_html(section.table.columns, rows))
                if len(rows) < len(section.table.rows):
                    st.html(line_html(say.first_of.format(first=SHOWN)))


def plots(say: StatusTexts, words: UsageTexts, report: UsageReport, days: Sequence[date]) -> None:
    """Questions, seconds and costs by day; days without any have their place, too."""
    found = [(one.day, say.found, one.questions - one.unanswered) for one in report.days]
    nothing = [(one.day, say.found_nothing, one.unanswered) for one in report.days]
    colours = {say.found: COLOURS["indexed"], say.found_nothing: WORK_COLOURS["embeddings"]}
    plot(words.questions, _bars(days, [*found, *nothing]), colours)
    paid = [(one.day, words.works[one.work], one.cost_usd) for one in report.work if one.cost_usd]
    left, right = st.columns(2) if paid else (st.container(), None)
    with left:
        slow = [(one.day, say.p95, one.p95_seconds or 0) for one in report.days]
        usual = [(one.day, say.median, one.median_seconds or 0) for one in report.days]
        colours = {say.median: COLOURS["indexed"], say.p95: COLOURS["pending"]}
        plot(words.seconds, _bars(days, [*slow, *usual]), colours, stacked=False)
    if right:
        shown = {kind for _, kind, _ in paid}
        colours = {name: WORK_COLOURS[work] for work, name in words.works.items() if name in shown}
        with right:
            plot(words.cost, _bars(days, paid), colours)


def _bars(days: Sequence[date], values: Sequence[tuple[date | None, str, float]]) -> Sequence[Mapping[str, object]]:
    every = [(day, values[0][1] if values else "", 0) for day in days]
    return [{"run": str(day), "kind": kind, "value": value} for day, kind, value in [*every, *values]]


page()
