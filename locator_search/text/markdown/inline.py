"""The words of one paragraph: what was a link is words again, addresses are taken out, citations are read. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from locator_search.text.markdown.addresses import without_addresses
from locator_search.text.markdown.tree import Citation, Code, Inline, LineBreak, Marked, Text

DEEPEST = 8
"""Marks within marks; what is deeper keeps its words."""
LONGEST_RANGE = 9
_CITATION = re.compile(r"[\[［【]\^?\s*(\d{1,9}(?:\s*[-–,、，・]\s*\^?\d{1,9})*)\s*[\]］】]")
_ONE_CITATION = re.compile(r"\[(\d+)\]")
_NUMBER = re.compile(r"\^?\d{1,9}")
_SPACES_BEFORE_MARK = re.compile(r"[ \t]+(?=[、。，.,])")


@dataclass
class Sources:
    """Which numbers may be cited, and which of them an address belongs to. Counts what was met on the way."""

    known: Mapping[int, str] = field(default_factory=dict)
    key: Callable[[str], str] = str
    """The same for addresses that lead to the same place."""
    cited: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)
    links: int = 0
    """Addresses that were taken out and belong to none of the evidence."""

    def __post_init__(self) -> None:
        self._numbers = {self.key(address): number for number, address in reversed([*self.known.items()]) if address}

    def citation_of(self, address: str) -> str:
        """[1] for an address of evidence, or nothing."""
        number = self._numbers.get(self.key(address))
        self.links += number is None
        return f"[{number}]" if number is not None else ""

    def cite(self, number: int) -> bool:
        """Whether there is something to cite."""
        (self.cited if number in self.known else self.refused).add(number)
        return number in self.known


def inline(token: Token, sources: Sources) -> tuple[Inline, ...]:
    """The parts of one line or paragraph: first everything that was a link is words again, then words are read."""
    open_parts: list[list[Inline]] = [[]]
    targets: list[str] = []
    for child in token.children or ():
        here = open_parts[-1]
        match child.type:
            case "code_inline":
                here.append(Code(child.content))
            case "softbreak":
                here.append(Text("\n"))
            case "hardbreak":
                here.append(LineBreak())
            case "strong_open" | "em_open" | "s_open" | "link_open":
                targets.append(str(child.attrGet("href") or ""))
                open_parts.append([])
            case "strong_close" | "em_close" | "s_close" if len(open_parts) <= DEEPEST + 1:
                inner = tuple(open_parts.pop())
                targets.pop()
                open_parts[-1].append(Marked(child.type.removesuffix("_close"), inner))  # type: ignore[arg-type]
            case "strong_close" | "em_close" | "s_close":
                inner = tuple(open_parts.pop())
                targets.pop()
                open_parts[-1] += inner
            case "link_close":
                inner = tuple(open_parts.pop())
                is_address = child.markup == "autolink"
                open_parts[-1] += _unlinked(inner, targets.pop(), sources, is_address=is_address)
            case "image":
                alt = Text(words_of(inline(child, Sources())))
                here += _unlinked((alt,), str(child.attrGet("src") or ""), sources)
            case _:
                here.append(Text(child.content))
    return _read(tuple(open_parts[0]), sources)


def _unlinked(parts: tuple[Inline, ...], target: str, sources: Sources, *, is_address: bool = False) -> list[Inline]:
    """The text of a link, and the number of the evidence it led to. A text that is a number cites that."""
    if is_address and target.startswith("mailto:"):
        return list(parts)
    number = sources.citation_of(target)
    if is_address:
        return [Text(number)]
    words = words_of(parts)
    if _NUMBER.fullmatch(words):
        parts = (Text(f"[{words}]"),)
    return [*parts, *([Text(f" {number}")] if number and number != f"[{words}]" and number not in words else [])]


def _read(parts: tuple[Inline, ...], sources: Sources) -> tuple[Inline, ...]:
    """The same with addresses and citations in its words read, and neighbouring words in one piece."""
    read: list[Inline] = []
    words = ""
    for part in (*parts, LineBreak()):
        if isinstance(part, Text):
            words += part.text
            continue
        read += _cited(_settled(words, sources))
        words = ""
        if isinstance(part, Marked):
            part = Marked(part.kind, _read(part.parts, sources))
        read.append(part)
    return tuple(read[:-1])


def _settled(words: str, sources: Sources) -> str:
    """Words without addresses and without citations of nothing; what stood around one may be one when that is gone."""
    before = ""
    while words != before:
        before = words
        words = without_addresses(_CITATION.sub(lambda match: _known_only(match, sources), words), sources.citation_of)
    return _SPACES_BEFORE_MARK.sub("", words)


def _known_only(match: re.Match[str], sources: Sources) -> str:
    return "".join(f"[{number}]" for number in _numbers(match.group(1)) if sources.cite(number))


def _cited(words: str) -> Iterator[Inline]:
    """Words and citations in turn."""
    for place, piece in enumerate(_ONE_CITATION.split(words)):
        if place % 2:
            yield Citation(int(piece))
        elif piece:
            yield Text(piece)


def _numbers(written: str) -> list[int]:
    """`1, 3-5` as numbers, in their order, each once."""
    found: list[int] = []
    for part in re.split(r"[,、，・]", written.replace("^", "")):
        first, _, last = (piece.strip() for piece in re.sub(r"[-–]", "-", part).partition("-"))
        low, high = int(first), int(re.sub(r"-.*", "", last) or first)
        found += range(low, high + 1) if low <= high < low + LONGEST_RANGE else [low, high]
    return list(dict.fromkeys(found))


def words_of(parts: Sequence[Inline]) -> str:
    """The same without marks."""
    return "".join(map(_words_in, parts))


def _words_in(part: Inline) -> str:
    match part:
        case Text(text) | Code(text):
            return text
        case Marked(_, parts):
            return words_of(parts)
        case Citation(number):
            return f"[{number}]"
        case LineBreak():
            return " "
