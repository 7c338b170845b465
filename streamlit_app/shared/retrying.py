"""Files that a person has tried once more, from whatever page."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.core.reader import reading_as
from locator_search.model import FileState
from streamlit_app.shared import access, session

FAILED: tuple[FileState, ...] = ("failed", "no_access")
SKIPPED: tuple[FileState, ...] = ("skipped", "out_of_scope")


def try_again(states: Sequence[FileState], *, reason: str | None = None, file_id: str | None = None) -> int:
    """Have files tried at the next tick of the sensor or the next crawl; returns how many. A click is answered before
    the page is drawn, and then nobody else says who looks. Raises AccessDenied for people who are no administrators."""
    locator = session.locator()
    with reading_as(access.reader()):
        return locator.registry.try_again(states, locator.clock.now(), reason=reason, file_id=file_id)
