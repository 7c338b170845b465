"""The doings of the last runs over files, as plots and as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import ceil
from zoneinfo import ZoneInfo

import streamlit as st
from markupsafe import Markup

from locator_search.locales import Language
from locator_search.locales.times import moment
from locator_search.model import FileState
from locator_search.ports import CrawlRun
from streamlit_app.shared import markup, session
from streamlit_app.shared.templates import line_html
from streamlit_app.shared.texts import Texts
from streamlit_app.status.texts import StatusTexts

HEIGHT = 160
LEGEND_ROW = 24
LEGEND_COLUMNS = 2
"""As many as a phone has room for."""
COLOURS: Mapping[FileState, str] = {
    "indexed": "#2f6f9f",
    "pending": "#9fb8c9",
    "skipped": "#b8b8b8",
    "out_of_scope": "#8f8f8f",
    "no_access": "#d9a13b",
    "failed": "#d63a3a",
}


def history(say: StatusTexts, texts: Texts, runs: Sequence[CrawlRun], zone: ZoneInfo, dagster_url: str) -> None:
    """Files by state after each run, the time it took and what it cost; each row of the table leads to Dagster."""
    st.subheader(say.history, anchor=False)
    if not runs:
        st.html(line_html(say.no_runs))
        return
    states = {texts.states[state]: colour for state, colour in COLOURS.items()}
    files: list[Mapping[str, object]] = [
        {"run": _ended(run, zone), "kind": texts.states[state], "value": run.states.get(state, 0)}
        for run in runs
        for state in COLOURS
    ]
    plot(say.files_by_state, files, states)
    figures = {say.seconds: [run.seconds for run in runs], say.cost: [run.cost_usd for run in runs]}
    for column, (title, values) in zip(st.columns(2), figures.items(), strict=True):
        with column:
            bars = [
                {"run": _ended(run, zone), "kind": title, "value": value}
                for run, value in zip(runs, values, strict=True)
            ]
            plot(title, bars, {title: COLOURS["indexed"]})
    with st.expander(say.runs):
        rows = [_row(run, zone, dagster_url, say.language) for run in reversed(runs)]
        st.html(markup.table_html(say.run_columns, rows))


def _ended(run: CrawlRun, zone: ZoneInfo) -> str:
    """A name of its own for each run; the axis shows its beginning, up to the minute."""
    return f"{run.finished_at.astimezone(zone):%m-%d %H:%M:%S.%f}"


def plot(
    title: str, values: Sequence[Mapping[str, object]], colours: Mapping[str, str], *, stacked: bool = True
) -> None:
    """A bar for each run or day, its kinds on top of each other, or before each other as they come."""
    st.html(line_html(title))
    names = StatusTexts.of(session.texts().language).chart_names  # fields bear them: people see them above the figures
    when, kind, value = names["when"], names["kind"], names["value"]
    colour = {
        "field": kind,
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(colours), "range": list(colours.values())},
        "legend": {"aria": False, "orient": "bottom", "columns": LEGEND_COLUMNS} if len(colours) > 1 else None,
    }
    axis = {
        "aria": False,
        "title": None,
        "labelAngle": 0,
        "labelOverlap": True,
        "labelExpr": "slice(datum.label, 0, 11)",
    }
    st.vega_lite_chart(
        {
            "description": title,
            "data": {"values": [{when: row["run"], kind: row["kind"], value: row["value"]} for row in values]},
            "transform": [{"calculate": f"slice(datum[{json.dumps(when)}], 0, 11)", "as": "minute"}],
            "mark": {"type": "bar", "width": {"band": 0.7}},
            "encoding": {
                "x": {"field": when, "type": "ordinal", "axis": axis},
                "y": {
                    "field": value,
                    "type": "quantitative",
                    "stack": "zero" if stacked else None,
                    "axis": {"aria": False, "title": None, "tickCount": 4, "minExtent": 44},
                },
                "color": colour,
                "tooltip": [{"field": "minute", "title": when}, {"field": kind}, {"field": value}],
            },
            "height": HEIGHT + (LEGEND_ROW * (1 + ceil(len(colours) / LEGEND_COLUMNS)) if len(colours) > 1 else 0),
        },
        width="stretch",
    )


def _row(run: CrawlRun, zone: ZoneInfo, dagster_url: str, language: Language) -> Sequence[object]:
    link = Markup('<a href="{}/runs/{}" target="_blank">{}</a>').format(
        dagster_url.rstrip("/"), run.run_id, moment(run.finished_at, zone, language)
    )
    counts = (f"{count:,}" for count in (run.indexed, run.skipped, run.failed, run.removed))
    return (link, f"{run.seconds:,.1f}", *counts, f"{run.tokens:,}", f"${run.cost_usd:,.4f}")
