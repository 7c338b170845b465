"""The texts of the live search page, Japanese and English. What a search itself says is in its own messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.live_search.outcome import Age, Read
from streamlit_app.shared.texts import Language


@dataclass(frozen=True, slots=True)
class LiveTexts:
    """The words of one language; names in braces are filled in with `str.format`."""

    page: str
    title: str
    lead: str
    notice: str
    notice_offline: str
    closed: str
    question: str
    question_placeholder: str
    examples_title: str
    examples: tuple[str, ...]
    ask: str
    with_index: str
    with_index_hint: str
    running: str
    done: str
    queries: str
    query_columns: tuple[str, ...]
    failed: str
    answer: str
    evidence: str
    no_evidence: str
    read: Mapping[Read, str]
    kinds: Mapping[str, str]
    cited: str
    indexed: str
    ages: Mapping[Age, str]
    only_indexed: str
    warnings: str
    alternatives: str
    alternatives_hint: str
    mocks: str
    stand_in: str
    stand_in_hint: str
    model: str
    usage: str


JAPANESE = LiveTexts(
    page="ライブ検索",
    title="Drive・Slack・GitHub に横断で質問",
    lead="索引を使わず、今この瞬間の各サービスを検索します。並び順は各サービスの検索結果のままです。",
    notice="見つかった本文は、Slack の非公開チャンネルや DM も含めて、マスキングせずに言語モデル {model} へ送られます。"
    "本文は保存も記録もされません。",
    notice_offline="今はオフラインの代役が答えるため、本文はどこにも送られません。本物の言語モデルを設定すると、"
    "Slack の非公開チャンネルや DM も含めて、本文がマスキングせずに送られます。",
    closed="サインインが設定されているページではライブ検索を使えません。このページを動かしている人のトークンで検索するため、"
    "ほかの人に非公開の内容が見えてしまうからです。",
    question="質問",
    question_placeholder="例: Project Alpha の設計ドキュメントはどこ？",
    examples_title="質問の例",
    examples=(
        "Project Alpha の設計ドキュメントはどこ？",
        "最近の Slack でリリース日の議論は？",
        "再送の上限に関する Issue",
    ),
    ask="質問する",
    with_index="索引の結果も合わせる",
    with_index_hint="このツールの索引で見つかったファイルを加え、同じ文書は一つにまとめます。",
    running="検索しています",
    done="検索の経過",
    queries="各サービスの検索クエリ",
    query_columns=("サービス", "種類", "検索クエリ", "件数", "秒"),
    failed="失敗",
    answer="回答",
    evidence="根拠リンク",
    no_evidence="根拠はありません。",
    read={"body": "本文を確認", "snippet": "抜粋のみ", "not_read": "本文を読み取れず抜粋のみ"},
    kinds={
        "file": "ファイル",
        "message": "メッセージ",
        "issue": "Issue",
        "pull_request": "プルリクエスト",
        "code": "コード",
    },
    cited="回答で引用",
    indexed="索引にもあり（索引時の更新日 {day}、類似度 {similarity}）",
    ages={
        "same": "索引と同じ版です",
        "live_newer": "索引より今のほうが新しい",
        "index_newer": "索引のほうが新しい",
        "unknown": "",
    },
    only_indexed="索引だけで見つかりました（更新日 {day}、類似度 {similarity}）",
    warnings="警告",
    alternatives="代わりの検索クエリ",
    alternatives_hint="自動では試していません。押すとその検索クエリだけを試します。",
    mocks="架空のデータ（モック）が答えています: {labels}",
    stand_in="オフラインの代役が答えています。",
    stand_in_hint="文を抜き出すだけで、内容の理解はしていません。",
    model="言語モデル: {model}",
    usage="モデル呼び出し {calls} 回、{tokens} トークン、{cost:.6f} USD",
)

ENGLISH = LiveTexts(
    page="Live search",
    title="One question over Drive, Slack and GitHub",
    lead="Asks the services as they are now, without an index. The order is that of each service.",
    notice="The texts that are found, private channels and direct messages of Slack among them, are sent to the"
    " language model {model} without masking. They are neither stored nor logged.",
    notice_offline="An offline stand-in answers now, so nothing is sent anywhere. With a real language model, the texts"
    " that are found, private channels and direct messages of Slack among them, are sent to it without masking.",
    closed="Live search is not offered on a page with sign-in: it searches with the tokens of whoever runs this page,"
    " and would show private things to others.",
    question="Question",
    question_placeholder="For example: where is the design document of Project Alpha?",
    examples_title="Questions to begin with",
    examples=(
        "Where is the design document of Project Alpha?",
        "What was said on Slack about the release date?",
        "Issues about the limit of retries",
    ),
    ask="Ask",
    with_index="Fold in the index",
    with_index_hint="Adds files found in the index of this product; the same document is shown once.",
    running="Searching",
    done="What was done",
    queries="Queries of each service",
    query_columns=("Service", "Kind", "Query", "Hits", "Seconds"),
    failed="failed",
    answer="Answer",
    evidence="Evidence links",
    no_evidence="There is no evidence.",
    read={"body": "text read", "snippet": "snippet only", "not_read": "text could not be read, snippet only"},
    kinds={
        "file": "file",
        "message": "message",
        "issue": "issue",
        "pull_request": "pull request",
        "code": "code",
    },
    cited="cited in the answer",
    indexed="also in the index (modified {day} when indexed, similarity {similarity})",
    ages={
        "same": "the same as in the index",
        "live_newer": "newer now than in the index",
        "index_newer": "newer in the index",
        "unknown": "",
    },
    only_indexed="found in the index only (modified {day}, similarity {similarity})",
    warnings="Warnings",
    alternatives="Other queries",
    alternatives_hint="None of them was tried. A click tries that query alone.",
    mocks="Made-up data (mock) answers for: {labels}",
    stand_in="An offline stand-in answers.",
    stand_in_hint="It picks out sentences and understands nothing.",
    model="Language model: {model}",
    usage="Model calls: {calls}, {tokens} tokens, {cost:.6f} USD",
)


def live_texts(language: Language) -> LiveTexts:
    """The words of a language."""
    return ENGLISH if language == "en" else JAPANESE
