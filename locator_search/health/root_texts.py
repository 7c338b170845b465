"""What is wrong with source roots in words, and the command that settles it: for every surface. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from locator_search.model import RootWarning, RootWarningKind

Language = Literal["ja", "en"]

CONFIRM = "document-locator crawler --confirm-removal {root}"
REMOVE = "document-locator roots remove {root}"
COMMANDS: Mapping[RootWarningKind, str] = {
    "empty": CONFIRM,
    "missing": CONFIRM,
    "left": REMOVE,
    "abandoned": REMOVE,
}
"""A person's word is asked for these; the others mend themselves when the folder is back."""

JAPANESE: Mapping[RootWarningKind, str] = {
    "unreachable": "取得元フォルダー {root} を一覧できません（{detail}）。索引済みの {files:,} 件は残しています。",
    "folders": "取得元フォルダー {root} に開けないフォルダーがあります（{detail}）。その下のファイルは残しています。",
    "empty": "取得元フォルダー {root} が空になっています。{count:,} 件は削除せずに残しています。"
    "接続を確かめてください。本当に空なら、次のコマンドで削除を確定します。",
    "missing": "取得元フォルダー {root} の {files:,} 件のうち {count:,} 件が一覧から消えました。"
    "削除せずに残しています。本当に消えたのなら、次のコマンドで削除を確定します。",
    "no_files": "取得元フォルダー {root} にはファイルがありません。",
    "left": "取得元フォルダー {root} は設定から外れましたが、{count:,} 件が索引に残っています。"
    "不要なら、次のコマンドで削除します。",
    "abandoned": "取得元フォルダー {root} はどこからも巡回されていませんが、{count:,} 件が索引に残っています。"
    "不要なら、次のコマンドで削除します。",
}
ENGLISH: Mapping[RootWarningKind, str] = {
    "unreachable": "The root {root} cannot be listed: {detail} Its {files:,} files stay in the index.",
    "folders": "Folders in the root {root} cannot be opened ({detail}). The files below them stay in the index.",
    "empty": "The root {root} lists no file any more. Its {count:,} files are kept. Check that it is connected; if it"
    " is really empty, this command confirms the removal:",
    "missing": "Of the {files:,} files of the root {root}, {count:,} are no longer listed. They are kept. If they are"
    " really gone, this command confirms the removal:",
    "no_files": "There is no file in the root {root}.",
    "left": "The root {root} is no longer crawled, and {count:,} files of it are in the index. If nobody needs them,"
    " this command removes them:",
    "abandoned": "Nobody crawls the root {root}, and {count:,} files of it are in the index. If nobody needs them, this"
    " command removes them:",
}


@dataclass(frozen=True, slots=True)
class RootNotice:
    """A warning as a surface shows it: a sentence, and the command that settles it, empty where there is none."""

    kind: RootWarningKind
    root: str
    files: int
    message: str
    command: str


def notice(warning: RootWarning, language: Language) -> RootNotice:
    """A warning in words."""
    root = warning.root
    name = root.name if root.name == root.handle else f"{root.name} ({root.handle})"
    words = (JAPANESE if language == "ja" else ENGLISH)[warning.kind]
    message = words.format(root=name, files=warning.files, count=warning.count, detail=warning.detail)
    command = COMMANDS.get(warning.kind, "").format(root=shlex.quote(root.handle))
    return RootNotice(warning.kind, name, warning.count or warning.files, message, command)


def sentence(warning: RootWarning, language: Language = "en") -> str:
    """A warning on one line, its command included."""
    told = notice(warning, language)
    return f"{told.message} {told.command}".rstrip()


def warning_lines(warnings: Sequence[RootWarning], language: Language = "en") -> str:
    """Warnings as a Markdown list. Names come from outside and are shown as code."""
    told = [notice(warning, language) for warning in warnings]
    return "\n".join(
        f"- `{_code(one.message)}`" + (f"\n\n  `{_code(one.command)}`" if one.command else "") for one in told
    )


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())
