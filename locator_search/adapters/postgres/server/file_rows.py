"""A row about an indexed file or chunk as evidence: the one place that knows which column is which field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from locator_search.adapters.postgres.server.document_rows import changes_from_json
from locator_search.adapters.postgres.server.rows import summary_state, text_state
from locator_search.model import Evidence
from locator_search.text.dates.periods import label


def file_evidence(row: Mapping[str, Any]) -> Evidence:
    """The file itself, as if somebody had named it: who searches replaces what the search found."""
    return Evidence(
        file_id=row["file_id"],
        file_name=row["file_name"],
        summary=row["summary"],
        link=row["link"],
        mime_type=row["mime_type"],
        modified_at=row["drive_modified_at"],
        similarity=1.0,
        score=1.0,
        keywords=tuple(row["keywords"] or ()),
        folder_path=row["folder_path"],
        location=row["location"],
        revision=row["revision"],
        size=row["size"],
        owner=row["owner"],
        source=row["source"],
        text_state=text_state(row["metadata"]),
        summary_state=summary_state(row["metadata"]),
        document_date=label((period.lower, period.upper)) if (period := row["document_period"]) else "",
    )


def chunk_evidence(row: Mapping[str, Any]) -> Evidence:
    """The file with one of its chunks; without one (its columns are NULL), the file alone."""
    metadata: Mapping[str, Any] = row["metadata"]
    return replace(
        file_evidence(row),
        text=row["text"] or "",
        chunk_id=row["chunk_id"],
        heading_path=tuple(row["heading_path"] or ()),
        page_number=row["page"],
        clause_number=row["clause"],
        contribution_number=metadata.get("contribution_number"),
        meeting=metadata.get("meeting"),
        source_file=metadata.get("source_file", ""),
        page_is_estimated=metadata.get("pages", "exact") != "exact",
        changes=changes_from_json(row["changes"] or ()),
    )
