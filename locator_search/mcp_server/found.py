"""Evidence in the form of the answers of the tools."""

from __future__ import annotations

from locator_search.mcp_server.schemas import FoundDocument, FoundEvidence, OtherVersion
from locator_search.model import Evidence

LONGEST_TEXT = 2_000
"""Characters of one piece of evidence."""


def found_document(item: Evidence) -> FoundDocument:
    """A document, with the versions and copies folded under it."""
    return FoundDocument(
        id=item.file_id,
        title=item.file_name,
        url=item.link,
        snippet=item.snippet,
        summary=item.summary,
        similarity=round(item.similarity, 3),
        modified_at=item.modified_at.isoformat(),
        mime_type=item.mime_type,
        folder_path=item.folder_path,
        freshness=item.freshness,
        other_versions=_other_versions(item),
    )


def found_evidence(item: Evidence) -> FoundEvidence:
    """A place in a document; its text is cut where it is long."""
    from locator_search.text.cutting import truncate

    return FoundEvidence(
        id=item.file_id,
        title=item.file_name,
        url=item.link,
        snippet=item.snippet,
        text=truncate(item.text, LONGEST_TEXT),
        page_number=item.page_number,
        clause_number=item.clause_number,
        heading_path=list(item.heading_path),
        score=round(item.score, 3),
        similarity=round(item.similarity, 3),
        modified_at=item.modified_at.isoformat(),
        mime_type=item.mime_type,
        folder_path=item.folder_path,
        freshness=item.freshness,
        other_versions=_other_versions(item),
    )


def _other_versions(item: Evidence) -> list[OtherVersion]:
    return [
        OtherVersion(
            id=member.evidence.file_id,
            title=member.evidence.file_name,
            kind=member.kind,
            url=member.evidence.link,
            folder_path=member.evidence.folder_path,
            modified_at=member.evidence.modified_at.isoformat(),
        )
        for member in item.group
    ]
