"""Every sentence a live search says to a person, in Japanese and English, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.core.errors import ServiceFailureReason
from locator_search.locales import Language


@dataclass(frozen=True, slots=True)
class Sentences:
    """All sentences in one language; names in braces are filled in with `str.format`."""

    # Progress
    connecting: str
    drafting: str
    searching: str
    found: str
    no_answer: str
    reading: str
    read: str
    not_read: str
    searching_index: str
    writing: str
    index: str

    # What is missing, and why
    reasons: Mapping[ServiceFailureReason, str]
    not_started: str
    search_failed: str
    fetch_failed: str
    rate_limited: str
    limited_bodies: str
    mock: str
    sign_in_to_google: str
    problem: str
    index_failed: str
    answer_without_model: str
    links_removed: str
    citations_refused: str

    # Answers the host gives itself
    nothing_found: str
    nothing_found_alternatives: str
    nobody_asked: str
    not_for_any_service: str
    here_is_what_was_found: str
    without: str
    comma: str

    # Refusals
    question_empty: str
    question_too_long: str


JAPANESE = Sentences(
    connecting="サービスに接続しています...",
    drafting="検索クエリを作っています...",
    searching="{label} を検索中...",
    found="{label}: {count} 件（{seconds:.1f} 秒）",
    no_answer="{label}: 結果なし（{reason}）",
    reading="{label} の本文を読み取り中...",
    read="{label}: 本文 {count} 件を読み取りました",
    not_read="{label}: 本文を読み取れませんでした",
    searching_index="索引を検索中...",
    writing="回答をまとめています...",
    index="索引",
    reasons={
        "unavailable": "接続できません",
        "timed_out": "時間内に応答がありません",
        "rate_limited": "レートリミット (429)",
        "refused": "エラーが返りました",
        "bad_answer": "応答を読み取れません",
        "misconfigured": "設定が合っていません",
    },
    not_started="{label} を使えません。{told}",
    search_failed="{label} の検索に失敗しました。{told}",
    fetch_failed="{label} の本文 {count} 件を読み取れず、抜粋だけで回答しています。{told}",
    rate_limited="{label} はレートリミット (429) のため省きました。自動では再試行しません。{told}",
    limited_bodies="{label} はレートリミット (429) のため、本文を読み取らず抜粋だけで回答しています。{told}",
    mock="{label} は架空のデータ（モック）で答えています。本物につなぐには {names} を設定してください。",
    sign_in_to_google=" Google のサインインは document-locator auth google で行えます。",
    problem="{label}: {message}",
    index_failed="索引を検索できませんでした: {message}",
    answer_without_model="言語モデルに使える回答がなかったため、要約はありません。",
    links_removed="言語モデルが書いたリンク {count} 件を回答から取り除きました。リンクは根拠リンクにあります。",
    citations_refused="言語モデルが挙げた根拠番号のうち、存在しないもの（{numbers}）を取り除きました。",
    nothing_found="見つかりませんでした。",
    nothing_found_alternatives="代わりの検索クエリの案を下に示します（自動では試していません）。",
    nobody_asked="どのサービスにも問い合わせできませんでした。",
    not_for_any_service="この質問に当てはまるサービスがありません。",
    here_is_what_was_found="見つかった根拠を下に示します。",
    without="この回答には {labels} の結果が含まれていません（失敗した検索があります）。",
    comma="、",
    question_empty="質問が空です。",
    question_too_long="質問が長すぎます（{length} 文字、上限 {limit} 文字）。",
)

ENGLISH = Sentences(
    connecting="Connecting to services...",
    drafting="Writing queries...",
    searching="Searching {label}...",
    found="{label}: {count} hits ({seconds:.1f} s)",
    no_answer="{label}: nothing ({reason})",
    reading="Reading from {label}...",
    read="{label}: read {count}",
    not_read="{label}: could not be read",
    searching_index="Searching the index...",
    writing="Writing the answer...",
    index="Index",
    reasons={
        "unavailable": "it cannot be reached",
        "timed_out": "it did not answer in time",
        "rate_limited": "rate limit (429)",
        "refused": "it answered with an error",
        "bad_answer": "its answer cannot be read",
        "misconfigured": "its configuration does not fit",
    },
    not_started="{label} cannot be used. {told}",
    search_failed="A search of {label} failed. {told}",
    fetch_failed="{count} texts of {label} could not be read, the answer uses their snippets. {told}",
    rate_limited="{label} was left out because of its rate limit (429); it is not tried again. {told}",
    limited_bodies="{label} is at its rate limit (429): its texts were not read, the answer uses snippets. {told}",
    mock="{label} answers with made-up data (mock). Set {names} to connect to the real one.",
    sign_in_to_google=" Sign in to Google with document-locator auth google.",
    problem="{label}: {message}",
    index_failed="The index could not be searched: {message}",
    answer_without_model="The language model gave no usable answer, so there is no summary.",
    links_removed="{count} links written by the language model were taken out of the answer. Use the evidence links.",
    citations_refused="Citations of evidence that does not exist ({numbers}) were taken out of the answer.",
    nothing_found="Nothing was found.",
    nothing_found_alternatives="Below are other queries to try; none of them was tried automatically.",
    nobody_asked="No service could be asked.",
    not_for_any_service="No service fits this question.",
    here_is_what_was_found="Below is the evidence that was found.",
    without="This answer is without results of {labels}: a search failed.",
    comma=", ",
    question_empty="The question is empty.",
    question_too_long="The question is too long ({length} characters, at most {limit}).",
)


def sentences(language: Language) -> Sentences:
    """The sentences of a language."""
    return ENGLISH if language == "en" else JAPANESE
