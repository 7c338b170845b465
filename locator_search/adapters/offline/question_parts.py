"""The parts of a question to live services: places and people it names, and its telling words, the best first."""

from __future__ import annotations

import mimetypes
import unicodedata
from collections.abc import Iterable, Set
from dataclasses import dataclass

import regex

from locator_search.adapters.offline.generic_words import OFFICE_NOUNS, SERVICE_NOUNS, TITLES, VAGUE_NOUNS
from locator_search.adapters.offline.keywords import question_keywords
from locator_search.adapters.offline.noun_phrases import noun_phrases
from locator_search.text.normalise import normalise
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.variants.finding import find_variants
from locator_search.text.words import words as words_of

_GENERIC = (OFFICE_NOUNS, VAGUE_NOUNS, SERVICE_NOUNS)
_ADDRESS = regex.compile(r"https?://\S+")
_QUOTED = regex.compile(r"「([^「」]{2,80})」|『([^『』]{2,80})』|\"([^\"]{2,80})\"|“([^“”]{2,80})”")
_REPOSITORY = regex.compile(r"(?<![\w./-])([A-Za-z\d][\w-]*/[A-Za-z\d][\w.-]*[A-Za-z\d])(?![\w/-])", regex.ASCII)
_NUMBER = regex.compile(
    r"(?:(?<![\w&])#|(?<!\w)(?:issue|pr|pull request)\s*(?:#|no\.?)?\s*|(?:イシュー|プルリク(?:エスト)?|チケット)\s*#?)"
    r"(\d+)(?![\w-])",
    regex.I | regex.ASCII,
)
_CHANNEL = regex.compile(
    r"(?<![A-Za-z\d_/&])#([\p{Latin}\d_\p{Han}\p{Katakana}ー-]+?)"
    r"(?=\s?(?:チャンネル|チャネル)|[^\p{Latin}\d_\p{Han}\p{Katakana}ー-]|$)"
    r"|(?<![A-Za-z\d_/])([A-Za-z\d][A-Za-z\d_-]+)\s?(?:チャンネル|チャネル|channel\b)"
)
_HANDLE = regex.compile(r"(?<![A-Za-z\d_.])@([A-Za-z\d][A-Za-z\d_.-]*[A-Za-z\d]|[\p{Han}\p{Katakana}ー]+)")
_CODE = regex.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # a mail address
    r"|(?<![\w.])(?:[A-Z]{1,5} )?v?\d+(?:\.\d+)+(?![\w.]*\w)"  # TS 22.261, v2.3.1
    r"|(?<![\w./-])(?!No\.)[A-Za-z]\w*(?:[_./]\w+)+(?:\(\))?(?!\w)"  # RETRY_LIMIT, src/retry.py
    r"|(?<![\w./-])[A-Z]{1,5}\d{2,}(?![\w./-])|(?<![\w./-])[A-Z]{2}(?![\w./-])"  # E1001, DB
    r"|(?<![\w/-])\d{2,}-\d{3,}(?![\w-])|(?<![\w/.-])(?!(?:19|20)\d\d(?!\d))\d{4,}(?![\w/.-])",  # 2026-0012, 8443
    regex.ASCII,
)


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """`words` are phrases, numbers and nouns as written, none another spelling of one before it."""

    repositories: tuple[str, ...]
    channels: tuple[str, ...]
    people: tuple[str, ...]
    words: tuple[str, ...]


def question_parts(question: str, services: Set[str]) -> QuestionParts:
    """The parts of a question. `services` are the normalised words by which services are called, which tell nothing."""
    left = _ADDRESS.sub(" ", unicodedata.normalize("NFKC", question))
    quoted, left = _taken(left, _QUOTED)
    repositories, left = _taken(left, _REPOSITORY)
    files = [one for one in repositories if not (_is_repository(one) or _is_said(one))]
    numbers, left = _taken(left, _NUMBER)
    channels, left = _taken(left, _CHANNEL)
    people, left = _taken(left, _HANDLE)
    codes, left = _taken(left, _CODE)
    named, left = _titled(left)
    nouns = sorted(question_keywords(left), key=lambda noun: f"{noun}し" in left or f"{noun}する" in left)
    # What somebody did (共有した) is seldom written where it was done.
    words = [*quoted, *(f"#{number}" for number in numbers), *files, *codes, *nouns]
    told = [word for word in words if normalise(word) not in services and not is_generic(word)]
    is_named = bool(repositories or channels or people or named)
    generic = tuple(word for word in words if normalise(word) not in services)
    return QuestionParts(
        repositories=tuple(one for one in repositories if _is_repository(one)),
        channels=tuple(one for one in channels if normalise(one) not in services | ENGLISH_STOP_WORDS),
        people=(*people, *named),
        words=tuple(_each_once(told)) or (() if is_named else generic),
    )


def other_forms(word: str) -> list[str]:
    """Other spellings and synonyms; Latin letters for Japanese would find names of other things."""
    return [
        other for variant in find_variants(word) if variant.rule not in ("romaji", "office") for other in variant.others
    ]


def _taken(text: str, pattern: regex.Pattern[str]) -> tuple[list[str], str]:
    """The matches of a pattern (its first group where it has some), and the text without."""
    found = [next((group for group in match.groups() if group), match.group()) for match in pattern.finditer(text)]
    return list(dict.fromkeys(one.strip() for one in found)), pattern.sub(" ", text)


def _titled(text: str) -> tuple[list[str], str]:
    """People called with a title (田中さん), and the text without them."""
    found = []
    for phrase in reversed(noun_phrases(text)):
        end = phrase.start + len(phrase.text)
        title = next((one for one in sorted(TITLES, key=len, reverse=True) if text.startswith(one, end)), "")
        if title and phrase.kind in ("person", "place", "name"):
            found.append(phrase.text)
            text = f"{text[: phrase.start]} {text[end + len(title) :]}"
    return found[::-1], text


def _is_repository(name: str) -> bool:
    """Not a file (src/retry.py), two abbreviations (TCP/IP) or two words of a sentence (and/or)."""
    return not (name.isupper() or mimetypes.guess_type(name)[0] or _is_said(name) or name[0].isdigit())


def _is_said(name: str) -> bool:
    return set(name.lower().split("/")) <= ENGLISH_STOP_WORDS


def is_generic(word: str) -> bool:
    """Whether a word, or each part of a compound (資料一覧), says nothing about one thing among others."""
    forms = [normalise(word), *(unit.surface for unit in words_of(normalise(word)))]
    return any(forms[0] in words for words in _GENERIC) or all(
        any(form in words for words in _GENERIC) for form in forms[1:]
    )


def _each_once(words: Iterable[str]) -> list[str]:
    """Without words that are another spelling, or a part, of one before."""
    kept: list[str] = []
    known: set[str] = set()
    for word in words:
        forms = {normalise(form) for form in (word, *other_forms(word))}
        if not forms & known and not any(normalise(word) in normalise(one) for one in kept):
            kept.append(word)
            known |= forms
    return kept
