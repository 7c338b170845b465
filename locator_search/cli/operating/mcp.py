"""`document-locator mcp`: the index for programs that speak the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.config.settings import Settings

PORT = 8765


def _enter(directory: Path | None) -> Path | None:
    """Before anything reads the settings: `.env` and relative paths are those of this folder."""
    if directory is not None:
        os.chdir(directory)
    return directory


@reports_errors
def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve HTTP on 127.0.0.1 instead of stdin and stdout.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="With --http; 0 takes a free one.")] = PORT,
    _directory: Annotated[
        Path | None,
        typer.Option(
            "--directory",
            help="The folder whose .env holds: programs start servers in a folder of their own.",
            exists=True,
            file_okay=False,
            resolve_path=True,
            is_eager=True,
            callback=_enter,
        ),
    ] = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print what Claude Desktop and Cursor are to be given, as JSON.")
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Let Claude, Cursor, ChatGPT and others search and read the index. / AI アプリから索引を検索できるようにします。

    Speaks the Model Context Protocol over stdin and stdout until stdin ends. It only reads. With --json, --http prints
    its address as JSON.

    Example: document-locator mcp --print-config
    """
    from locator_search.config.settings import load_settings

    settings = load_settings()
    if print_config:
        _print_config(settings)
    elif http:
        _serve_http(settings, port, json_output)
    else:
        _serve_stdio(settings)


def _print_config(settings: Settings) -> None:
    from locator_search.mcp_server.client_config import client_config, secrets_left_out
    from locator_search.mcp_server.texts import Sentences

    say, here = Sentences.of(settings.locator_language), Path.cwd()
    emit_json(client_config(here))
    error_console.print(say.where_it_belongs)
    if secrets := secrets_left_out():
        error_console.print(say.secrets_stay_out.format(names=", ".join(secrets), folder=here))


def _serve_http(settings: Settings, port: int, json_output: bool) -> None:
    from locator_search.mcp_server.serving import serve_http
    from locator_search.mcp_server.texts import Sentences

    def announce(url: str) -> None:
        if json_output:
            emit_json({"url": url})
        else:
            say = Sentences.of(settings.locator_language)
            error_console.print((say.serving_readers if settings.locator_permissions else say.serving).format(url=url))

    serve_http(settings, port, announce)


def _serve_stdio(settings: Settings) -> None:
    if sys.stdin.isatty():
        from locator_search.mcp_server.texts import Sentences

        error_console.print(Sentences.of(settings.locator_language).waiting)

    from locator_search.mcp_server.serving import serve_stdio

    serve_stdio(settings)
