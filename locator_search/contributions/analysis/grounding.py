"""Holds what a model claims against the evidence it was given. Pure.

A citation counts when its id is one that was sent and its quote stands in that passage. A claim is supported when a
citation counts and every number and identifier in it stands in a passage it cites: T3510 must come from somewhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from locator_search.contributions.analysis.cards import card_id
from locator_search.llm.answers import CitationAnswer, ClaimAnswer
from locator_search.model import Evidence
from locator_search.ports.contributions.analyses import Citation, Claim

LONGEST_CLAIM = 1_000
MOST_CLAIMS = 40
_IDENTIFIER = re.compile(r"(?<![\w.])(?=[\w.#/-]*\d)[A-Za-z0-9](?:[A-Za-z0-9.#/_-]*[A-Za-z0-9])?")


def grounded(drafts: Sequence[ClaimAnswer], evidence: Sequence[Evidence], sent: Sequence[str]) -> tuple[Claim, ...]:
    """The claims with the citations that hold; at most MOST_CLAIMS, blank ones left out. `sent` are the ids of the
    evidence that the model was shown."""
    places = {card_id(number): number for number in range(len(evidence)) if card_id(number) in sent}
    texts = [" ".join(draft.text.split())[:LONGEST_CLAIM] for draft in drafts]
    checked = [_checked(draft, text, places, evidence) for draft, text in zip(drafts, texts, strict=True) if text]
    return tuple(checked[:MOST_CLAIMS])


def _checked(draft: ClaimAnswer, text: str, places: Mapping[str, int], evidence: Sequence[Evidence]) -> Claim:
    citations: list[Citation] = []
    refused: list[str] = []
    for cited in draft.citations:
        place = places.get(cited.evidence_id.strip())
        if place is None or not holds(evidence[place], cited.quote):
            refused.append(_on_one_line(cited))
        elif place not in [citation.evidence for citation in citations]:
            citations.append(Citation(place, cited.quote.strip()))
    unverified = _unverified(text, [evidence[citation.evidence] for citation in citations]) if citations else ()
    return Claim(draft.aspect, text, tuple(citations), tuple(refused), unverified)


def holds(evidence: Evidence, quote: str) -> bool:
    """Whether a quote stands in the passage, or in what was deleted there; white space and width do not matter."""
    wanted = _folded(quote)
    return any(wanted in _folded(text) for text in (evidence.text, *(change.text for change in evidence.changes)))


def _unverified(text: str, cited: Sequence[Evidence]) -> tuple[str, ...]:
    known = _folded(" ".join(_everything_of(one) for one in cited))
    found = (match.group() for match in _IDENTIFIER.finditer(unicodedata.normalize("NFKC", text)))
    return tuple(dict.fromkeys(word for word in found if not _is_count(word) and word.casefold() not in known))


def _everything_of(evidence: Evidence) -> str:
    labels = (evidence.contribution_number, evidence.meeting, evidence.clause_number, evidence.source_file)
    page = str(evidence.page_number or "")
    return " ".join(
        filter(
            None, (evidence.text, *(change.text for change in evidence.changes), *labels, *evidence.heading_path, page)
        )
    )


def _is_count(word: str) -> bool:
    """A single digit counts things (two contributions); it need not be written as one."""
    return len(word) == 1


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _on_one_line(cited: CitationAnswer) -> str:
    refused = f"{cited.evidence_id}: {cited.quote}" if cited.quote else cited.evidence_id
    return " ".join(refused.split())[:200]
