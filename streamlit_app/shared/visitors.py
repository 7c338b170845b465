"""Who asks beside a page: the person whom the signed cookie of the pages names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied
from locator_search.guard.sign_in import admits


def claims_of(request: Request) -> Mapping[str, Any]:
    """The claims about the person who signed in. Raises AccessDenied for people who may see nothing."""
    cookie = _get_signed_cookie_with_chunks(request.cookies, USER_COOKIE_NAME)
    claims = json.loads(cookie) if cookie else {}
    if claims.get("is_logged_in") is not True or not admits(load_settings().locator_allowed_users, claims):
        raise AccessDenied("Nobody is signed in.", hint="Sign in and try again.")
    return dict(claims)
