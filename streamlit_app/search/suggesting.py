"""Suggestions while somebody types: an address of ours that the field of the search page asks."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from locator_search.config.readers import reader_with_claims
from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied, LocatorError
from locator_search.core.reader import reading_as
from streamlit_app.shared import access, session
from streamlit_app.shared.visitors import claims_of

PATH = "/suggest"
LONGEST = 200
"""Characters that are looked for."""
PRIVATE = {"Cache-Control": "private, no-store"}


def suggest(request: Request) -> JSONResponse:
    """A list of texts to whoever may see the page, trimmed to that person; an empty one where nothing can be said."""
    try:
        claims = claims_of(request) if access.sign_in_is_set_up() else None
        settings = load_settings()
        reader = reader_with_claims(settings, claims) if claims and settings.locator_permissions else None
        with reading_as(reader):
            owner = access.owner_of(claims) if claims else access.NOBODY
            found = session.locator().suggestions.for_typed(request.query_params.get("q", "")[:LONGEST], owner)
    except AccessDenied:
        return JSONResponse([], 403, PRIVATE)
    except LocatorError:
        return JSONResponse([], 503, PRIVATE)
    return JSONResponse(found, headers=PRIVATE)


ROUTE = Route(PATH, suggest, methods=["GET"])
