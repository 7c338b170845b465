"""The pieces of the status page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import streamlit as st

from locator_search.health.alarms import Alarm
from locator_search.health.root_texts import notice
from locator_search.locales.reasons import counted, reason_text
from locator_search.model import CoverageCounts, RootWarning, SearchCoverage
from locator_search.ports import CrawlProgress, IndexStatus, KnownFile, PartStatus, WaitingBatch
from locator_search.retrieval.calibration import has_profile
from streamlit_app.shared import escaping, markup
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts, ago
from streamlit_app.status.texts import StatusTexts

Retry = Callable[[str | None, str | None], int]
"""Has all files of a state tried again, those with one reason, or the one of that id; returns how many."""


def figures(texts: Texts, status: IndexStatus, now: datetime) -> None:
    """The index in four figures, and what its similarities were measured on."""
    synced = ago(texts, status.last_sync.finished_at, now) if status.last_sync else texts.never
    newest = ago(texts, status.newest_indexed_at, now) if status.newest_indexed_at else texts.never
    spent = texts.spent_detail.format(calls=status.model_calls, tokens=status.tokens)
    with st.container(horizontal=True, gap="small"):
        st.metric(texts.last_sync, synced, border=True)
        st.metric(texts.newest_indexed, newest, border=True)
        st.metric(texts.chunks, f"{status.chunks:,}", border=True)
        st.metric(texts.spent, f"${status.cost_usd:,.4f}", border=True, help=spent)
    st.html(line_html(*_scale(texts, status, now)))
    if status.stand_in_summaries or status.without_embeddings:
        st.warning(texts.models_owe.format(summaries=status.stand_in_summaries, embeddings=status.without_embeddings))


def _scale(texts: Texts, status: IndexStatus, now: datetime) -> Iterator[str]:
    measured = status.calibration
    if measured is None:
        yield texts.scale_shipped if has_profile(status.embedding_model) else texts.scale_sampled
        return
    yield texts.scale_measured.format(ago=ago(texts, measured.measured_at, now), files=measured.files)
    if status.calibration_is_old:
        yield texts.scale_old


def root_warnings(texts: Texts, warnings: Sequence[RootWarning]) -> None:
    """Warnings about source roots, each with the command that settles it."""
    for warning in warnings:
        told = notice(warning, texts.language)
        st.warning(escaping.label(told.message), icon=":material/warning:")
        if told.detail:
            st.html(render("status/status", "warned", told.detail, texts))
        if told.command:
            st.code(told.command, language=None, wrap_lines=True)


def coverage(texts: Texts, counts: CoverageCounts) -> None:
    """Files by state, and whether the states add up to the listing."""
    st.subheader(texts.coverage, anchor=False)
    rows = [(texts.states[state], f"{count:,}") for state, count in counts.by_state.items()]
    total = sum(counts.by_state.values())
    st.html(markup.table_html((texts.state, texts.files), [*rows, (texts.sum, f"{total:,}")]))
    if counts.complete:
        st.success(texts.sums_equal.format(counts.listed), icon=":material/check_circle:")
    else:
        st.error(texts.sums_differ.format(total=total, listed=counts.listed), icon=":material/error:")
    if counts.by_reason:
        reasons = [(words, f"{count:,}") for words, count in counted(counts.by_reason, texts.language)]
        with st.expander(texts.reasons):
            st.html(markup.table_html((texts.reason, texts.files), reasons))


def alarms(found: Sequence[Alarm]) -> None:
    """Things to look at."""
    for alarm in found:
        st.warning(escaping.label(alarm.message), icon=":material/notification_important:")


def nothing_listed(say: StatusTexts, texts: Texts, folders: Sequence[Path]) -> None:
    """Before the first crawl has listed anything: what is crawled, and how to crawl something else."""
    places = escaping.label(", ".join(map(str, folders)))
    st.info(f"**{say.no_files}**  \n{say.still_empty.format(places=places)}", icon=":material/inventory_2:")
    st.page_link("adding/adding.py", label=texts.no_index_way, icon=":material/create_new_folder:")


def for_readers(say: StatusTexts, readable: SearchCoverage) -> None:
    """The index as people see it who are no administrators."""
    told = say.readable.format(listed=readable.listed, searchable=readable.searchable, unread=readable.unread)
    st.html(line_html(told, say.for_administrators))


def progress(say: StatusTexts, texts: Texts, crawl: CrawlProgress, listed: int) -> None:
    """How far a crawl has come, its speed, the time left, and the files that are found from now on."""
    if not crawl.waiting:
        return
    total = max(0, listed - crawl.in_batches)
    done = max(0, total - crawl.waiting)
    st.progress(done / max(1, total), text=say.progress.format(listed=total, done=done))
    speed = speed_line(say, crawl)
    names = say.latest.format(names=texts.comma.join(crawl.latest)) if crawl.latest else ""
    st.html(line_html(*filter(None, (speed, names))))


def batches(say: StatusTexts, texts: Texts, waiting: Sequence[WaitingBatch], now: datetime) -> None:
    """The files a model still has to answer for: nothing is under way here meanwhile."""
    for batch in waiting:
        since = ago(texts, batch.submitted_at, now)
        told = say.batch.format(batch.files, id=batch.batch_id or "–", since=since, cost=batch.estimated_usd)
        st.html(line_html(told))


def speed_line(say: StatusTexts, crawl: CrawlProgress) -> str:
    """How fast a crawl is, once a file is done, and the time left."""
    if crawl.seconds_left is None:
        return say.no_speed
    left = timedelta(seconds=round(crawl.seconds_left))
    if not crawl.files_per_minute:  # the first ones are still being read
        return say.time_left.format(left=left)
    return say.speed.format(crawl.files_per_minute, left=left)


def failures(
    say: StatusTexts, texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry
) -> None:
    """Files that should be readable and are not; `files` are the newest of `total`."""
    st.subheader(texts.failures, anchor=False)
    if files:
        _files(say, texts, files, total, now, retry)
    else:
        st.html(line_html(texts.no_failures))


def skipped(
    say: StatusTexts, texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry
) -> None:
    """Files left out on purpose; `files` are the newest of `total`."""
    if files:
        with st.expander(texts.skipped.format(count=total)):
            _files(say, texts, files, total, now, retry)


def _files(say: StatusTexts, texts: Texts, files: Sequence[KnownFile], total: int, now: datetime, retry: Retry) -> None:
    if len(files) < total:
        st.html(line_html(texts.newest_of.format(total=f"{total:,}", shown=len(files))))
    states = "-".join(sorted({known.state for known in files}))
    with st.container(horizontal=True, gap="small"):
        _retry_button(texts, texts.retry_all.format(count=total), f"all-{states}", partial(retry, None, None))
        kinds = sorted({known.reason.partition(":")[0] for known in files if known.reason})
        for kind in kinds if len(kinds) > 1 else ():
            words = escaping.label(reason_text(kind, texts.language).words)
            _retry_button(texts, say.retry_kind.format(words=words), f"kind-{kind}", partial(retry, kind, None))
    for known in files:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            is_due = known.next_try_at is not None and known.next_try_at <= now
            st.html(render("status/status", "file_problem", known, is_due, texts))
            file_id = known.file.file_id
            _retry_button(texts, texts.retry, file_id, partial(retry, None, file_id))


def _retry_button(texts: Texts, words: str, key: str, retry: Callable[[], int]) -> None:
    def clicked() -> None:
        st.toast(texts.retried.format(count=retry()), icon=":material/check:")

    st.button(words, key=f"retry-{key}", icon=":material/refresh:", width="content", on_click=clicked)


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
