"""How a server that nobody described is asked: the tool that searches and its arguments, by its schema. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locator_search.adapters.mcp_services.texts import ServersTexts
from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    from mcp_types import Tool

QUERY = ("query", "q", "search", "search_query", "search_term", "keyword", "keywords", "term", "terms", "text",
         "pattern", "phrase", "filter", "contains", "question", "regex", "needle")  # fmt: skip
"""Names of the argument that holds the words, the surest first."""
MOST = ("limit", "max_results", "maxResults", "max", "count", "max_count", "top_k", "topK", "k", "n", "n_results",
        "page_size", "pageSize", "perPage", "per_page")  # fmt: skip
MOST_LISTED = 100
"""Asked for of a tool that takes no words; the words choose among what it lists."""
PLACES = re.compile(r"(?:^|_)(?:path|dir|directory|folder|repo|repository|vault|root|workspace)(?:_|$|Path)|Path$")
_PATHS = re.compile(r"path|dir|folder", re.IGNORECASE)
"""Of places, those that are told by their path; others by their name."""
_SEARCHES = re.compile(r"search|find|query|grep|lookup|recall|retrieve", re.IGNORECASE)
_LISTS = re.compile(r"(?:^|[_-])(?:list|log|history|recent|all)(?:$|[_-])", re.IGNORECASE)
_READS = re.compile(r"(?:^|[_-])(?:read|get|fetch|open|show|view)", re.IGNORECASE)
_CHANGES = re.compile(
    r"(?:^|[_-])(?:create|add|write|delete|remove|update|edit|move|set|put|insert|append|rename|commit)",
    re.IGNORECASE,
)
_TEXTS = re.compile(r"full.?text|content", re.IGNORECASE)
_SQL = re.compile(r"\bSQL\b|\bSELECT\b", re.IGNORECASE)
_GLOB = re.compile(r"glob|wildcard|\*\*/", re.IGNORECASE)
_OWN_FIELDS = {"path": "path", "filepath": "uri", "file_path": "uri", "file": "uri", "filename": "key", "uri": "uri",
               "url": "uri", "id": "id", "name": "key", "title": "key"}  # fmt: skip


def search_tool(tools: Mapping[str, Tool], say: ServersTexts, wanted: str = "") -> Tool:
    """The tool that searches: the one that is `wanted`, else the likeliest. Raises ConfigurationError."""
    names = ", ".join(tools) or "-"
    if wanted:
        if wanted not in tools:
            raise ConfigurationError(say.no_tool.format(tool=wanted), say.tools.format(tools=names))
        return tools[wanted]
    likeliest = max(tools.values(), key=_likelihood, default=None)
    if likeliest is None or _likelihood(likeliest) <= 0:
        raise ConfigurationError(say.no_search.format(tools=names), say.no_search_hint)
    return likeliest


def arguments_for(
    tool: Tool, given: Mapping[str, str], command: Iterable[str], folder: str | None, say: ServersTexts
) -> dict[str, Any]:
    """Its arguments, as templates: the words, the number of hits, places named by the command or its folder where the
    server runs here, and what was `given`.

    Raises ConfigurationError where a required argument is left that nobody can guess.
    """
    properties, required = tool.input_schema.get("properties") or {}, tool.input_schema.get("required") or []
    place = next((each for each in reversed([*command]) if Path(folder or ".", each).exists()), folder)
    arguments: dict[str, Any] = {}
    if words := query_argument(tool):
        arguments[words] = "**/*{{ query }}*" if _wants_glob(tool, words) else "{{ query }}"
    for name, schema in properties.items():
        if name in MOST and name != words:
            most = min(MOST_LISTED, int(schema.get("maximum") or MOST_LISTED))
            arguments[name] = "{{ max_results }}" if words else str(most)
        elif name in required and name != words:
            if PLACES.search(name) and folder and place:
                whole = Path(folder, place)
                arguments[name] = str(whole) if _PATHS.search(name) else whole.name
            elif schema.get("enum"):
                arguments[name] = str(schema["enum"][0])
    arguments.update(given)
    if missing := [name for name in required if name not in arguments]:
        told = say.arguments_needed.format(tool=tool.name, names=", ".join(missing))
        raise ConfigurationError(told, " ".join(f"--arg {name}=..." for name in missing))
    return arguments


def query_argument(tool: Tool) -> str:
    """The argument that holds the words; empty for a tool that only lists."""
    properties, required = tool.input_schema.get("properties") or {}, tool.input_schema.get("required") or []
    known = [name for name in QUERY if name in properties]
    texts = [name for name in required if _is_text(properties.get(name) or {}) and not PLACES.search(name)]
    return next((name for name in known if name in required), "") or next(iter([*known, *texts]), "")


def fetch_for(tools: Mapping[str, Tool], search: Tool) -> dict[str, Any]:
    """How bodies are read: a tool that reads one thing by its place or id; nothing where there is none."""
    for tool in tools.values():
        required = tool.input_schema.get("required") or []
        if tool.name == search.name or len(required) != 1 or not _READS.search(tool.name) or not _may_be_called(tool):
            continue
        name = str(required[0])
        schema = (tool.input_schema.get("properties") or {}).get(name) or {}
        field = _OWN_FIELDS.get(name.removesuffix("s")) or ("id" if name.endswith(("_id", "Id")) else "")
        is_one = _is_text(schema) or schema.get("type") == "array"
        is_old = "deprecated" in (tool.description or "").lower()
        if field and is_one and "director" not in tool.name and not is_old:
            return {"tool": tool.name, "args": {name: f"{{{{ item.{field} | default('') }}}}"}}
    return {}


def _likelihood(tool: Tool) -> int:
    if not _may_be_called(tool):
        return 0
    words = query_argument(tool)
    if not words:
        places = all(PLACES.search(name) for name in tool.input_schema.get("required") or [])
        return int(places and bool(_LISTS.search(tool.name)))
    named = bool(_SEARCHES.search(tool.name))
    if not (named or words in QUERY) or _SQL.search(f"{tool.description} {tool.input_schema}"):
        return 0
    required = set(tool.input_schema.get("required") or []) - {words}
    sure = len(QUERY) - QUERY.index(words) if words in QUERY else 0
    return 100 * named + 2 * sure + 20 * bool(_TEXTS.search(tool.description or "")) - 10 * len(required)


def _may_be_called(tool: Tool) -> bool:
    read_only = tool.annotations.read_only_hint if tool.annotations else None
    return read_only is True or (read_only is None and not _CHANGES.search(tool.name))


def _is_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type", "string") == "string" and not schema.get("enum")


def _wants_glob(tool: Tool, words: str) -> bool:
    schema = (tool.input_schema.get("properties") or {})[words]
    return words in ("pattern", "filter") and bool(_GLOB.search(f"{tool.description} {schema.get('description', '')}"))
