"""Every sentence an X search says to a person, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Language
from locator_search.ports.x.sessions import Phase


@dataclass(frozen=True, slots=True)
class Sentences:
    """All sentences in one language; names in braces are filled in with `str.format`."""

    phases: Mapping[Phase, str]
    phase_names: Mapping[Phase, str]
    blank_question: str
    long_question: str
    long_model_name: str
    unknown_model: str
    budget_below_zero: str
    other_source: Mapping[str, str]
    paused_until: str
    interrupted: str
    budget_used: str
    requests_used: str
    budget_of_query: str
    requests_of_query: str
    credits_used: str
    query_refused: str
    reranker_failed: str
    model_silent: str
    model_failed: str
    uncited: str
    nothing_found: str
    nothing_bought: str


JAPANESE = Sentences(
    phases={
        "query_generation": "検索クエリを作成しています",
        "searching": "X を検索しています",
        "embedding": "投稿の埋め込みを作成しています",
        "ranking": "投稿を質問と照らし合わせて順位を付けています",
        "reranking": "上位の投稿を改めて順位付けしています",
        "saving": "結果を保存し、回答をまとめています",
    },
    phase_names={
        "query_generation": "クエリ作成",
        "searching": "X の検索",
        "embedding": "埋め込み",
        "ranking": "順位付け",
        "reranking": "再順位付け",
        "saving": "保存と回答",
    },
    blank_question="質問を入力してください。",
    long_question="質問は {limit} 文字以内で入力してください。",
    long_model_name="言語モデルの名前は {limit} 文字以内です: {model}",
    unknown_model="選べない言語モデルです: {model}（選べるもの: {models}）",
    budget_below_zero="予算は 0 ドルより大きい金額で指定してください。",
    other_source={
        "sample": "このセッションは付属の見本で始めたものです。X の本番では再開できません。新しく検索してください。",
        "x": "このセッションは X で始めたものです。再開するには X_BEARER_TOKEN を設定してください。",
    },
    paused_until="X の利用制限に達しました。{until} に再開できます。",
    interrupted="途中で止められました。",
    budget_used="予算（{budget} ドル）または今月の上限に達したため、検索クエリ {skipped} 件は途中までか、未実行です。",
    requests_used="費用のかからない投稿が多かったため、予算 {budget} ドルに見合う回数の取得で終えました。"
    "検索クエリ {skipped} 件は途中までです。",
    budget_of_query="予算に達したため、ここまで",
    requests_of_query="取得の回数に達したため、ここまで",
    credits_used="X のクレジットが足りません。購入できた分だけで続けます: {message}",
    query_refused="X が検索クエリ {ordinal} を受け付けませんでした: {message}",
    reranker_failed="再順位付けができなかったため、埋め込みによる順位を示します: {message}",
    model_silent="言語モデルが応答しなかったため、回答はありません。見つかった投稿を示します。",
    model_failed="モデルを使えないため、途中で止まりました（{reason}）。取得した投稿は残っています。"
    "再開すると続きから進みます。",
    uncited="回答のうち {count} 文は、根拠となる投稿がありません。「根拠なし」と示しています。",
    nothing_found="この質問に関する投稿は見つかりませんでした。",
    nothing_bought="予算、今月の上限、または X のクレジットが足りず、投稿を取得していません。"
    "取得は最低 {fewest} 件ずつです。",
)

ENGLISH = Sentences(
    phases={
        "query_generation": "Writing queries",
        "searching": "Searching X",
        "embedding": "Embedding posts",
        "ranking": "Comparing posts with the question",
        "reranking": "Ranking the best posts again",
        "saving": "Saving, and writing the answer",
    },
    phase_names={
        "query_generation": "Queries",
        "searching": "Searching X",
        "embedding": "Embedding",
        "ranking": "Ranking",
        "reranking": "Reranking",
        "saving": "Saving and answer",
    },
    blank_question="Type a question.",
    long_question="A question has at most {limit} characters.",
    long_model_name="The name of a language model has at most {limit} characters: {model}",
    unknown_model="This language model cannot be chosen: {model} (there are: {models})",
    budget_below_zero="A budget is an amount above 0 dollars.",
    other_source={
        "sample": "This session was begun with the recorded sample and cannot go on with X itself. Search anew.",
        "x": "This session was begun on X. Set X_BEARER_TOKEN to resume it.",
    },
    paused_until="X's rate limit is reached. It can go on at {until}.",
    interrupted="It was stopped on the way.",
    budget_used="The budget (${budget}) or this month's cap is reached: {skipped} queries were cut short or left out.",
    requests_used="Many posts cost nothing, so it ended after as many requests as suit a budget of ${budget}:"
    " {skipped} queries were cut short.",
    budget_of_query="the budget is reached",
    requests_of_query="enough requests",
    credits_used="There are not enough X credits. Going on with what could be bought: {message}",
    query_refused="X refused query {ordinal}: {message}",
    reranker_failed="Reranking failed, so this is the order by embedding: {message}",
    model_silent="The language model did not answer, so there is no answer. Here are the posts.",
    model_failed="A model could not be used, so it stopped on the way ({reason}). The posts found so far are kept;"
    " resume it to go on from here.",
    uncited="{count} sentences of the answer cite no post. They are marked “not supported”.",
    nothing_found="No posts about this question were found.",
    nothing_bought="No posts were bought: budget, this month's cap or X credits do not suffice."
    " The fewest are {fewest}.",
)


def sentences(language: Language) -> Sentences:
    """The sentences of a language."""
    return ENGLISH if language == "en" else JAPANESE
