"""Estimates the cost of a crawl before it begins: files, tokens and US dollars out of sizes and known texts. Pure.

Every figure errs on the high side. Nothing is known yet of copies and of what is remembered, which cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from locator_search.indexing.prompts import READ_AT_MOST
from locator_search.model import FileRef
from locator_search.text.cutting import TOKENS_PER_WIDE_CHARACTER

INSTRUCTION_TOKENS = 250
ANSWER_TOKENS = 600
OVERLAP = 1.1
"""Tokens embedded for each token of text: chunks repeat their headings."""
TOKENS_OF_A_FILE_WITHOUT_SIZE = 4_000

TOKENS_PER_BYTE = (
    # Measured on Japanese office documents with `estimate_tokens`; the first type that fits counts.
    ("text/", 0.4),
    ("application/json", 0.4),
    ("application/vnd.openxmlformats-officedocument.presentationml", 0.02),
    ("application/", 0.06),
)


@dataclass(frozen=True, slots=True)
class ModelPrices:
    """US dollars per million tokens. None: not known. 0: a server of one's own."""

    summary_input: float | None
    summary_output: float | None
    embedding: float | None


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Files, tokens and US dollars of a crawl. `cost_usd` is None where a price is not known."""

    files: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0


def estimate_cost(
    files: Iterable[FileRef], prices: ModelPrices, known_lengths: Mapping[str, int] | None = None
) -> CostEstimate:
    """The sum over all files. `known_lengths`: characters of text by file id, of files that were read before."""
    known = known_lengths or {}
    count = summary_input = embedded = 0
    for file in files:
        tokens = tokens_in(file, known.get(file.file_id))
        count += 1
        summary_input += INSTRUCTION_TOKENS + min(tokens, round(READ_AT_MOST * TOKENS_PER_WIDE_CHARACTER))
        embedded += round(tokens * OVERLAP) + ANSWER_TOKENS
    written = count * ANSWER_TOKENS
    return CostEstimate(
        count,
        summary_input + written + embedded,
        _sum((summary_input, prices.summary_input), (written, prices.summary_output), (embedded, prices.embedding)),
    )


def tokens_in(file: FileRef, known_length: int | None = None) -> int:
    """About how many tokens the text of a file is."""
    if known_length is not None:
        return round(known_length * TOKENS_PER_WIDE_CHARACTER)
    if file.size is None:
        return TOKENS_OF_A_FILE_WITHOUT_SIZE
    rate = next((rate for kind, rate in TOKENS_PER_BYTE if file.mime_type.startswith(kind)), 0.0)
    return round(file.size * rate)


def _sum(*parts: tuple[int, float | None]) -> float | None:
    costs = [tokens * price / 1_000_000 for tokens, price in parts if price is not None]
    return sum(costs) if len(costs) == len(parts) else None
