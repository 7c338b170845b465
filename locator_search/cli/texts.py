"""What the `search` and `evidence` commands say around results, in Japanese and English, in one place.

The sentences of the search itself are in `locator_search.drive_search.messages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of the two commands in one language; names in braces are filled in with `str.format`."""

    summary: str
    link: str
    similarity: str
    cosine: str
    modified: str
    page: str
    clause: str
    excerpt: str
    changed: str
    not_verified: str
    nothing: str
    choose: str
    stand_ins: str
    usage: str

    trace: str
    trace_round: str
    trace_query: str
    trace_keywords: str
    none_at_all: str

    bad_time: str
    bad_time_hint: str
    empty_period: str


JAPANESE = Texts(
    summary="要約: ",
    link="Link: ",
    similarity="類似度 {similarity:.2f}",
    cosine="コサイン {cosine:.2f}",
    modified="更新 {day}",
    page="{page} ページ",
    clause="条項 {clause}",
    excerpt="抜粋: ",
    changed="索引作成後に変更あり",
    not_verified="取得元で未確認",
    nothing="見つかりませんでした。",
    choose="番号か言葉で答えてください（Enter で省略）: ",
    stand_ins="オフラインの代役が答えました（言語モデル: {chat}、埋め込み: {embedding}）。",
    usage="モデル呼び出し {calls:,} 回、{tokens:,} トークン、{cost:.6f} USD",
    trace="判断の経過:",
    trace_round="{round} 回目 {branch}: 件数 {hit_count}（正確な数）、最高類似度 {top}、しきい値 {threshold:.2f}",
    trace_query="検索クエリ: ",
    trace_keywords="キーワード: ",
    none_at_all="なし",
    bad_time="{option} の日時を読み取れません: {value}",
    bad_time_hint="例: 2024-09-01、2024-09-01T09:00、令和6年9月、先月",
    empty_period="期間が空です: --after が --before より後になっています。",
)

ENGLISH = Texts(
    summary="Summary: ",
    link="Link: ",
    similarity="similarity {similarity:.2f}",
    cosine="cosine {cosine:.2f}",
    modified="modified {day}",
    page="page {page}",
    clause="clause {clause}",
    excerpt="Excerpt: ",
    changed="changed since it was indexed",
    not_verified="not verified at its source",
    nothing="Nothing was found.",
    choose="Answer with a number or in words (Enter skips): ",
    stand_ins="Answered by offline stand-ins (language model: {chat}, embeddings: {embedding}).",
    usage="Model calls: {calls:,}, {tokens:,} tokens, {cost:.6f} USD",
    trace="How it was decided:",
    trace_round="Round {round}, {branch}: {hit_count} hits (exact), top similarity {top}, threshold {threshold:.2f}",
    trace_query="query: ",
    trace_keywords="keywords: ",
    none_at_all="none",
    bad_time="{option} is not a date or time: {value}",
    bad_time_hint="For example 2024-09-01, 2024-09-01T09:00, 令和6年9月, last month",
    empty_period="The period is empty: --after is later than --before.",
)


def texts(language: Literal["ja", "en"]) -> Texts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
