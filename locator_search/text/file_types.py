"""The words people use for kinds of files, and the MIME types they mean."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from locator_search.core.errors import ConfigurationError
from locator_search.text.normalise import normalise

_OFFICE = "application/vnd.openxmlformats-officedocument."
_GOOGLE = "application/vnd.google-apps."
GOOGLE_DOC = f"{_GOOGLE}document"

_WORD = (f"{_OFFICE}wordprocessingml.document", "application/msword")
_EXCEL = (
    f"{_OFFICE}spreadsheetml.sheet",
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.macroenabled.12",
)
_POWERPOINT = (f"{_OFFICE}presentationml.presentation", "application/vnd.ms-powerpoint")

KINDS: dict[str, tuple[str, ...]] = {
    "pdf": ("application/pdf",),
    "word": _WORD,
    "excel": _EXCEL,
    "powerpoint": _POWERPOINT,
    "docs": (GOOGLE_DOC,),
    "sheets": (f"{_GOOGLE}spreadsheet",),
    "spreadsheet": (f"{_GOOGLE}spreadsheet", *_EXCEL, "application/vnd.oasis.opendocument.spreadsheet"),
    "slides": (f"{_GOOGLE}presentation", *_POWERPOINT, "application/vnd.oasis.opendocument.presentation"),
    "csv": ("text/csv", "text/tab-separated-values"),
    "text": ("text/plain",),
    "markdown": ("text/markdown", "text/x-markdown"),
    "html": ("text/html",),
    "image": (
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/tiff",
        "image/bmp",
        "image/webp",
        "image/svg+xml",
        "image/heic",
    ),
}
"""MIME types by kind of file. A spreadsheet or slides may come from Google, Microsoft or LibreOffice."""
TABLES = frozenset((*KINDS["spreadsheet"], *KINDS["csv"]))
"""MIME types of files that are tables."""

_NAMES = {
    "pdf": "pdf pdfs",
    "word": "word docx doc ワード",
    "excel": "excel xlsx xls xlsm エクセル",
    "powerpoint": "powerpoint pptx ppt パワポ パワーポイント",
    "docs": "docs gdoc gdocs googledocs googledoc googledocument googleドキュメント",
    "sheets": "sheets gsheet gsheets googlesheets googlesheet googlespreadsheet googleスプレッドシート",
    "spreadsheet": "spreadsheet spreadsheets スプレッドシート 表計算",
    "slides": "slides slide presentation presentations googleslides googleスライド スライド プレゼン",
    "csv": "csv tsv",
    "text": "text txt テキスト",
    "markdown": "markdown md マークダウン",
    "html": "html htm",
    "image": "image images png jpg jpeg 画像 写真",
}
MIME_ALIASES: dict[str, tuple[str, ...]] = {
    name: KINDS[kind] for kind, names in _NAMES.items() for name in names.split(" ")
}

_MIME_TYPE = regex.compile(r"[a-z]+/[a-z0-9][a-z0-9.+_-]*", regex.IGNORECASE)


def mime_types_for(alias: str) -> tuple[str, ...]:
    """The MIME types of a name such as pdf, word, エクセル or sheets; a MIME type means itself.

    Raises ConfigurationError for anything else.
    """
    written = alias.strip()
    if _MIME_TYPE.fullmatch(written):
        return (written,)
    types = MIME_ALIASES.get(normalise(written).replace(" ", "").lstrip("."))
    if types is None:
        raise ConfigurationError(
            f"No file type is called {alias!r}.", hint=f"Use one of {', '.join(KINDS)}, or a MIME type."
        )
    return types


_JAPANESE = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
_JOINED = r"\p{Han}\p{Katakana}ーa-z\d"
_SUFFIX = (
    r"(?:形式|ファイル|文書|データ|シート|ブック|資料|版"
    r"|\s+(?:files?|documents?|docs?|sheets?|workbooks?|format|version))?"
)
_NOT_ABOUT_THE_TYPE = (
    r"(?!\s*[のを]?(?:含|付き|使い方|作り方|作成|変換|操作|マニュアル|設定|結合|関数|マクロ|研修|講座|入門|編集|読み方|手順"
    r"|出力|取込|取り込み|ソフト|(?:20\d\d|365)(?![\d年/.-])))"
)
_NO_NAME = r"(?<!\b(?:to|can|will|an?|the|this|that|last|final|first|one|each|every|key|any|of|for|by)\s)"
_BARE = rf"""(?:
    (?<=(?:[{_JAPANESE}\d)\]」』】]|[、,・/:(\[])\s*|\b(?:in|as|an?|or|and)\s)@(?=[ぁ-ん形フシブデ文\s、,・/:()\[\]?]|$)
  | (?<=^\s*)@(?=\s*[{_JAPANESE}]|\s+\d)
  | @(?=[ぁ-ん形フシブデ文]|\s+(?:files?|documents?|docs?|sheets?|workbooks?|format)\b)
  | (?<=[a-z]\s){_NO_NAME}@(?=[\s?.]*$)
)"""
"""A name that is also an English word: a type beside Japanese, after a comma or "in", before "file", or at the end."""
_SPOKEN = {
    "pdf": (r"pdfs?",),
    "word": (r"ワード|docx?", _BARE.replace("@", "word")),
    "excel": (r"エクセル|xls[xm]?", _BARE.replace("@", "excel")),
    "powerpoint": (r"power\s?point|パワーポイント|パワポ|pptx?",),
    "docs": (r"google\s*(?:docs?|documents?|ドキュメント)|グーグルドキュメント",),
    "sheets": (r"google\s*(?:(?:spread)?sheets?|スプレッドシート)",),
    "spreadsheet": (r"spreadsheets?|スプレッドシート|表計算",),
    "slides": (
        r"(?:google\s*)?(?:slides|スライド)|slide\s+deck",
        r"presentations?(?=\s+(?:about|on|of|for|from|in)\b|[\s?.]*$)",
        r"プレゼン(?:テーション)?(?=資料|ファイル|データ|[\s?。、]*$)",
    ),
    "csv": (r"csv|tsv",),
    "text": (r"テキスト(?=ファイル|形式|文書|データ|[のでを\s]|$)", r"(?:plain\s+)?text(?=\s+files?)|txt"),
    "markdown": (r"マークダウン|markdown",),
    "html": (r"html?(?=\s*(?:ファイル|形式|文書|版|で|$)|\s+(?:files?|format)\b)",),
    "image": (r"画像|写真|jpe?g|png", r"images?(?=\s+(?:files?|of)\b)|photos?(?=\s+of\b)"),
}
_ANY_TYPE = "|".join(f"(?P<{kind}>{'|'.join(names)})" for kind, names in _SPOKEN.items())
_AFTER_ANOTHER_SCRIPT = r"(?<=[\p{Han}\p{Katakana}ー])(?=[a-z])"
_FOUND = regex.compile(
    rf"(?:(?<![{_JOINED}])|{_AFTER_ANOTHER_SCRIPT})\.?(?:{_ANY_TYPE}){_SUFFIX}(?![{_JOINED}]){_NOT_ABOUT_THE_TYPE}",
    regex.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class FoundType:
    """A kind of file named at [start:end] of a normalised text."""

    start: int
    end: int
    kind: str

    @property
    def mime_types(self) -> tuple[str, ...]:
        """The MIME types of the kind."""
        return KINDS[self.kind]


def find_file_types(text: str) -> list[FoundType]:
    """The kinds of files a normalised question asks for.

    Not part of a compound (画像認識, テキストマイニング), and not the subject itself (「Excelの使い方」).
    """
    return [FoundType(match.start(), match.end(), str(match.lastgroup)) for match in _FOUND.finditer(text)]
