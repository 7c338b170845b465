"""The answer of a model, made safe: no link of its own making, no citation of evidence that is not there. Pure.

Links come from parsed fields of services only. An address that a model wrote, whether its own or one that a message
told it to write, is taken out; that of a piece of evidence becomes its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.live_search.same_document import document_key
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed
from locator_search.text.markdown.tree import Block
from locator_search.text.markdown.writing import as_markdown


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """`cited` are the numbers of evidence that the Markdown cites, `refused` those it named that do not exist;
    `links` is how many addresses were taken out."""

    markdown: str
    blocks: tuple[Block, ...] = ()
    cited: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    links: int = 0


def checked_answer(text: str, evidence: Mapping[int, str]) -> CheckedAnswer:
    """The answer with its links taken out and its citations checked. `evidence` maps numbers to their links."""
    sources = Sources(evidence, document_key)
    blocks = parsed(text, sources)
    return CheckedAnswer(
        as_markdown(blocks), blocks, tuple(sorted(sources.cited)), tuple(sorted(sources.refused)), sources.links
    )
