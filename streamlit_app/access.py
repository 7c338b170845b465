"""Who uses the page. Where OIDC is set up (`[auth]` in Streamlit's secrets) everybody has analyses of their own; where
it is not, the one person who runs the program has all of them."""

from __future__ import annotations

import hashlib

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

NOBODY = ""
"""The owner of what is made where nobody signs in."""


def sign_in_is_set_up() -> bool:
    """Whether Streamlit has an identity provider to ask."""
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False


def owner() -> str | None:
    """Whose analyses are shown: NOBODY's without sign-in; None while somebody still has to sign in.

    Issuer and subject are what an identity provider promises to keep (OpenID Connect Core 1.0, 5.7); an e-mail address
    may change hands.
    """
    if not sign_in_is_set_up():
        return NOBODY
    if not st.user.is_logged_in:
        return None
    identity = f"{st.user.get('iss', '')}\n{st.user['sub']}"
    return hashlib.sha256(identity.encode()).hexdigest()


def shown_name() -> str:
    """The name of who is signed in, "" where nobody is."""
    return str(st.user.get("name") or st.user.get("email") or "") if owner() else ""
