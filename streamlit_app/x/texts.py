"""The texts of the X page, Japanese and English. What a search itself says is in its own messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.ports.x.sessions import QueryStatus, SessionStatus
from locator_search.x_search.rechecking import WhyEnded
from streamlit_app.shared.texts import Language


@dataclass(frozen=True, slots=True)
class XTexts:
    """The words of one language."""

    page: str
    title: str
    lead: str
    sample: str
    sample_hint: str
    question: str
    placeholder: str
    budget: str
    budget_help: str
    model: str
    run: str
    estimate: str
    free: str
    model_extra: str
    month: str
    sessions: str
    no_sessions: str
    session_line: str
    statuses: Mapping[SessionStatus, str]
    stopped: str
    stopped_hint: str
    resume: str
    delete: str
    refused: str
    progress: str
    left: str
    so_far: str
    answer: str
    no_answer: str
    not_supported: str
    stand_in: str
    stand_in_hint: str
    filters: str
    authors: str
    authors_placeholder: str
    period: str
    shown: str
    posts: str
    near_copies: str
    likes: str
    replies: str
    reposts: str
    final_score: str
    score_parts: str
    not_reranked: str
    more: str
    details: str
    query_columns: tuple[str, ...]
    query_statuses: Mapping[QueryStatus, str]
    phase_columns: tuple[str, ...]
    x_time: str
    cost: str
    kept_until: str
    removed: str
    to_recheck: str
    recheck: str
    rechecked: str
    all_there: str
    why_ended: Mapping[WhyEnded, str]


JAPANESE = XTexts(
    page="X 検索",
    title="X 検索",
    lead="質問から 6 つ以上の検索クエリを作り、X の直近 7 日間の投稿を集めて採点し、投稿を引用して回答します。",
    sample="付属の見本の投稿（架空）を検索しています。",
    sample_hint="X には接続せず、費用もかかりません。実際の X を検索するには X_BEARER_TOKEN を設定してください。",
    question="質問",
    placeholder="例: インボイス制度の現場の反応",
    budget="予算（ドル）",
    budget_help="この検索で投稿の取得に使う上限です。",
    model="言語モデル",
    run="検索する",
    estimate="費用は最大 {at_most} ドル（投稿 {posts} 件まで）。全クエリで 100 件ずつ取得すると {full} ドル。",
    free="投稿の費用はかかりません。",
    model_extra="ほかに言語モデルの費用がかかります。",
    month="今月の使用額 {month} ドル／上限 {cap} ドル",
    sessions="これまでのセッション",
    no_sessions="セッションはまだありません。",
    session_line="{created}  {status}  {question}（投稿 {posts} 件、{cost} ドル）",
    statuses={"running": "実行中", "paused": "一時停止", "done": "完了", "failed": "失敗"},
    stopped="中断しています",
    stopped_hint="ここまでの結果は保存されています。購入済みの投稿に再び費用がかかることはありません。",
    resume="再開する",
    delete="このセッションを削除",
    refused="そのセッションは見つからないか、保存期限が切れています。",
    progress="進行状況 {percent} — {phase}",
    left="残り約 {seconds} 秒",
    so_far="これまでに見つかった投稿 {count} 件",
    answer="回答",
    no_answer="回答はありません。",
    not_supported="根拠なし",
    stand_in="オフラインの代役による回答です。",
    stand_in_hint="投稿から文を抜き出して並べたもので、内容を理解してまとめたものではありません。",
    filters="投稿を絞り込む",
    authors="投稿者",
    authors_placeholder="すべての投稿者",
    period="投稿日時",
    shown="全 {total} 件のうち {shown} 件が該当",
    posts="投稿",
    near_copies="ほぼ同じ投稿 {count} 件",
    likes="いいね {count}",
    replies="返信 {count}",
    reposts="リポスト {count}",
    final_score="スコア",
    score_parts="埋め込み {embedding} · 再順位付け {rerank}",
    not_reranked="なし",
    more="さらに表示",
    details="検索の記録と費用",
    query_columns=("", "検索クエリ", "状態", "取得", "新規", "理由"),
    query_statuses={"pending": "待機", "done": "完了", "failed": "失敗", "skipped": "未実行"},
    phase_columns=("段階", "秒"),
    x_time="うち X の応答: {seconds} 秒",
    cost="費用: X {x} ドル（予算 {budget} ドル）、言語モデル {model} ドル。モデル: {name}、再順位付け: {reranker}",
    kept_until="{until} に自動で削除されます。",
    removed="X で削除された投稿 {count} 件は取り除きました。",
    to_recheck="昨日（UTC）以前に取得した投稿が {count} 件あります。その後 X で削除されたかもしれません。",
    recheck="X に残っているか確認する（最大 {at_most} ドル）",
    rechecked="{still_there} 件は X に残っています。削除されていた {gone} 件を取り除きました。費用 {cost} ドル。",
    all_there="確認した {still_there} 件はすべて X に残っています。費用 {cost} ドル。",
    why_ended={
        "": "",
        "budget": "予算に達したため、残り {left} 件は確認していません。",
        "month": "今月の上限に達したため、残り {left} 件は確認していません。",
        "rate_limit": "X の利用制限に達したため、残り {left} 件は確認していません。15 分ほど後にお試しください。",
        "credits": "X のクレジットが足りないため、残り {left} 件は確認していません。",
    },
)

ENGLISH = XTexts(
    page="X search",
    title="X search",
    lead="At least six queries are made of a question; posts of the last seven days are scored and cited in an answer.",
    sample="This searches the recorded sample of made-up posts.",
    sample_hint="X is not asked and nothing is paid. Set X_BEARER_TOKEN to search X itself.",
    question="Question",
    placeholder="For example: how do people take the invoice system?",
    budget="Budget (US dollars)",
    budget_help="The most this search may spend on posts.",
    model="Language model",
    run="Search",
    estimate="It costs at most ${at_most} ({posts} posts). 100 posts of every query would be ${full}.",
    free="Posts cost nothing.",
    model_extra=" The language model costs extra.",
    month="Spent this month: ${month} of ${cap}",
    sessions="Earlier sessions",
    no_sessions="There are no sessions yet.",
    session_line="{created}  {status}  {question} ({posts} posts, ${cost})",
    statuses={"running": "running", "paused": "paused", "done": "done", "failed": "failed"},
    stopped="It has stopped",
    stopped_hint="What was found so far is kept. Posts that were bought are not paid again.",
    resume="Resume",
    delete="Delete this session",
    refused="There is no such session, or it has expired.",
    progress="{percent} — {phase}",
    left="about {seconds} s left",
    so_far="{count} posts found so far",
    answer="Answer",
    no_answer="There is no answer.",
    not_supported="not supported",
    stand_in="This answer is by an offline stand-in.",
    stand_in_hint="It picks sentences out of posts; it does not understand them.",
    filters="Narrow down posts",
    authors="Authors",
    authors_placeholder="All authors",
    period="Posted",
    shown="{shown} of {total} match",
    posts="Posts",
    near_copies="{count} near-copies",
    likes="{count} likes",
    replies="{count} replies",
    reposts="{count} reposts",
    final_score="Score",
    score_parts="embedding {embedding} · rerank {rerank}",
    not_reranked="none",
    more="Show more",
    details="Queries, time and cost",
    query_columns=("", "Query", "State", "Posts", "New", "Reason"),
    query_statuses={"pending": "waiting", "done": "done", "failed": "failed", "skipped": "left out"},
    phase_columns=("Phase", "Seconds"),
    x_time="X's own time: {seconds} s",
    cost="Cost: X ${x} (budget ${budget}), language model ${model}. Model: {name}, reranker: {reranker}",
    kept_until="It is deleted by itself at {until}.",
    removed="{count} posts were taken out because X no longer has them.",
    to_recheck="{count} posts were fetched before today (UTC). They may be gone from X by now.",
    recheck="Look whether X still has them (at most ${at_most})",
    rechecked="{still_there} posts are still at X. {gone} are gone there and were taken out. Cost: ${cost}.",
    all_there="All of the {still_there} posts looked at are still at X. Cost: ${cost}.",
    why_ended={
        "": "",
        "budget": "The budget is reached: {left} were not looked at.",
        "month": "This month's cap is reached: {left} were not looked at.",
        "rate_limit": "X's rate limit is reached: {left} were not looked at. Try again in about 15 minutes.",
        "credits": "There are not enough X credits: {left} were not looked at.",
    },
)


def x_texts(language: Language) -> XTexts:
    """The words of a language."""
    return ENGLISH if language == "en" else JAPANESE
