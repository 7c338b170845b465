"""Words of a question that count as they are written alone, because a rule that folds spellings is off."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from locator_search.text.normalise import compatible, normalise_with_offsets, original_span
from locator_search.text.old_kanji import MODERN_KANJI
from locator_search.text.terms import WORD, analyse, is_meaning
from locator_search.text.variants.kana import KATAKANA_WORD, katakana_variants
from locator_search.text.words import Word, words

_HIRAGANA = regex.compile(r"\p{Hiragana}")
_HAN = regex.compile(r"\p{Han}")
_CONTENT = frozenset({"名詞", "動詞", "形容詞", "形状詞", "副詞", "接頭辞", "接尾辞"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """One word. Texts that have it hold one of `terms`, however they write it.

    `as_written` and `in_any_form` are regular expressions for the text of a file, without regard to case; they mean the
    same to PostgreSQL and to Python.
    """

    rule: str
    terms: tuple[str, ...]
    as_written: str
    in_any_form: str


def spellings_to_keep(question: str, off: Sequence[str]) -> tuple[Spelling, ...]:
    """For each rule that is off and folds spellings, the words of the question that it would fold."""
    rules = [rule for rule in _FORMS if rule in off]
    if not rules:
        return ()
    normalised, offsets = normalise_with_offsets(question)
    found: list[Spelling] = []
    for word in words(normalised):
        if word.part_of_speech[0] in _CONTENT:
            start, end = original_span(offsets, word.start, word.end)
            found += _of_word(word, question[start:end], rules)
    return tuple(dict.fromkeys(found))


def _of_word(word: Word, written: str, rules: Sequence[str]) -> Iterator[Spelling]:
    for rule in rules:
        forms = _FORMS[rule](word, written)
        if forms is not None:
            as_written, in_any_form, others = forms
            terms = (term for text in (word.surface, *others) for term in analyse(text).terms if not is_meaning(term))
            kept = tuple(dict.fromkeys((WORD + word.normal.lower(), *terms)))
            yield Spelling(rule, kept, as_written, in_any_form)


_Forms = tuple[str, str, tuple[str, ...]]
"""As written, in any form, and other spellings that may have terms of their own."""


def _width(_: Word, written: str) -> _Forms | None:
    forms = [_widths().get(character, ()) for character in compatible(written)]
    if not any(forms):
        return None
    return re.escape(written), _one_after_the_other(compatible(written), forms), ()


def _kanji(word: Word, written: str) -> _Forms | None:
    forms = [_old_forms().get(character, ()) for character in word.surface]
    if not any(forms):
        return None
    return re.escape(written), _one_after_the_other(word.surface, forms), ()


def _kana(word: Word, written: str) -> _Forms | None:
    if not KATAKANA_WORD.fullmatch(word.surface):
        return None
    others = {*katakana_variants(word.surface), *katakana_variants(word.normal), word.normal} - {word.surface}
    forms = sorted((word.surface, *others), key=len, reverse=True)
    return f"{re.escape(written)}(?![ーｰ])", f"(?:{'|'.join(map(re.escape, forms))})", tuple(sorted(others))


def _okurigana(word: Word, written: str) -> _Forms | None:
    kana = "".join(dict.fromkeys(_HIRAGANA.findall(word.normal)))
    if not kana or len(_HAN.findall(word.normal)) < 2 or _HAN.findall(word.normal) != _HAN.findall(word.surface):
        return None
    return f"{re.escape(written)}(?![{kana}])", _HIRAGANA.sub(r"\g<0>?", word.normal), ()


def _one_after_the_other(usual: str, forms: Sequence[Sequence[str]]) -> str:
    return "".join(
        f"(?:{'|'.join(map(re.escape, (character, *others)))})" if others else re.escape(character)
        for character, others in zip(usual, forms, strict=True)
    )


@cache
def _old_forms() -> Mapping[str, tuple[str, ...]]:
    """Modern form of a kanji -> its old forms."""
    forms: dict[str, tuple[str, ...]] = {}
    for old, modern in MODERN_KANJI.items():
        forms[modern] = (*forms.get(modern, ()), chr(old))
    return forms | {"斎": (*forms["斎"], "斉", *forms["斉"])}


@cache
def _widths() -> Mapping[str, tuple[str, ...]]:
    """Usual form of a character -> its full-width or half-width form (ガ is ｶﾞ)."""
    plain = [chr(code) for code in range(0xFF01, 0xFFDD)]
    voiced = [kana + mark for kana in plain for mark in "ﾞﾟ"]
    usual = ((unicodedata.normalize("NFKC", form), form) for form in (*plain, *voiced))
    return {one: (form,) for one, form in usual if len(one) == 1}


_FORMS: Mapping[str, Callable[[Word, str], _Forms | None]] = {
    "width": _width,
    "kanji": _kanji,
    "kana": _kana,
    "okurigana": _okurigana,
}
