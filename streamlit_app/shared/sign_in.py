"""The way in and the way out."""

from __future__ import annotations

from functools import partial

import streamlit as st

from locator_search.guard.sign_in import PROVIDER_KEYS
from locator_search.guard.texts import Sentences
from streamlit_app.shared import access, escaping, session
from streamlit_app.shared.strangers import AWAY, FAILED
from streamlit_app.shared.templates import line_html


def way_in() -> None:
    """All that strangers see."""
    say = Sentences.of(session.texts().language)
    st.html(line_html("Document Locator", style="head"))
    if access.admission() == "not on the list":
        name = str(st.user.get("email") or access.shown_name())
        st.error(escaping.label(say.not_admitted.format(name=name)), icon=":material/block:")
        st.button(say.sign_out, on_click=st.logout)
        return
    if FAILED in st.query_params:
        away = st.query_params[FAILED] == AWAY
        st.error(say.provider_unreachable if away else say.sign_in_failed, icon=":material/error:")
    st.info(say.sign_in_needed, icon=":material/lock:")
    for provider in _providers():
        label = say.sign_in if provider is None else f"{say.sign_in} ({escaping.label(provider)})"
        st.button(label, on_click=partial(st.login, provider), type="primary", icon=":material/login:")


def who_is_signed_in() -> None:
    """The name, and the way out; nothing where nobody signs in."""
    name = access.shown_name()
    if name:
        say = Sentences.of(session.texts().language)
        st.html(line_html(say.signed_in_as.format(name=name)))
        st.button(say.sign_out, on_click=st.logout, type="tertiary", key="sign-out")


def _providers() -> list[str | None]:
    """The providers as `st.login` names them; None is the one without a name."""
    section = st.secrets.get("auth", {})
    named = [name for name, value in section.items() if hasattr(value, "keys") and name != "client_kwargs"]
    own = not named or any(key in section for key in PROVIDER_KEYS)
    return [*([None] if own else []), *named]
