"""Does the configuration fit what the server offers now? One sentence for each thing that does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_types import Tool

from locator_search.adapters.mcp_services.arguments import problems_with
from locator_search.adapters.mcp_services.configuration import Fetch, Search, ServerEntry, Syntax
from locator_search.adapters.mcp_services.life import Life
from locator_search.errors import ServiceError
from locator_search.model import ServiceSearch

LONGEST_SYNTAX = 3000
"""Characters of one search: they are sent with every question."""
TOOLS_NAMED = 12


@dataclass
class Contract:
    """What of a configured service can be used, and what not."""

    searches: dict[str, ServiceSearch] = field(default_factory=dict)
    fetch: dict[str, Fetch] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


async def contract_with(life: Life, entry: ServerEntry, seconds: float) -> Contract:
    """Compare a configured service with its running server."""
    contract = Contract()
    for kind, search in entry.searches.items():
        problems = _problems(search.tool, search.args, life.tools)
        contract.problems += [f"The search `{kind}` is left out: {problem}." for problem in problems]
        if not problems:
            syntax = await _syntax(life, entry, search, seconds, contract.problems)
            contract.searches[kind] = ServiceSearch(kind, syntax, search.understands_or)
    for kind, fetch in entry.fetch.items():
        if fetch == "snippet":
            continue
        problems = [] if fetch.tool is None else _problems(fetch.tool, fetch.args, life.tools)
        contract.problems += [f"Bodies of `{kind}` are not read: {problem}." for problem in problems]
        if not problems:
            contract.fetch[kind] = fetch
    return contract


def _problems(tool_name: str, arguments: Mapping[str, Any], tools: Mapping[str, Tool]) -> list[str]:
    tool = tools.get(tool_name)
    if tool is None:
        some = ", ".join(sorted(tools)[:TOOLS_NAMED]) or "none"
        return [f"the server has no tool `{tool_name}`; it has {some}{' and more' if len(tools) > TOOLS_NAMED else ''}"]
    if tool.annotations is not None and tool.annotations.read_only_hint is False:
        return [f"the tool `{tool_name}` says that it does not only read"]
    return [f"{problem} (tool `{tool_name}`)" for problem in problems_with(arguments, tool.input_schema)]


async def _syntax(life: Life, entry: ServerEntry, search: Search, seconds: float, problems: list[str]) -> str:
    parts: list[str] = []
    for source in (search.syntax, entry.syntax):
        parts += [
            source.text.strip(),
            _description(life, search, source),
            await _resource(life, source, seconds, problems),
        ]
    return "\n\n".join(dict.fromkeys(part for part in parts if part))[:LONGEST_SYNTAX]


def _description(life: Life, search: Search, source: Syntax) -> str:
    return (life.tools[search.tool].description or "").strip() if source.tool_description else ""


async def _resource(life: Life, source: Syntax, seconds: float, problems: list[str]) -> str:
    if source.resource is None:
        return ""
    try:
        return (await life.read_resource(source.resource, seconds)).text.strip()
    except ServiceError as error:
        problems.append(f"The syntax help {source.resource} cannot be read: {error.message}")
        return ""
