"""What the `live` command says, in Japanese and English, in one place.

The sentences of the search itself are in `locator_search.live_search.messages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from locator_search.live_search.outcome import Age, Read


@dataclass(frozen=True, slots=True)
class LiveTexts:
    """All texts in one language; names in braces are filled in with `str.format`."""

    notice: str
    notice_offline: str
    debug_log: str
    sign_in: str
    signed_in: str
    signed_in_not: str

    welcome: str
    prompt: str
    help: str
    how_to_leave: str
    interrupted: str
    goodbye: str
    no_such_alternative: str
    json_needs_a_question: str

    queries: str
    found: str
    failed: str
    evidence: str
    no_evidence: str
    read: Mapping[Read, str]
    indexed: str
    only_indexed: str
    ages: Mapping[Age, str]
    warnings: str
    alternatives: str
    how_to_choose: str
    mocks: str
    stand_in: str
    usage: str


JAPANESE = LiveTexts(
    notice="お知らせ: 検索で見つかった本文は、Slack の非公開チャンネルや DM も含めて、"
    "マスキングせずに言語モデル {model} へ送られます。送りたくない内容があるときは使わないでください。"
    "本文は保存も記録もされません。",
    notice_offline="お知らせ: 今はこのコンピューターの中だけで動くオフラインの代役が答え、本文はどこにも送られません。"
    "本物の言語モデルを設定すると、Slack の非公開チャンネルや DM も含めて、本文がマスキングせずに送られます。",
    debug_log="デバッグ記録（本文なし、マスキング済み）: {path}",
    sign_in="Google ドライブにまだサインインしていません。ブラウザを開いてサインインしますか? [Y/n] ",
    signed_in="サインインしました。次回からは不要です（{path}）。",
    signed_in_not="サインインできませんでした: {message} 後で document-locator auth google を実行できます。",
    welcome="質問を入力してください。実行中の質問は Ctrl-C で中断、/exit か Ctrl-D で終了、/help で説明。",
    prompt="質問> ",
    help="自然な文で質問してください。例: Project Alpha の設計ドキュメントはどこ？\n"
    "0 件のときに示される代わりの検索クエリは、その番号を入力すると試せます。/exit で終了します。",
    how_to_leave="終了するには /exit と入力するか Ctrl-D を押してください。",
    interrupted="この質問を中断しました。",
    goodbye="終了します。",
    no_such_alternative="その番号の案はありません。",
    json_needs_a_question="--json には質問が要ります。",
    queries="検索クエリ",
    found="{count} 件",
    failed="失敗",
    evidence="根拠リンク",
    no_evidence="（なし）",
    read={"body": "本文を確認", "snippet": "抜粋のみ", "not_read": "本文を読み取れず抜粋のみ"},
    indexed="索引にもあり（索引時の更新日 {day}{age}）",
    only_indexed="索引だけで見つかりました（更新日 {day}）",
    ages={
        "same": "、同じ版",
        "live_newer": "、今のほうが新しい",
        "index_newer": "、索引のほうが新しい",
        "unknown": "",
    },
    warnings="警告",
    alternatives="代わりの検索クエリ（試していません）",
    how_to_choose="番号を入力すると、その検索クエリだけを試します。",
    mocks="架空のデータ（モック）が答えました: {labels}",
    stand_in="オフラインの代役が答えました（{model}）。文を抜き出すだけで、内容の理解はしていません。",
    usage="モデル呼び出し {calls:,} 回、{tokens:,} トークン、{cost:.6f} USD",
)

ENGLISH = LiveTexts(
    notice="Notice: the texts that are found, private channels and direct messages of Slack among them, are sent to the"
    " language model {model} without masking. Do not use it for what must not be sent. They are neither stored nor"
    " logged.",
    notice_offline="Notice: an offline stand-in on this computer answers now, so nothing is sent anywhere. With a real"
    " language model, the texts that are found, private channels and direct messages of Slack among them, are sent to"
    " it without masking.",
    debug_log="Debug log (no bodies, masked): {path}",
    sign_in="You have not signed in to Google Drive yet. Open the browser and sign in? [Y/n] ",
    signed_in="Signed in; not needed again ({path}).",
    signed_in_not="Could not sign in: {message} Later: document-locator auth google",
    welcome="Type a question. Ctrl-C stops the one that is running, /exit or Ctrl-D ends, /help explains.",
    prompt="Question> ",
    help="Ask in your own words, for example: where is the design document of Project Alpha?\n"
    "When nothing is found, other queries are proposed: type the number of one to try it. /exit ends.",
    how_to_leave="Type /exit or press Ctrl-D to leave.",
    interrupted="This question was stopped.",
    goodbye="Goodbye.",
    no_such_alternative="There is no proposal of that number.",
    json_needs_a_question="--json needs a question.",
    queries="Queries",
    found="{count} hits",
    failed="failed",
    evidence="Evidence links",
    no_evidence="(none)",
    read={"body": "text read", "snippet": "snippet only", "not_read": "text could not be read, snippet only"},
    indexed="also in the index (modified {day} when indexed{age})",
    only_indexed="found in the index only (modified {day})",
    ages={"same": ", the same", "live_newer": ", newer now", "index_newer": ", newer in the index", "unknown": ""},
    warnings="Warnings",
    alternatives="Other queries (not tried)",
    how_to_choose="Type a number to try that query alone.",
    mocks="Made-up data (mock) answered for: {labels}",
    stand_in="An offline stand-in answered ({model}): it picks out sentences and understands nothing.",
    usage="Model calls: {calls:,}, {tokens:,} tokens, {cost:.6f} USD",
)


def live_texts(language: Literal["ja", "en"]) -> LiveTexts:
    """All texts in one language."""
    return JAPANESE if language == "ja" else ENGLISH
