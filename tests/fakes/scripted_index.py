"""An index that answers with a script of hit counts and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from locator_search.model import Evidence, Facet, FacetValue, Retrieval, RetrievalQuery, SearchFilters

BODY = "本文: この文は要約ではない"


def evidence(number: int, similarity: float = 0.9) -> Evidence:
    """The `number`-th file of a fictional index."""
    return Evidence(
        file_id=f"file-{number}",
        file_name=f"資料{number}.pdf",
        summary=f"資料{number}の要約",
        link=f"https://example.com/{number}",
        mime_type="application/pdf",
        modified_at=datetime(2026, 10, 1, tzinfo=UTC) + timedelta(days=number),
        similarity=similarity,
        score=similarity,
        text=BODY,
        snippet="資料の抜粋",
        keywords=("資料",),
        folder_path="会社/営業部",
        verified=True,
        freshness="verified",
    )


def retrieval(hit_count: int, top: float = 0.9, limit: int = 20, facets: tuple[Facet, ...] = ()) -> Retrieval:
    """`hit_count` hits, the best with similarity `top`, each next one a hundredth lower but not below 0.7."""
    found = tuple(evidence(n, max(min(top, 0.7), top - n / 100)) for n in range(min(hit_count, limit)))
    return Retrieval(found, hit_count, top if hit_count else None, facets)


def folder_facet(**counts: int) -> Facet:
    """A folder facet with these folders of the company."""
    return Facet("folder", tuple(FacetValue(f"会社/{name}", name, count) for name, count in counts.items()))


@dataclass
class ScriptedIndex:
    """The searching half of an IndexStore: answers with the next retrieval of the script; the last one repeats."""

    script: Sequence[Retrieval]
    asked: list[RetrievalQuery] = field(default_factory=list)
    left_out: int = 0

    def retrieve(self, query: RetrievalQuery, query_embedding: object) -> Retrieval:
        answer = self.script[min(len(self.asked), len(self.script) - 1)]
        self.asked.append(query)
        return answer

    def count_among(self, file_ids: Sequence[str], filters: SearchFilters) -> int:
        """The hits that the choices leave out."""
        return self.left_out
