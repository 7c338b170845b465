"""What the `search` and `evidence` commands say around results, in Japanese and English, in one place.

The sentences of the search itself are in `locator_search.drive_search.messages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from locator_search.text.variants.rules import RULES

if TYPE_CHECKING:
    from locator_search.model import GroupKind


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of the two commands in one language; names in braces are filled in with `str.format`."""

    language: Literal["ja", "en"]
    summary: str
    link: str
    similarity: str
    cosine: str
    modified: str
    page: str
    clause: str
    excerpt: str
    groups: Mapping[GroupKind, str]
    members: Mapping[GroupKind, str]
    overlap: str
    why: str
    why_score: str
    why_arms: Mapping[str, str]
    why_words: str
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
    trace_variant: str
    rules: Mapping[str, str]
    none_at_all: str

    bad_time: str
    bad_time_hint: str
    empty_period: str


JAPANESE = Texts(
    language="ja",
    summary="要約: ",
    link="Link: ",
    similarity="類似度 {similarity:.2f}",
    cosine="コサイン {cosine:.2f}",
    modified="更新 {day}",
    page="{page} ページ",
    clause="条項 {clause}",
    excerpt="抜粋: ",
    groups={
        "copy": "ほか {count} 件のコピー:",
        "near_copy": "ほか {count} 件のほぼ同じ文書:",
        "version": "ほか {count} 件の版:",
    },
    members={"copy": "コピー", "near_copy": "ほぼ同じ", "version": "別の版"},
    overlap="語の一致 {overlap:.0%}",
    why="理由: ",
    why_score="スコア {score:.3f}（統合の方法 {fusion}、キーワードの重み {keyword_weight:.2f}）",
    why_arms={
        "vector": "埋め込み {rank} 位（コサイン {cosine:.3f}、類似度 {similarity:.2f}）",
        "keyword": "キーワード {rank} 位（BM25 {bm25:.2f}、名前の一致 {name_idf:.2f}、"
        "質問の語の一致率 {share:.2f}、類似度 {similarity:.2f}）",
    },
    why_words="一致した語 {words}",
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
    trace_variant="表記ゆれ: {written} → {others}（{rule}: --matching-off {name} で無効）",
    rules={name: rule.title["ja"] for name, rule in RULES.items()},
    none_at_all="なし",
    bad_time="{option} の日時を読み取れません: {value}",
    bad_time_hint="例: 2024-09-01、2024-09-01T09:00、令和6年9月、先月",
    empty_period="期間が空です: --after が --before より後になっています。",
)

ENGLISH = Texts(
    language="en",
    summary="Summary: ",
    link="Link: ",
    similarity="similarity {similarity:.2f}",
    cosine="cosine {cosine:.2f}",
    modified="modified {day}",
    page="page {page}",
    clause="clause {clause}",
    excerpt="Excerpt: ",
    groups={
        "copy": "copies ({count}):",
        "near_copy": "nearly the same document ({count}):",
        "version": "other versions ({count}):",
    },
    members={"copy": "copy", "near_copy": "nearly the same", "version": "other version"},
    overlap="{overlap:.0%} of the terms in common",
    why="Why: ",
    why_score="score {score:.3f} (fusion {fusion}, weight of the keywords {keyword_weight:.2f})",
    why_arms={
        "vector": "rank {rank} by embedding (cosine {cosine:.3f}, similarity {similarity:.2f})",
        "keyword": "rank {rank} by keywords (BM25 {bm25:.2f}, match in the name {name_idf:.2f}, "
        "share of the question's terms {share:.2f}, similarity {similarity:.2f})",
    },
    why_words="matched terms {words}",
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
    trace_variant="variant: {written} → {others} ({rule}; off with --matching-off {name})",
    rules={name: rule.title["en"] for name, rule in RULES.items()},
    none_at_all="none",
    bad_time="{option} is not a date or time: {value}",
    bad_time_hint="For example 2024-09-01, 2024-09-01T09:00, 令和6年9月, last month",
    empty_period="The period is empty: --after is later than --before.",
)


def texts(language: Literal["ja", "en"]) -> Texts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
