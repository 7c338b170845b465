"""The limits given to the tools, as search filters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from locator_search.core.errors import ConfigurationError
from locator_search.mcp_server.document_ids import parsed
from locator_search.mcp_server.schemas import EvidenceFilters
from locator_search.mcp_server.texts import Sentences
from locator_search.model import SearchFilters
from locator_search.text.file_types import mime_types_for

if TYPE_CHECKING:
    from locator_search.config.settings import Settings


def search_filters(
    limits: EvidenceFilters, document_ids: Sequence[str] | None, settings: Settings, say: Sentences
) -> SearchFilters:
    """The filters that are meant; days are those of LOCATOR_TIME_ZONE. Raises ConfigurationError."""
    zone = ZoneInfo(settings.locator_time_zone)
    first, last = limits.modified_after, limits.modified_before
    if first and last and first > last:
        raise ConfigurationError(say.empty_period)
    return SearchFilters(
        modified_after=datetime.combine(first, time(), tzinfo=zone) if first else None,
        modified_before=_end_of(last, zone) if last else None,
        mime_types=tuple(dict.fromkeys(name for kind in limits.file_types for name in mime_types_for(kind))),
        folders=tuple(limits.folders),
        owners=tuple(limits.owners),
        file_ids=tuple(_file_id(document_id) for document_id in document_ids or ()),
    )


def _end_of(day: date, zone: ZoneInfo) -> datetime | None:
    if day == date.max:
        return None
    return datetime.combine(day + timedelta(days=1), time(), tzinfo=zone)


def _file_id(text: str) -> str:
    """The id in a text. One that cannot be an id stays as it is, and limits the search to nothing."""
    document = parsed(text)
    return document.file_id if document else text
