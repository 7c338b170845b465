"""The pieces of the status page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import streamlit as st

from locator_search.health.root_texts import notice
from locator_search.locales.reasons import counted
from locator_search.model import CoverageCounts, RootWarning
from locator_search.ports import IndexStatus, KnownFile, PartStatus
from locator_search.retrieval.calibration import has_profile
from streamlit_app.shared import escaping, markup
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts, ago

Retry = Callable[[Sequence[KnownFile]], None]


def figures(texts: Texts, status: IndexStatus, now: datetime) -> None:
    """The index in four figures, and what its similarities were measured on."""
    synced = ago(texts, status.last_sync.finished_at, now) if status.last_sync else texts.never
    newest = ago(texts, status.newest_indexed_at, now) if status.newest_indexed_at else texts.never
    spent = texts.spent_detail.format(calls=f"{status.model_calls:,}", tokens=f"{status.tokens:,}")
    with st.container(horizontal=True, gap="small"):
        st.metric(texts.last_sync, synced, border=True)
        st.metric(texts.newest_indexed, newest, border=True)
        st.metric(texts.chunks, f"{status.chunks:,}", border=True)
        st.metric(texts.spent, f"${status.cost_usd:,.4f}", border=True, help=spent)
    st.html(line_html(*_scale(texts, status, now)))
    if status.stand_in_summaries or status.without_embeddings:
        st.warning(
            texts.models_owe.format(
                summaries=f"{status.stand_in_summaries:,}", embeddings=f"{status.without_embeddings:,}"
            )
        )


def _scale(texts: Texts, status: IndexStatus, now: datetime) -> Iterator[str]:
    measured = status.calibration
    if measured is None:
        yield texts.scale_shipped if has_profile(status.embedding_model) else texts.scale_sampled
        return
    yield texts.scale_measured.format(ago=ago(texts, measured.measured_at, now), files=f"{measured.files:,}")
    if status.calibration_is_old:
        yield texts.scale_old


def root_warnings(texts: Texts, warnings: Sequence[RootWarning]) -> None:
    """Warnings about source roots, each with the command that settles it."""
    for warning in warnings:
        told = notice(warning, texts.language)
        st.warning(escaping.label(told.message), icon=":material/warning:")
        if told.command:
            st.code(told.command, language=None, wrap_lines=True)


def coverage(texts: Texts, counts: CoverageCounts) -> None:
    """Files by state, and whether the states add up to the listing."""
    st.subheader(texts.coverage, anchor=False)
    rows = [(texts.states[state], f"{count:,}") for state, count in counts.by_state.items()]
    total = sum(counts.by_state.values())
    st.html(markup.table_html((texts.state, texts.files), [*rows, (texts.sum, f"{total:,}")]))
    if counts.complete:
        st.success(texts.sums_equal.format(listed=f"{counts.listed:,}"), icon=":material/check_circle:")
    else:
        st.error(texts.sums_differ.format(total=f"{total:,}", listed=f"{counts.listed:,}"), icon=":material/error:")
    if counts.by_reason:
        reasons = [(words, f"{count:,}") for words, count in counted(counts.by_reason, texts.language)]
        with st.expander(texts.reasons):
            st.html(markup.table_html((texts.reason, texts.files), reasons))


def failures(texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry) -> None:
    """Files that should be readable and are not; `files` are the newest of `total`."""
    st.subheader(texts.failures, anchor=False)
    if files:
        _files(texts, files, total, now, retry)
    else:
        st.html(line_html(texts.no_failures))


def skipped(texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry) -> None:
    """Files left out on purpose; `files` are the newest of `total`."""
    if files:
        with st.expander(texts.skipped.format(count=f"{total:,}")):
            _files(texts, files, total, now, retry)


def _files(texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry) -> None:
    if len(files) < total:
        st.html(line_html(texts.newest_of.format(total=f"{total:,}", shown=len(files))))
    _retry_button(texts, texts.retry_all.format(count=len(files)), files, retry)
    for known in files:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            is_due = known.next_try_at is not None and known.next_try_at <= now
            st.html(render("status/status", "file_problem", known, is_due, texts))
            _retry_button(texts, texts.retry, [known], retry)


def _retry_button(texts: Texts, words: str, files: Sequence[KnownFile], retry: Retry) -> None:
    def clicked() -> None:
        retry(files)
        st.toast(texts.retried.format(count=len(files)), icon=":material/check:")

    key = f"retry-{words}-{files[0].file.file_id}"
    st.button(words, key=key, icon=":material/refresh:", width="content", on_click=clicked)


def parts(texts: Texts, statuses: Sequence[PartStatus]) -> None:
    """The state of each part of the product."""
    st.subheader(texts.parts, anchor=False)
    st.html("".join(render("status/status", "part", part, texts) for part in statuses))


def dagster_links(texts: Texts, url: str) -> None:
    """Links to Dagster, where the crawl can be watched."""
    base = url.rstrip("/")
    st.subheader(texts.dagster, anchor=False)
    with st.container(horizontal=True):
        st.link_button(texts.dagster_assets, f"{base}/assets", icon=":material/account_tree:")
        st.link_button(texts.dagster_runs, f"{base}/runs", icon=":material/history:")
