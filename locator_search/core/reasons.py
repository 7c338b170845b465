"""Why a file or a contribution has no text in the index, or only some of it: in words, for every surface.

A reason is kept as `code` or `code: what the program said`. The words stand for the code; what the program said is a
detail, in English. What has no code we know was not foreseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

JAPANESE: Mapping[str, str] = {
    "image": "画像",
    "audio": "音声",
    "video": "動画",
    "archive": "圧縮ファイル",
    "batch": "モデルのバッチの回答待ち",
    "unsupported": "対応していない形式",
    "empty": "読み取れる文字がない",
    "partial": "一部だけ読み取れた",
    "suspicious": "文字化けの疑いがある",
    "stand-in": "要約は本文からの抜粋",
    "encrypted": "パスワードで保護されている",
    "corrupt": "壊れている",
    "too-large": "大きすぎる",
    "timeout": "時間内に読み終わらなかった",
    "killed": "読み取りが強制終了した",
    "no-access": "閲覧する権限がない",
    "folder-not-listed": "フォルダーを開けない",
    "gone": "取得元から削除された",
    "unavailable": "取得元に接続できない",
    "no-file": "ファイルがまだない",
    "no-document": "ファイルに文書が含まれていない",
    "unreadable": "読める文書がない",
    "google-form": "Google フォーム",
    "google-drawing": "Google 図形描画",
    "google-map": "Google マイマップ",
    "google-site": "Google サイト",
    "google-script": "Google Apps Script",
    "google-jam": "Google Jamboard",
    "google-fusiontable": "Google Fusion Tables",
    "google-vid": "Google Vids",
}
ENGLISH: Mapping[str, str] = {
    "image": "picture",
    "audio": "sound",
    "video": "film",
    "archive": "archive",
    "batch": "waiting for a batch of the model",
    "unsupported": "file type not supported",
    "empty": "no text to read",
    "partial": "read in part",
    "suspicious": "text looks garbled",
    "stand-in": "the summary is an extract",
    "encrypted": "protected by a password",
    "corrupt": "damaged",
    "too-large": "too large",
    "timeout": "not read in time",
    "killed": "reading was stopped by force",
    "no-access": "no permission to read",
    "folder-not-listed": "the folder cannot be opened",
    "gone": "deleted at its source",
    "unavailable": "its source cannot be reached",
    "no-file": "no file yet",
    "no-document": "its files hold no document",
    "unreadable": "no document can be read",
    "google-form": "Google Forms",
    "google-drawing": "Google Drawings",
    "google-map": "Google My Maps",
    "google-site": "Google Sites",
    "google-script": "Google Apps Script",
    "google-jam": "Google Jamboard",
    "google-fusiontable": "Google Fusion Tables",
    "google-vid": "Google Vids",
}
UNFORESEEN: Mapping[str, str] = {
    "ja": "処理の途中で問題が起きた",
    "en": "something went wrong on the way",
}


class ReasonText(NamedTuple):
    """A reason for a person: its words, and what the program said, "" where it said no more."""

    words: str
    detail: str


def reason_text(reason: str, language: Literal["ja", "en"]) -> ReasonText:
    """A reason in words."""
    code, _, detail = reason.partition(": ")
    words = (JAPANESE if language == "ja" else ENGLISH).get(code)
    return ReasonText(words, detail) if words else ReasonText(UNFORESEEN[language], reason)


def counted(counts: Mapping[str, int], language: Literal["ja", "en"]) -> list[tuple[str, int]]:
    """How many files have each reason, in words, most frequent first; details are not told apart."""
    by_words: Counter[str] = Counter()
    for reason, count in counts.items():
        by_words[reason_text(reason, language).words] += count
    return by_words.most_common()
