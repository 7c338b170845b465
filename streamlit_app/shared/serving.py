"""The server in front of the pages: under which names it answers, and whether somebody must sign in."""

from __future__ import annotations

import sys
from functools import cache

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config

from locator_search.config.settings import language_set, load_settings
from locator_search.core.errors import ConfigurationError, LocatorError
from locator_search.guard import Guard, Health, SignIn, names_of, read_sign_in, refuse_open_doors
from locator_search.guard.sign_in import SECTION
from locator_search.health.readiness import probes
from locator_search.locales import refuse_faulty_files
from locator_search.locales.said import error_in_words
from streamlit_app.shared.strangers import SignedInOnly


def guards() -> list[Middleware]:
    """The middleware in front of the pages, outermost first. Ends the process where settings or texts are wrong."""
    try:
        settings = load_settings()
        refuse_faulty_files()
        sign_in = _sign_in_of_this_server()
        refuse_open_doors(str(config.get_option("server.address") or ""), sign_in, settings.naming_people)
        names = names_of(settings.locator_allowed_hosts, [sign_in.redirect_uri if sign_in else None])
    except LocatorError as error:
        print(*error_in_words(error, language_set()), sep="\n", file=sys.stderr)
        sys.exit(error.exit_code)
    language = settings.locator_language
    always = [Middleware(Health, **probes(settings)), Middleware(Guard, names=names, language=language)]
    if sign_in is None:
        return always
    return [*always, Middleware(SignedInOnly, redirect_uri=sign_in.redirect_uri, language=language)]


def started_with_sign_in() -> bool:
    """Whether this process is a server that somebody must sign in to."""
    return _sign_in_of_this_server.cache_info().currsize > 0 and _sign_in_of_this_server() is not None


@cache
def _sign_in_of_this_server() -> SignIn | None:
    """Raises ConfigurationError where it is set up in part, or where Streamlit knows of it and we do not."""
    sign_in = read_sign_in()
    if sign_in is None and st.secrets.load_if_toml_exists() and SECTION in st.secrets:
        raise ConfigurationError(
            "[auth] stands in a file that the Dagster UI does not read.",
            hint="Move it to .streamlit/secrets.toml in the folder where you start the program.",
        )
    return sign_in
