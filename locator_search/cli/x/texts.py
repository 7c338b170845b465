"""What the `x` commands say, in Japanese and English, in one place. What a search itself says is in its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from locator_search.ports.x.sessions import SessionStatus
from locator_search.x_search.rechecking import WhyEnded


@dataclass(frozen=True, slots=True)
class XTexts:
    """All texts in one language; names in braces are filled in with `str.format`."""

    sample: str
    estimate: str
    model_extra: str
    session: str
    left: str
    statuses: Mapping[SessionStatus, str]
    stopped: str
    resume_with: str
    cost: str
    queries: str
    query_line: str
    answer: str
    not_supported: str
    offline_answer: str
    posts: str
    more_posts: str
    near_copies: str
    likes: str
    scores: str
    seconds: str
    no_sessions: str
    session_line: str
    forgotten: str
    to_recheck: str
    nothing_to_recheck: str
    recheck_cost: str
    recheck_with: str
    rechecked: str
    why_ended: Mapping[WhyEnded, str]
    removed: str


JAPANESE = XTexts(
    sample="付属の見本の投稿（架空）を検索します。X には接続せず、費用もかかりません。"
    "実際の X を検索するには X_BEARER_TOKEN を設定してください。",
    estimate="費用の見積もり: 最大 {at_most} ドル（投稿 {posts} 件まで）。"
    "すべての検索クエリで 100 件ずつ取得すると {full} ドル。今月の使用額 {month} ドル／上限 {cap} ドル。",
    model_extra="ほかに言語モデルの費用がかかります。",
    session="セッション {session_id}",
    left="残り約 {seconds} 秒",
    statuses={"running": "実行中", "paused": "一時停止", "done": "完了", "failed": "失敗"},
    stopped="中断",
    resume_with="再開: document-locator x resume {session_id}",
    cost="費用: X {x} ドル、言語モデル {model} ドル",
    queries="検索クエリ",
    query_line="{ordinal}. {text}（{fetched} 件、新規 {fresh} 件）{reason}",
    answer="回答",
    not_supported="［根拠なし］",
    offline_answer="回答はオフラインの代役によるもので、投稿から文を抜き出しただけです。",
    posts="投稿 {count} 件（再順位付け: {reranker}）",
    more_posts="ほか {count} 件。--show で表示件数を変えられます。",
    near_copies="ほぼ同じ投稿 ほか {count} 件",
    likes="いいね {count}",
    scores="スコア {final:.3f}（埋め込み {embedding:.2f}、再順位 {rerank}）",
    seconds="段階ごとの所要時間: {phases}（うち X の応答 {x:.1f} 秒）",
    no_sessions="セッションはありません。",
    session_line="{created:%m-%d %H:%M}  {status}  {progress:.0%}  投稿 {posts} 件  {cost:.3f} ドル  {question}",
    forgotten="セッション {count} 件と、その投稿を削除しました。",
    to_recheck="昨日（UTC）以前に取得した投稿が {count} 件あります。X で削除されていないか、確認が必要です。",
    nothing_to_recheck="確認が必要な投稿はありません。すべて今日（UTC）取得したものです。",
    recheck_cost="費用は最大 {at_most} ドルです。",
    recheck_with="確認: document-locator x recheck {session_id}",
    rechecked="{still_there} 件は X に残っています。削除されていた {gone} 件を取り除きました。未確認 {left} 件。"
    "費用 {cost} ドル。",
    why_ended={
        "": "",
        "budget": "予算に達したため、途中で終わりました。--budget で増やせます。",
        "month": "今月の上限（X_MONTHLY_CAP_USD）に達したため、途中で終わりました。",
        "rate_limit": "X の利用制限に達したため、途中で終わりました。15 分ほど後にもう一度実行してください。",
        "credits": "X のクレジットが足りないため、途中で終わりました。",
    },
    removed="X で削除された {count} 件は取り除きました。",
)

ENGLISH = XTexts(
    sample="Searching the recorded sample (made-up posts). X is not asked and nothing is paid."
    " Set X_BEARER_TOKEN to search X itself.",
    estimate="Estimated cost: at most ${at_most} ({posts} posts). 100 posts of every query would be ${full}."
    " Spent this month: ${month} of ${cap}.",
    model_extra="The language model costs extra.",
    session="Session {session_id}",
    left="about {seconds} s left",
    statuses={"running": "running", "paused": "paused", "done": "done", "failed": "failed"},
    stopped="stopped",
    resume_with="Resume: document-locator x resume {session_id}",
    cost="Cost: X ${x}, language model ${model}",
    queries="Queries",
    query_line="{ordinal}. {text} ({fetched} posts, {fresh} new) {reason}",
    answer="Answer",
    not_supported="[not supported]",
    offline_answer="The answer is by an offline stand-in: sentences picked out of posts.",
    posts="{count} posts (reranked by {reranker})",
    more_posts="{count} more; --show shows more of them.",
    near_copies="{count} near-copies",
    likes="{count} likes",
    scores="score {final:.3f} (embedding {embedding:.2f}, rerank {rerank})",
    seconds="Time by phase: {phases} ({x:.1f} s of it X's own)",
    no_sessions="There are no sessions.",
    session_line="{created:%m-%d %H:%M}  {status}  {progress:.0%}  {posts} posts  ${cost:.3f}  {question}",
    forgotten="{count} sessions and their posts were deleted.",
    to_recheck="{count} posts were fetched before today (UTC). Whether X still has them is not known.",
    nothing_to_recheck="There is nothing to look at: all posts were fetched today (UTC).",
    recheck_cost="To look costs at most ${at_most}.",
    recheck_with="Look: document-locator x recheck {session_id}",
    rechecked="{still_there} posts are still at X. {gone} are gone there and were taken out. Not looked at: {left}."
    " Cost: ${cost}.",
    why_ended={
        "": "",
        "budget": "The budget is reached; --budget raises it.",
        "month": "This month's cap (X_MONTHLY_CAP_USD) is reached.",
        "rate_limit": "X's rate limit is reached. Run it again in about 15 minutes.",
        "credits": "There are not enough X credits.",
    },
    removed="{count} posts were taken out because X no longer has them.",
)


def x_texts(language: Literal["ja", "en"]) -> XTexts:
    """All texts in one language."""
    return ENGLISH if language == "en" else JAPANESE
