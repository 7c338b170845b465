"""Faults of live services: a kind with values, and how each kind is said in Japanese and English. Pure.

Words of others, a service's own error for instance, stay in their language; they stand in the value `detail`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ServiceFaultKind: TypeAlias = Literal[
    # It cannot be reached
    "no_program",
    "not_startable",
    "ended",
    "keeps_ending",
    "not_running",
    "closed",
    "off_unset",
    "off_unreal",
    # It does not answer in time
    "no_answer",
    "not_ready",
    # It is asked too often
    "too_often",
    "left_alone",
    # It answers with an error
    "error",
    # Its answer cannot be read
    "unusable",
    "no_mcp",
    "too_large",
    "no_json",
    "no_csv",
    "no_list",
    "misfit",
    "unforeseen",
    # Its configuration does not fit
    "unset",
    "as_configured",
    "no_service",
    "not_searched",
    "wrong_type",
    "search_left_out",
    "bodies_left_out",
    "syntax_unread",
    "no_tool",
    "not_read_only",
    "unknown_argument",
    "missing_argument",
]


@dataclass(frozen=True, slots=True)
class ServiceFault:
    """One thing that went wrong. A value that is a fault itself is said inside the sentence, without its full stop."""

    kind: ServiceFaultKind
    values: Mapping[str, str | ServiceFault] = field(default_factory=dict)

    def sentence(self, language: Literal["ja", "en"] = "en") -> str:
        """One sentence for a person."""
        form = (JAPANESE if language == "ja" else ENGLISH)[self.kind]
        words = {
            name: value.sentence(language).rstrip(".。") if isinstance(value, ServiceFault) else value
            for name, value in self.values.items()
        }
        return form.format(**words).strip()

    def masked(self, mask: Callable[[str], str]) -> ServiceFault:
        """The same with `mask` over all its words."""
        values = {
            name: value.masked(mask) if isinstance(value, ServiceFault) else mask(value)
            for name, value in self.values.items()
        }
        return ServiceFault(self.kind, values)


ENGLISH: Mapping[ServiceFaultKind, str] = {
    "no_program": "The program `{program}` was not found. {install}",
    "not_startable": "Its server cannot be started: {detail}.",
    "ended": "Its server ended: {detail}",
    "keeps_ending": "Its server was started {starts} times within {seconds} seconds and did not stay. It is tried again"
    " in a minute.",
    "not_running": "Its server does not run.",
    "closed": "It was closed.",
    "off_unset": "It is off: {names} not set, and it has no mock.",
    "off_unreal": "It is off: made-up services were asked for, and it has no mock.",
    "no_answer": "It did not answer within {seconds} seconds. It may be waiting out a rate limit.",
    "not_ready": "Its server did not start within {seconds} seconds. {detail}",
    "too_often": "It is asked too often: {detail}",
    "left_alone": "It said a moment ago that it is asked too often, and was left alone.",
    "error": "It answered with an error: {detail}",
    "unusable": "Its answer cannot be used: {detail}",
    "no_mcp": "Its answer does not follow the protocol (MCP).",
    "too_large": "The answer is larger than {mib} MiB.",
    "no_json": "The answer is no JSON.",
    "no_csv": "The answer is no CSV: {detail}.",
    "no_list": "The answer has no `{path}`.",
    "misfit": "The answer does not fit the template {template}: {detail}.",
    "unforeseen": "It could not be asked ({detail}).",
    "unset": "{name} is not set.",
    "as_configured": "{detail}",
    "no_service": "There is no service `{name}`.",
    "not_searched": "It is not searched for `{kind}`.",
    "wrong_type": "`{name}` must be {types}, and is {value}.",
    "search_left_out": "The search `{kind}` is left out: {problem}.",
    "bodies_left_out": "Bodies of `{kind}` are not read: {problem}.",
    "syntax_unread": "The syntax help {uri} cannot be read: {problem}.",
    "no_tool": "the server has no tool `{tool}`; it has {tools}",
    "not_read_only": "the tool `{tool}` says that it does not only read",
    "unknown_argument": "it has no argument `{name}` (tool `{tool}`)",
    "missing_argument": "it requires `{name}`, which is not given (tool `{tool}`)",
}

JAPANESE: Mapping[ServiceFaultKind, str] = {
    "no_program": "プログラム {program} が見つかりません。{install}",
    "not_startable": "サーバーを起動できません: {detail}",
    "ended": "サーバーが終了しました: {detail}",
    "keeps_ending": "サーバーを {seconds} 秒の間に {starts} 回起動しましたが、すぐ終了しました。1 分後にまた試します。",
    "not_running": "サーバーが動いていません。",
    "closed": "閉じられました。",
    "off_unset": "{names} が設定されておらず、モックもないため使えません。",
    "off_unreal": "架空のデータだけを使う指定ですが、このサービスにはモックがありません。",
    "no_answer": "{seconds} 秒以内に応答がありませんでした。レートリミットの解除を待っている可能性があります。",
    "not_ready": "サーバーが {seconds} 秒以内に起動しませんでした。{detail}",
    "too_often": "問い合わせが多すぎます: {detail}",
    "left_alone": "直前にレートリミットを知らせてきたため、問い合わせを控えました。",
    "error": "エラーが返りました: {detail}",
    "unusable": "応答を使えません: {detail}",
    "no_mcp": "応答が MCP の形式になっていません。",
    "too_large": "応答が {mib} MiB を超えています。",
    "no_json": "応答が JSON ではありません。",
    "no_csv": "応答が CSV ではありません: {detail}",
    "no_list": "応答に {path} がありません。",
    "misfit": "応答がテンプレート {template} に合いません: {detail}",
    "unforeseen": "問い合わせできませんでした（{detail}）。",
    "unset": "{name} が設定されていません。",
    "as_configured": "{detail}",
    "no_service": "{name} というサービスはありません。",
    "not_searched": "{kind} は検索の対象ではありません。",
    "wrong_type": "{name} は {types} でなければなりませんが、{value} です。",
    "search_left_out": "{kind} の検索を省きます: {problem}。",
    "bodies_left_out": "{kind} の本文は読み取りません: {problem}。",
    "syntax_unread": "検索構文の説明 {uri} を読み取れません: {problem}。",
    "no_tool": "サーバーにツール {tool} がありません（あるのは {tools}）",
    "not_read_only": "ツール {tool} は読み取り専用ではないと宣言しています",
    "unknown_argument": "ツール {tool} に引数 {name} がありません",
    "missing_argument": "ツール {tool} に必須の引数 {name} が渡されていません",
}
