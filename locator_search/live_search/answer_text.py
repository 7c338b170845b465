"""What a model wrote, made safe: no link of its own making, no citation of evidence that is not there. Pure.

Links come from parsed fields of services only. An address that a model wrote, whether its own or one that a message
told it to write, is taken out; that of a piece of evidence becomes its number.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.live_search.same_document import document_key

_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ESCAPED = re.compile(r"\\([:/.@\[\]()<>])")
_DEFINITION = re.compile(r"^[ \t]*\[[^\]\n]+\]:[ \t]*\S.*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)")
_ADDRESS = re.compile(
    r"<?(?:\b[a-z][a-z0-9+.-]*://|\bwww\.)"
    r"[^\s<>\"'`()\[\]「」『』（）【】、。，！？]+>?",
    re.IGNORECASE,
)
_HALF_AN_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where what is left, `://` alone for instance, could still be read as the beginning of one."""
_CITATION = re.compile(r"[\[［【]\^?\s*(\d+(?:\s*[-–,、，・]\s*\^?\d+)*)\s*[\]］】]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SPACES_BEFORE_MARK = re.compile(r"[ \t]+(?=[、。，.,])")
_A_NUMBER = re.compile(r"\^?\d+")
_ROUNDS = 8
LONGEST_RANGE = 9


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """`cited` are the numbers of evidence that the Markdown cites, `refused` those it named that do not exist;
    `links` is how many addresses were taken out."""

    markdown: str
    cited: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    links: int = 0


def checked_answer(text: str, evidence: Mapping[int, str]) -> CheckedAnswer:
    """The answer with its links taken out and its citations checked. `evidence` maps numbers to their links."""
    taken_out = _TakenOut({document_key(uri): number for number, uri in evidence.items()})
    markdown = _ESCAPED.sub(r"\1", _INVISIBLE.sub("", html.unescape(html.unescape(text))))
    for _ in range(_ROUNDS):  # what was written around a link may be one when that is gone
        before = markdown
        markdown = _DEFINITION.sub(taken_out.definition, markdown)
        markdown = _ADDRESS.sub(taken_out.address, _LINK.sub(taken_out.link, markdown))
        if markdown == before:
            break
    cited, refused = set[int](), set[int]()

    def known_only(match: re.Match[str]) -> str:
        named = _numbers(match.group(1))
        cited.update(number for number in named if number in evidence)
        refused.update(number for number in named if number not in evidence)
        return "".join(f"[{number}]" for number in named if number in evidence)

    markdown = _CITATION.sub(known_only, markdown).replace("](", "] (")
    markdown = _SPACES_BEFORE_MARK.sub("", _TAG.sub("&lt;", markdown)).strip()
    markdown = _HALF_AN_ADDRESS.sub(" ", markdown)
    return CheckedAnswer(markdown, tuple(sorted(cited)), tuple(sorted(refused)), taken_out.count)


class _TakenOut:
    """Puts something harmless in the place of links, and counts those that do not lead to evidence."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self.count = 0

    def address(self, match: re.Match[str]) -> str:
        """A bare one: the number of its evidence, or nothing."""
        number = self._number(match.group())
        return f"[{number}]" if number else ""

    def link(self, match: re.Match[str]) -> str:
        """`[text](target)`: its text, with the number of its evidence. A text that is a citation stays one."""
        text, number = match.group(1), self._number(match.group(2).split(" ")[0])
        shown = f"[{text}]" if _A_NUMBER.fullmatch(text) else text
        return shown if not number or f"[{number}]" in shown else f"{text} [{number}]"

    def definition(self, _match: re.Match[str]) -> str:
        """`[name]: target` on a line of its own."""
        self.count += 1
        return ""

    def _number(self, address: str) -> int | None:
        number = self._numbers.get(document_key(address.strip("<>").rstrip(".,;:!?")))
        self.count += number is None
        return number


def _numbers(written: str) -> list[int]:
    """`1, 3-5` as numbers, in their order, each once."""
    found: list[int] = []
    for part in re.split(r"[,、，・]", written.replace("^", "")):
        first, _, last = (piece.strip() for piece in re.sub(r"[-–]", "-", part).partition("-"))
        low, high = int(first), int(last or first)
        found += range(low, high + 1) if low <= high < low + LONGEST_RANGE else [low, high]
    return list(dict.fromkeys(found))
