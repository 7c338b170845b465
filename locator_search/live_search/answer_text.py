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
_CITATION = re.compile(r"[\[［【]\^?\s*(\d+(?:\s*[-–,、，・]\s*\^?\d+)*)\s*[\]］】]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SPACES_BEFORE_MARK = re.compile(r"[ \t]+(?=[、。，.,])")
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
    numbers = {document_key(uri): number for number, uri in evidence.items()}
    removed = 0

    def without_address(match: re.Match[str]) -> str:
        nonlocal removed
        number = numbers.get(document_key(match.group().strip("<>").rstrip(".,;:!?")))
        removed += number is None
        return f"[{number}]" if number else ""

    def without_target(match: re.Match[str]) -> str:
        nonlocal removed
        number = numbers.get(document_key(match.group(2).split(" ")[0].strip("<>")))
        cites_already = number and f"[{number}]" in f"[{match.group(1)}]"
        removed += number is None
        return match.group(1) if not number else f"[{number}]" if cites_already else f"{match.group(1)} [{number}]"

    markdown = _ESCAPED.sub(r"\1", _INVISIBLE.sub("", html.unescape(html.unescape(text))))
    for _ in range(_ROUNDS):
        before = markdown
        markdown = _bare_citations(_DEFINITION.sub("", markdown))
        markdown = _ADDRESS.sub(without_address, _LINK.sub(without_target, markdown))
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
    return CheckedAnswer(markdown, tuple(sorted(cited)), tuple(sorted(refused)), removed)


def _bare_citations(markdown: str) -> str:
    """`[1](address)` is a citation with a link; only the citation is kept."""
    return re.sub(r"\[(\^?\d+)\]\((?:[^()\n]|\([^()\n]*\))*\)", r"[\1]", markdown)


def _numbers(written: str) -> list[int]:
    """`1, 3-5` as numbers, in their order, each once."""
    found: list[int] = []
    for part in re.split(r"[,、，・]", written.replace("^", "")):
        first, _, last = (piece.strip() for piece in re.sub(r"[-–]", "-", part).partition("-"))
        low, high = int(first), int(last or first)
        found += range(low, high + 1) if low <= high < low + LONGEST_RANGE else [low, high]
    return list(dict.fromkeys(found))
