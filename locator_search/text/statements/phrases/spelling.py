"""One spelling for what may be spelled in several ways without saying anything else. Pure."""

from __future__ import annotations

from collections.abc import Callable

import regex

from locator_search.text.normalise import compatible
from locator_search.text.terms import stem

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"'})
_WRITTEN: tuple[tuple[str, str | Callable[[regex.Match[str]], str]], ...] = (
    (r"(?<![A-Za-z])(inter|intra|sub|multi|cross)-(?-i:(?=[A-Z]))", r"\1 "),
    (r"°\s?C(?![A-Za-z])", " degC"),
    (r"\b(?:[a-z]\.){3,}", lambda found: found[0].replace(".", "")),
    (r"\b(?:can't|cannot)\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bshan't\b", "shall not"),
    (r"(?<=[a-z])n't\b", " not"),
    (r"(?<=[a-z])'re\b", " are"),
    (r"(?<=[a-z])'ll\b", " will"),
    (r"(?<=[a-z])'ve\b", " have"),
    (r"\b(it|that|there|here)'s\b", r"\1 is"),
    (r"(?<=[\p{Hiragana}\p{Katakana}\p{Han}ー」』）、。]) +(?=[A-Za-z0-9])", ""),
    (r"(?<=[A-Za-z0-9%)]) +(?=[\p{Hiragana}\p{Katakana}\p{Han}「『（])", ""),
    (r"(?<=[^\x00-\x7f]),", "、"),
    (r"(?<=[\p{Hiragana}\p{Katakana}\p{Han}])\.(?=\s|$)", "。"),
    (r",(?= (?:and|or)(?: [\w-]+){1,6}(?:[.,;]|$))(?<=,[^,;.]+,)", ""),
)
"""Contractions, the punctuation of Japanese in full width and no spaces around its words, and no comma before the last
part of a list."""
_AMERICAN = (
    (r"(?<=[a-z]{3})is(?=(?:e|ed|es|er|ers|ing|able|ation|ations)$)", "iz"),
    (r"(?<=[a-z]{2})ys(?=(?:e|ed|es|er|ers|ing)$)", "yz"),
    (r"(?<=behavi|col|fav|harb|hon|lab|neighb|endeav|arm|rum|vap|flav)our", "or"),
    (r"(?<=cent|fib|lit|met|theat|calib|spect)re(?=s?$)", "er"),
    (r"(?<=[aeiouy].*[aeiou])ll(?=(?:ed|ing|er|ers)$)", "l"),
    (r"(?<=defen|offen|licen|preten)c(?=es?$)", "s"),
    (r"(?<=catal|dial|anal|prol)ogue(?=s?$)", "og"),
    (r"(?<=program)me(?=s?$)", ""),
    (r"(?<=judg|acknowledg|abridg)e(?=ment)", ""),
    (r"(?<=^fulfil|^enrol|^instal|^distil|^skil)l(?=(?:ment|s|ful)?$)", ""),
    (r"^grey", "gray"),
    (r"(?<=^ag)e(?=ing$)", ""),
)
_SPELLED = [(regex.compile(form), other) for form, other in _AMERICAN]
_REWRITTEN = [(regex.compile(form, regex.IGNORECASE), other) for form, other in _WRITTEN]


def uniform(text: str) -> str:
    """A text without contractions, and with one form of apostrophes, quotation marks and commas."""
    text = compatible(text).translate(_APOSTROPHES)
    for form, other in _REWRITTEN:
        text = form.sub(other, text)
    return text


def american(word: str) -> str:
    """A word in small letters as spelled in America; both spellings of a word give one, if not always the right one."""
    for form, other in _SPELLED:
        word = form.sub(other, word)
    return word


def stem_of(word: str) -> str:
    """The stem of an English word in small letters, one for both spellings."""
    return stem(american(word))
