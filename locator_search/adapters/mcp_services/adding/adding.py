"""Describes a server that nobody described: starts it, chooses the tool that searches, asks it, writes one file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from locator_search.adapters.mcp_services.adding.mapping import arguments_for, fetch_for, query_argument, search_tool
from locator_search.adapters.mcp_services.adding.wish import Wish, path_of, transport_of
from locator_search.adapters.mcp_services.arguments import fitted
from locator_search.adapters.mcp_services.configuration import Fetch, ServerEntry, ServersFile, Transport
from locator_search.adapters.mcp_services.failures import failure_of
from locator_search.adapters.mcp_services.opening import START_TIMES
from locator_search.adapters.mcp_services.results import Answer, folders_of, hits_of
from locator_search.adapters.mcp_services.run import How, run
from locator_search.adapters.mcp_services.start_times import StartTimes
from locator_search.adapters.mcp_services.templates import fill_all
from locator_search.adapters.mcp_services.texts import ServersTexts
from locator_search.adapters.mcp_services.variables import expanded, names_in, variables_of
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, LocatorError, ServiceError
from locator_search.core.masking import mask
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import ServiceHit
from locator_search.ports import SignIns

if TYPE_CHECKING:
    from locator_search.adapters.mcp_services.connection import ServerConnection

FIRST_START_SECONDS, SAMPLE_SECONDS = 400.0, 20.0
"""The first start may download the server, or wait for a person to sign in."""
NO_WORD = "qxzvjk"
"""Asked for to see what a service answers where it finds nothing."""
PROBES = ("a", "e", "の", "the", "*")
"""Asked for one after the other until something is found, where the person names no words."""
LONGEST_NOTHING, MOST_IN_SAMPLE = 500, 3
RESULT = {
    "format": "any",
    "title": "{{ item.title }}",
    "snippet": "{{ item.snippet }}",
    "uri": "{{ item.uri }}",
    "modified": "{{ item.modified | default('') }}",
    "kind": "{{ item.kind }}",
}


@dataclass(frozen=True, slots=True)
class Added:
    """A service as it was described, the tools of its server by name, and what it answered to the `query`."""

    name: str
    path: Path
    entry: ServerEntry
    tools: Mapping[str, str]
    query: str
    sample: Sequence[ServiceHit]


def add_service(settings: Settings, wish: Wish, sign_ins: SignIns) -> Added:
    """Start the server, describe it, write its file. Raises LocatorError; then nothing is written."""
    transport = transport_of(settings, wish)
    try:
        return asyncio.run(_added(settings, wish, transport, sign_ins))
    except ServiceError as error:
        told = fault_sentence(failure_of(error, mask).fault, settings.locator_language)
        raise LocatorError(told, ServersTexts.of(settings.locator_language).try_by_itself) from None


def remove_service(settings: Settings, name: str, sign_ins: SignIns) -> Path:
    """Take away what `add_service` kept. Raises ConfigurationError where there is nothing."""
    path = path_of(settings, name)
    try:
        path.unlink()
    except FileNotFoundError:
        there = ", ".join(sorted(each.stem for each in path.parent.glob("*.yaml"))) or "-"
        say = ServersTexts.of(settings.locator_language)
        raise ConfigurationError(say.not_added.format(name=name), say.added.format(names=there)) from None
    sign_ins.forget(name)
    return path


async def _added(settings: Settings, wish: Wish, transport: Transport, sign_ins: SignIns) -> Added:
    live = Transport.model_validate(expanded(transport.model_dump(), variables_of(settings)))
    started = time.monotonic()
    async with _running(How(wish.name, live, FIRST_START_SECONDS, (), mask, sign_ins, wish.ask)) as connection:
        StartTimes(settings.home / START_TIMES).took(wish.name, time.monotonic() - started)
        tree = _described(connection, wish, transport, live, ServersTexts.of(settings.locator_language))
        entry = ServerEntry.model_validate(tree)
        if query_argument(connection.tools[entry.searches["result"].tool]):
            tree["searches"]["result"]["result"]["nothing"] = await _nothing(connection, entry)
            entry = ServerEntry.model_validate(tree)
        query, sample = await _sample(connection, wish, entry, folders_of(live))
        if "result" in entry.fetch and sample and not await _reads(connection, entry, sample[0]):
            del tree["fetch"]["result"]
            entry = ServerEntry.model_validate(tree)
        tools = {tool.name: (tool.description or "").strip() for tool in connection.tools.values()}
    path = path_of(settings, wish.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = ServersFile(version=1, servers={wish.name: entry}).model_dump(exclude_defaults=True, mode="json")
    path.write_text(yaml.safe_dump({"version": 1} | content, allow_unicode=True, sort_keys=False), "utf-8")
    return Added(wish.name, path, entry, tools, query, sample)


@asynccontextmanager
async def _running(how: How) -> AsyncIterator[ServerConnection]:
    begun: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(run(how, begun))
    try:
        connection = await begun
        yield connection
        connection.over.set()
        await task
    finally:
        task.cancel()
        await asyncio.wait([task])


def _described(
    connection: ServerConnection, wish: Wish, transport: Transport, live: Transport, say: ServersTexts
) -> dict[str, Any]:
    """The entry of servers.yaml. Raises ConfigurationError."""
    tool = search_tool(connection.tools, say, wish.tool)
    folder = None if live.url else live.cwd or "."
    arguments = arguments_for(tool, wish.arguments, live.args, folder, say)
    result = dict(RESULT)
    if not any("query" in str(value) for value in arguments.values()):  # it lists, and the words choose
        result["skip_if"] = "{{ query | lower not in item.text | lower }}"
    fetch: dict[str, Any] = {"resource": {"read_resource": "{{ item.uri }}"}}
    if reading := fetch_for(connection.tools, tool):
        fetch["result"] = reading
    return {
        "label": wish.name,
        "added": True,
        "readers": list(wish.readers),
        "credentials": [names] if (names := names_in(transport)) else [],
        "transport": transport.model_dump(exclude_defaults=True),
        "searches": {
            "result": {"tool": tool.name, "args": arguments, "syntax": {"tool_description": True}, "result": result}
        },
        "fetch": fetch,
    }


async def _nothing(connection: ServerConnection, entry: ServerEntry) -> str:
    """The answer of the service to a word that is nowhere, as a template; empty where that is no sentence."""
    try:
        answer = await _asked(connection, entry, NO_WORD)
    except ServiceError:
        return ""
    text = answer.text.strip()
    is_sentence = text and len(text) <= LONGEST_NOTHING and not set("{[") & set(text)
    return text.replace(NO_WORD, "{{ query }}") if is_sentence else ""


async def _sample(
    connection: ServerConnection, wish: Wish, entry: ServerEntry, folders: Sequence[Path]
) -> tuple[str, list[ServiceHit]]:
    refused: ServiceError | None = None
    for query in [wish.words] if wish.words else PROBES:
        try:
            answer = await _asked(connection, entry, query)
            if hits := hits_of(answer, wish.name, "result", entry, query, MOST_IN_SAMPLE, folders):
                return query, hits
        except ServiceError as error:
            refused = error
        else:
            refused = None
    if refused is not None:
        raise refused
    return wish.words or PROBES[0], []


async def _reads(connection: ServerConnection, entry: ServerEntry, hit: ServiceHit) -> bool:
    """Whether the body of a hit can be read as described: something else than what is read of nothing."""
    fetch = entry.fetch["result"]
    if not isinstance(fetch, Fetch) or fetch.tool is None or not any(hit.fetch.values()):
        return True
    schema = connection.tools[fetch.tool].input_schema
    try:
        body = await connection.call_tool(fetch.tool, fitted(hit.fetch, schema), SAMPLE_SECONDS)
    except ServiceError:
        return False
    nowhere = dict.fromkeys(hit.fetch, NO_WORD)
    try:
        nothing = await connection.call_tool(fetch.tool, fitted(nowhere, schema), SAMPLE_SECONDS)
    except ServiceError:
        return True  # it tells what is there from what is not
    (asked,) = map(str, hit.fetch.values())
    return body.text.replace(asked, NO_WORD) != nothing.text


async def _asked(connection: ServerConnection, entry: ServerEntry, query: str) -> Answer:
    search = entry.searches["result"]
    arguments = fill_all(search.args, query=query, max_results=MOST_IN_SAMPLE)
    schema = connection.tools[search.tool].input_schema
    return await connection.call_tool(search.tool, fitted(arguments, schema), SAMPLE_SECONDS)
