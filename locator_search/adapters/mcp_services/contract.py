"""Compares a configured service with what its server offers now; one fault for each thing that does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from locator_search.adapters.mcp_services.arguments import problems_with
from locator_search.adapters.mcp_services.configuration import Fetch, Search, ServerEntry, Syntax
from locator_search.core.errors import ServiceError
from locator_search.core.service_faults import ServiceFault, ServiceFaultKind
from locator_search.model import ServiceSearch

if TYPE_CHECKING:
    from mcp_types import Tool

    from locator_search.adapters.mcp_services.connection import ServerConnection

LONGEST_SYNTAX = 3000
"""Characters of syntax help for one search, which are sent with every question."""
TOOLS_NAMED = 12


@dataclass
class Contract:
    """The searches of a configured service that can be used, and those that cannot."""

    searches: dict[str, ServiceSearch] = field(default_factory=dict)
    fetch: dict[str, Fetch] = field(default_factory=dict)
    problems: list[ServiceFault] = field(default_factory=list)


async def contract_with(name: str, connection: ServerConnection, entry: ServerEntry, seconds: float) -> Contract:
    """Compare a configured service with its running server. Of one that was added, a fault says how to add it anew."""
    contract = Contract()
    for kind, search in entry.searches.items():
        problems = _problems(search.tool, search.args, connection.tools)
        contract.problems += _left_out("search_left_out", kind, problems)
        if not problems:
            syntax = await _syntax(connection, entry, search, seconds, contract.problems)
            contract.searches[kind] = search.offered(kind, syntax)
    for kind, fetch in entry.fetch.items():
        if fetch == "snippet":
            continue
        problems = [] if fetch.tool is None else _problems(fetch.tool, fetch.args, connection.tools)
        contract.problems += _left_out("bodies_left_out", kind, problems)
        if not problems:
            contract.fetch[kind] = fetch
    if entry.added:
        contract.problems = [_drift(name, each) for each in contract.problems]
    return contract


def _drift(name: str, problem: ServiceFault) -> ServiceFault:
    return ServiceFault("drifted", {**problem.values, "name": name, "problem": problem})


def _left_out(what: ServiceFaultKind, kind: str, problems: Iterable[ServiceFault]) -> list[ServiceFault]:
    return [ServiceFault(what, {"kind": kind, "problem": problem}) for problem in problems]


def _problems(name: str, arguments: Mapping[str, Any], tools: Mapping[str, Tool]) -> list[ServiceFault]:
    tool = tools.get(name)
    if tool is None:
        some = [*sorted(tools)[:TOOLS_NAMED], *(["…"] if len(tools) > TOOLS_NAMED else [])]
        return [ServiceFault("no_tool", {"tool": name, "tools": ", ".join(some) or "-"})]
    if tool.annotations is not None and tool.annotations.read_only_hint is False:
        return [ServiceFault("not_read_only", {"tool": name})]
    return problems_with(arguments, name, tool.input_schema)


async def _syntax(
    connection: ServerConnection, entry: ServerEntry, search: Search, seconds: float, problems: list[ServiceFault]
) -> str:
    parts: list[str] = []
    for source in (search.syntax, entry.syntax):
        parts += [
            source.text.strip(),
            _description(connection, search, source),
            await _resource(connection, source, seconds, problems),
        ]
    return "\n\n".join(dict.fromkeys(part for part in parts if part))[:LONGEST_SYNTAX]


def _description(connection: ServerConnection, search: Search, source: Syntax) -> str:
    return (connection.tools[search.tool].description or "").strip() if source.tool_description else ""


async def _resource(connection: ServerConnection, source: Syntax, seconds: float, problems: list[ServiceFault]) -> str:
    if source.resource is None:
        return ""
    try:
        return (await connection.read_resource(source.resource, seconds)).text.strip()
    except ServiceError as error:
        problems.append(ServiceFault("syntax_unread", {"uri": source.resource, "problem": error.fault}))
        return ""
