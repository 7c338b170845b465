"""`document-locator auth`: sign in where the product reads on a person's behalf."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.config.settings import Settings

app = typer.Typer(help="Sign in to services: google.", no_args_is_help=True)


def _settings() -> Settings:
    from locator_search.config.settings import load_settings_to_sign_in

    return load_settings_to_sign_in()


@app.callback()
def auth() -> None:
    """Sign in to services."""


@app.command()
@functools.partial(reports_errors, read_settings=_settings)
def google(
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address instead of opening it.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Agree in the browser that your Google Drive may be read. Needs GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.

    The browser must run on this machine. The refresh token is kept under LOCATOR_HOME, readable by you alone.

    Example: document-locator auth google
    """
    from locator_search.app.locator import sign_in_to_google
    from locator_search.config.settings import language_set
    from locator_search.locales.said import told

    path = sign_in_to_google(_settings(), open_browser=not no_browser)
    if json_output:
        emit_json({"token_file": path})
    else:
        console.print(told(f"Signed in. The refresh token is in {path}.", language_set()), soft_wrap=True)
    if os.environ.get("GOOGLE_REFRESH_TOKEN"):
        wins = "GOOGLE_REFRESH_TOKEN is set and wins over the file: leave it blank to use the new token."
        error_console.print(told(wins, language_set()))
