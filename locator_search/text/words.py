"""Japanese words: SudachiPy behind one small function, loaded on first use and safe to call from many threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import regex
import sudachipy

PIECE_LENGTH = 8_000
"""Sudachi refuses more than 49,149 bytes at once; 8,000 characters stay below it in any script."""

_LONE_SURROGATE = regex.compile(r"[\ud800-\udfff]")
_GOOD_CUTS = regex.compile(r"[\n。、．，.,;!?！？\s]")
_thread = threading.local()
_loading = threading.Lock()


class Word(NamedTuple):
    """One Sudachi unit: where it stands in the text, its normalised form, its part of speech (six fields) and how it is
    read, in katakana."""

    start: int
    end: int
    surface: str
    normal: str
    part_of_speech: tuple[str, ...]
    reading: str


def words(text: str, mode: str = "A") -> Iterator[Word]:
    """The units of a text in order. Mode A is the shortest units, C the longest (named entities whole)."""
    for start, piece in pieces(text):
        for unit in tokenize(piece, mode):
            yield Word(
                start + unit.begin(),
                start + unit.end(),
                unit.surface(),
                unit.normalized_form(),
                unit.part_of_speech(),
                unit.reading_form(),
            )


def tokenize(piece: str, mode: str = "A") -> Any:
    """Sudachi's own morphemes of one piece (see `pieces`); valid until this thread calls again."""
    tokenizer = _tokenizer(mode)
    try:
        return tokenizer.tokenize(piece)
    except UnicodeEncodeError:
        return tokenizer.tokenize(_LONE_SURROGATE.sub("\ufffd", piece))


def part_of_speech_matcher(parts_of_speech: Sequence[tuple[str, ...]]) -> Any:
    """A callable that says whether a Sudachi morpheme has one of the given parts of speech."""
    return _dictionary().pos_matcher(list(parts_of_speech))


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """(start, piece) of at most `PIECE_LENGTH` characters, cut after a line, sentence or space where there is one."""
    start = 0
    while len(text) - start > PIECE_LENGTH:
        cut = _last_good_cut(text, start)
        yield start, text[start:cut]
        start = cut
    if start < len(text):
        yield start, text[start:]


def _last_good_cut(text: str, start: int) -> int:
    hard = start + PIECE_LENGTH
    for position in range(hard, start + PIECE_LENGTH // 2, -1):
        if _GOOD_CUTS.match(text[position - 1]):
            return position
    return hard


def _tokenizer(mode: str) -> Any:
    tokenizers = getattr(_thread, "tokenizers", None)
    if tokenizers is None:
        tokenizers = _thread.tokenizers = {}
    if mode not in tokenizers:
        split_mode = sudachipy.SplitMode.C if mode == "C" else sudachipy.SplitMode.A
        tokenizers[mode] = _dictionary().tokenizer(mode=split_mode)
    return tokenizers[mode]


def _dictionary() -> Any:
    with _loading:
        return _load_dictionary()


@cache
def _load_dictionary() -> Any:
    return sudachipy.Dictionary()
