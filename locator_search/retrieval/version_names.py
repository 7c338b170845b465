"""Reads marks of versions in names and folders: 「見積書_v2」 and 「見積書 - コピー」 have one title. Pure.

Only marks that people add to tell versions apart are taken off. Every other number stays in the title, because it tells
documents apart: 第36回, Q-2026-0342, 第32週.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from locator_search.text.dates.finding import find_periods
from locator_search.text.dates.periods import Calendar, label
from locator_search.text.normalise import normalise

_SEPARATOR = r"[\s_.,~、・|/()\[\]{}「」『』【】〔〕〈〉《》<>\-]"
_KANJI_OR_KANA = r"[\p{Han}\p{Hiragana}\p{Katakana}ー]"
_NUMBER = r"(?P<number>\d{1,3}(?:\.\d{1,3})*|[一二三四五六七八九十])"
_REPEATED = r"[\s_.-]*(?P<number>\d{1,2})?"

_SUPERSEDED = r"旧版?|過去版|old|bak|backup|バックアップ|アーカイブ|archived?|obsolete"
_DRAFT = r"draft|ドラフト|下書き?|[草素原]?案|たたき台|暫定版?|仮版?|作業中|wip"
_FINAL = (
    r"(?:最終|確定|決定|完成|正式|最新|提出|公開|配布)版?|(?:署名|押印|承認)済み?"
    r"|final(?:版| version)?|fix(?:ed|版)?|latest"
)
_REVISED = r"改[訂定]?版?|修正版?|訂正版?|更新版?|revised|updated"
_COPY = r"(?:の)?コピー|copy(?: of)?|複製"

_MARKS = (
    ("number", rf"v(?:er)?(?:sion)?[\s.]*{_NUMBER}|rev[\s.]*(?:{_NUMBER}|(?P<letter>[a-z]))|(?:改訂)?第?{_NUMBER}版"),
    ("number", r"(?P<first>初版)"),
    ("superseded", _SUPERSEDED),
    ("draft", rf"(?:{_DRAFT}){_REPEATED}"),
    ("final", rf"(?:{_FINAL}){_REPEATED}"),
    ("revised", rf"(?:{_REVISED}){_REPEATED}"),
    ("copy", rf"(?:{_COPY}){_REPEATED}"),
)
_GLUED = {"number", "final", "revised", "copy"}
"""Marks that are also recognised right after a Japanese word (見積書最終版); 案 and 旧 are parts of too many words."""

_COUNTED = regex.compile(r"[\s_]*[(\[](?P<number>\d{1,2})[)\]]\s*$")
"""見積書 (1): what a browser or a file manager adds to a name that is taken."""

_END = rf"(?=$|{_SEPARATOR}|[のはをがとにも])"


def _pattern(kind: str, mark: str) -> regex.Pattern[str]:
    after_a_word = rf"|(?<={_KANJI_OR_KANA})" if kind in _GLUED else ""
    return regex.compile(rf"(?:^|(?<={_SEPARATOR}){after_a_word})(?:{mark}){_END}")


_PATTERNS = tuple((kind, _pattern(kind, mark)) for kind, mark in _MARKS)
_SEPARATORS = regex.compile(rf"(?:(?<=\d)[-./](?=\d)(*SKIP)(*FAIL)|{_SEPARATOR})+")
"""Separators of words; not the hyphens and dots inside a number or a date."""
_KANJI_NUMBERS = "一二三四五六七八九十"

_STAGES = {"superseded": -2, "draft": -1, "final": 1}


@dataclass(frozen=True, slots=True)
class VersionName:
    """A name taken apart. `title` is what is left of it, `marks` are its version marks as written. `stage` is -2 for
    superseded, -1 for a draft, 1 for a final version, else 0; `number` the version number, empty without one. `copies`
    are the marks of a copy.
    """

    title: str
    marks: frozenset[str] = frozenset()
    stage: int = 0
    number: tuple[int, ...] = ()
    copies: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def version_name(file_name: str) -> VersionName:
    """A file name, a folder name or a question taken apart. A name of marks alone (最終版.docx) has an empty title."""
    rest = normalise(file_name)
    marks: set[str] = set()
    copies: set[str] = set()
    stages: list[int] = []
    number: tuple[int, ...] = ()
    if counted := _COUNTED.search(rest):
        copies.add(f"({counted['number']})")
        rest = rest[: counted.start()]
    for kind, pattern in _PATTERNS:
        for found in pattern.finditer(rest):
            written = _one_spaced(found.group())
            (copies if kind == "copy" else marks).add(written)
            stages.append(_STAGES.get(kind, 0))
            number = max(number, _number(kind, found.groupdict()))
        rest = pattern.sub(" ", rest)
    return VersionName(
        title=_one_spaced(rest),
        marks=frozenset(marks),
        stage=min(stages) if min(stages, default=0) < 0 else max(stages, default=0),
        number=number,
        copies=frozenset(copies),
    )


def without_suffix(file_name: str) -> tuple[str, str]:
    """A file name as (stem, suffix); a suffix is short and holds a letter, so the 2 of 「手順 v1.2」 is none."""
    stem, dot, suffix = file_name.rpartition(".")
    is_suffix = dot and stem and len(suffix) <= 5 and suffix.isalnum() and not suffix.isdigit()
    return (stem, suffix.lower()) if is_suffix else (file_name, "")


@lru_cache(maxsize=4096)
def without_dates(title: str) -> tuple[str, tuple[str, ...]]:
    """A title as (what is left of it, the dates in it in ISO form). Slow beside `version_name`."""
    found = find_periods(title, Calendar(None))
    rest = title
    for period in reversed(found):
        rest = f"{rest[: period.start]} {rest[period.end :]}"
    return _one_spaced(rest), tuple(label(period.span) for period in found)


@dataclass(frozen=True, slots=True)
class NamedFile:
    """The name and the folder of a file taken apart. `whereabouts` is what two versions of one document share: place
    and title, without version marks, dates and marks of copies. `stage` is that of the name, else that of its folders.
    """

    whereabouts: str
    suffix: str
    dates: tuple[str, ...]
    marks: frozenset[str]
    stage: int
    number: tuple[int, ...]
    copies: frozenset[str]

    @classmethod
    def of(cls, file_name: str, folder_path: str) -> NamedFile:
        """営業/旧/見積書_v2 - コピー.docx: 見積書 in 営業, version 2, a superseded one, a copy."""
        stem, suffix = without_suffix(file_name)
        name = version_name(stem)
        title, dates = without_dates(name.title)
        folders = [version_name(folder) for folder in folder_path.split("/")]
        of_marks = [folder for folder in folders if not without_dates(folder.title)[0]]
        return cls(
            whereabouts="/".join((*(folder.title for folder in folders if folder.title), title)),
            suffix=suffix,
            dates=dates,
            marks=name.marks,
            stage=name.stage or max((folder.stage for folder in of_marks), key=abs, default=0),
            number=name.number,
            copies=name.copies.union(*(folder.copies for folder in of_marks)),
        )

    @property
    def version(self) -> tuple[frozenset[str], int]:
        """The marks and the stage that tell one version from another."""
        return self.marks, self.stage


def _one_spaced(text: str) -> str:
    return _SEPARATORS.sub(" ", text).strip()


def _number(kind: str, written: dict[str, str | None]) -> tuple[int, ...]:
    """A revision without a number counts as the first; no other mark without a number has one."""
    if letter := written.get("letter"):
        return (ord(letter) - ord("a") + 1,)
    number = written.get("number")
    if not number or kind == "copy":
        return (1,) if kind in ("revised", "number") else ()
    if number in _KANJI_NUMBERS:
        return (_KANJI_NUMBERS.index(number) + 1,)
    return tuple(int(part) for part in number.split("."))
