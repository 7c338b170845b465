"""Who looks at the pages. Where sign-in is set up (`[auth]` in Streamlit's secrets) everybody has things of their own;
where it is not, the one person who runs the program has all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from locator_search.config.readers import reader_with_claims
from locator_search.config.settings import Settings, load_settings
from locator_search.core.errors import AccessDenied
from locator_search.core.reader import Reader, reader_now
from locator_search.guard.sign_in import SECTION, admits, secrets_files
from streamlit_app.shared import serving
from streamlit_app.shared.strangers import SHEET

NOBODY = ""
"""The owner of what is made where nobody signs in."""

Admission = Literal["admitted", "not signed in", "not on the list"]


def sign_in_is_set_up() -> bool:
    """Whether somebody must sign in. Secrets that cannot be read, or went away while we run, open nothing."""
    if serving.started_with_sign_in():
        return True
    try:
        return SECTION in st.secrets
    except StreamlitSecretNotFoundError:
        return any(path.exists() for path in secrets_files())


def admission() -> Admission:
    """Whether whoever looks may see the pages."""
    if not sign_in_is_set_up():
        return "admitted"
    if st.user.get("is_logged_in") is not True:
        return "not signed in"
    allowed = load_settings().locator_allowed_users
    return "admitted" if admits(allowed, st.user.to_dict()) else "not on the list"


def holds_a_link() -> bool:
    """Whether the address claims to be a link to one shared sheet, which the page of that sheet checks."""
    return SHEET in st.query_params


def owner() -> str:
    """The owner of the things on the page: NOBODY without sign-in. Raises AccessDenied for strangers."""
    if not sign_in_is_set_up():
        return NOBODY
    if admission() != "admitted":
        raise AccessDenied("Nobody is signed in.", hint="Sign in and try again.")
    return owner_of(st.user.to_dict())


def owner_of(claims: Mapping[str, Any]) -> str:
    """The owner of the things of somebody who signed in: issuer and subject are what an identity provider promises to
    keep (OpenID Connect Core 1.0, 5.7); an e-mail address may change hands."""
    identity = f"{claims.get('iss', '')}\n{claims['sub']}"
    return hashlib.sha256(identity.encode()).hexdigest()


def reader() -> Reader | None:
    """The person whose files are shown; None where results are not trimmed, or nobody is named. Raises AccessDenied for
    somebody without a verified mail address, and ConfigurationError."""
    if not sign_in_is_set_up() or admission() != "admitted":
        return None
    settings = load_settings()
    if not settings.locator_permissions:
        return None
    return reader_with_claims(settings, st.user.to_dict())


def others_may_look(settings: Settings) -> bool:
    """Whether whoever looks may be another one than the person who runs the program, and is no administrator."""
    if not sign_in_is_set_up() and not settings.locator_allowed_hosts:
        return False
    now = reader()
    return now is None or not now.administers


def administers(settings: Settings) -> bool:
    """Whether whoever looks may see figures about all files and have files tried again."""
    if not settings.locator_permissions:
        return True
    now = reader_now()
    return now is not None and now.administers


def shown_name() -> str:
    """The name of who is signed in, "" where nobody is."""
    if not sign_in_is_set_up() or st.user.get("is_logged_in") is not True:
        return ""
    return str(st.user.get("name") or st.user.get("email") or "")
