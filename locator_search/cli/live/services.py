"""`document-locator live add`, `live list`, `live remove`: services of one's own, each described by one command."""

from __future__ import annotations

import contextlib
import functools
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.live.texts import LiveTexts
from locator_search.cli.shared.lines import INDENT, show_line
from locator_search.cli.shared.output import JsonFlag, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.adapters.mcp_services.adding.adding import Added
    from locator_search.config.settings import Settings

NameArgument = Annotated[str, typer.Argument(help="A short name: small letters, digits, - and _.")]


def live_settings(**overrides: object) -> Settings:
    """The settings of every form of `live`. Raises ConfigurationError."""
    from locator_search.config.settings import load_settings_to_ask_live

    return load_settings_to_ask_live(**overrides)


reports = functools.partial(reports_errors, read_settings=live_settings)


@reports
def add(
    name: NameArgument,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND", help="What starts the server. Without: as it was added.")
    ] = None,
    tool: Annotated[str, typer.Option(help="The tool that searches, where another one would be chosen.")] = "",
    arg: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An argument of the tool; {{ query }} is the words.")
    ] = None,
    url: Annotated[str, typer.Option(help="The address of a server elsewhere, in place of a command.")] = "",
    header: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Of every request to that address.")
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A variable of .env that the server is given.")
    ] = None,
    query: Annotated[str, typer.Option(help="Words to try it with.")] = "",
    readers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO", help="With permissions, who is shown what it finds: a mail address, @DOMAIN, anyone."
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Add an MCP server to live search: start it, choose its search, try it. / MCP サーバーを追加します。

    Example: document-locator live add notes -- npx -y @modelcontextprotocol/server-filesystem ~/notes
    """
    from locator_search.app.live import add_service

    settings = live_settings()
    say = LiveTexts.of(settings.locator_language)
    if url and command:
        raise typer.BadParameter(say.url_or_command)
    added = add_service(
        settings,
        name,
        command=command or (),
        tool=tool,
        arguments=_pairs(arg),
        variables=env or (),
        words=query,
        url=url,
        headers=_pairs(header),
        ask=functools.partial(_show_address, say),
        readers=_readers(readers),
    )
    if json_output:
        emit_json(_as_json(added))
    else:
        _show(added, say)


@reports
def remove(name: NameArgument, json_output: JsonFlag = False) -> None:
    """Take away a service that was added. / 追加したサービスを取り除きます。

    Example: document-locator live remove notes
    """
    from locator_search.app.live import remove_service

    settings = live_settings()
    path = remove_service(settings, name)
    if json_output:
        emit_json({"name": name, "removed": str(path)})
    else:
        show_line(LiveTexts.of(settings.locator_language).service_removed.format(path=path))


@reports
def list_services(
    servers: Annotated[Path | None, typer.Option(help="Another servers.yaml. Default: LOCATOR_SERVERS.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show every service of live search, starting none. / サービスの一覧を表示します。

    Example: document-locator live list
    """
    from locator_search.app.locator import open_locator
    from locator_search.locales.service_faults import fault_sentence

    settings = live_settings(**({"locator_servers": servers} if servers else {}))
    with open_locator(settings) as locator:
        services = locator.live.gateway.configured()
    rows = [
        {
            "name": one.name,
            "program": one.program,
            "kinds": [search.kind for search in one.searches],
            "mock": one.mock,
            "readers": one.readers,
            "failure": fault_sentence(one.failure.fault, settings.locator_language) if one.failure else None,
        }
        for one in services
    ]
    if json_output:
        emit_json({"services": rows})
        return
    for row, one in zip(rows, services, strict=True):
        show_line((f"{one.name}  ", "bold cyan"), f"{one.label}  ", (one.program, "dim"))
        if row["failure"]:
            show_line(INDENT, (str(row["failure"]), "yellow"))


def _pairs(given: list[str] | None) -> dict[str, str]:
    return {name: value for name, _, value in (each.partition("=") for each in given or ())}


def _readers(given: list[str] | None) -> list[str]:
    from locator_search.core.reader import principal

    try:
        return [principal(each) for each in given or ()]
    except ValueError as error:
        raise typer.BadParameter(f"{error}.", param_hint="--readers") from None


def _show_address(say: LiveTexts, address: str) -> None:
    """Where a person signs in to a server: opened in their browser, and printed for another one."""
    error_console.print(say.agree_in_browser)
    error_console.print(address, markup=False, highlight=False, soft_wrap=True)
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def _as_json(added: Added) -> dict[str, object]:
    search = added.entry.searches["result"]
    return {
        "name": added.name,
        "file": str(added.path),
        "tools": [{"name": name, "description": text} for name, text in added.tools.items()],
        "mapping": {
            "tool": search.tool,
            "args": search.args,
            "fetch": {
                kind: fetch if isinstance(fetch, str) else fetch.model_dump(exclude_unset=True)
                for kind, fetch in added.entry.fetch.items()
            },
        },
        "sample_query": added.query,
        "sample": [
            {"title": hit.title, "uri": hit.uri, "name": hit.name, "snippet": hit.snippet} for hit in added.sample
        ],
    }


def _show(added: Added, say: LiveTexts) -> None:
    search = added.entry.searches["result"]
    show_line((say.service_added.format(name=added.name, path=added.path), "bold green"))
    show_line(say.service_tools.format(count=len(added.tools), tools=", ".join(added.tools)))
    arguments = ", ".join(f"{name}={value}" for name, value in search.args.items())
    show_line(say.service_search.format(tool=search.tool, arguments=arguments))
    for fetch in added.entry.fetch.values():
        if not isinstance(fetch, str) and fetch.tool:
            show_line(say.service_bodies.format(tool=fetch.tool))
    show_line((say.service_sample.format(query=added.query), "bold"))
    if not added.sample:
        show_line(INDENT, (say.service_found_nothing, "yellow"))
    for hit in added.sample:
        show_line(INDENT, (hit.title, "bold"))
        show_line(INDENT, (hit.uri or hit.name, "blue" if hit.uri else "dim"))
        if hit.snippet:
            show_line(INDENT, (" ".join(hit.snippet.split())[:200], "dim"))
