"""Answers of tools as rows of fields, and rows as hits and bodies. Links come from here and nowhere else."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locator_search.adapters.mcp_services.anything import Item, rows_of_anything
from locator_search.adapters.mcp_services.configuration import (
    Fetch,
    Rows,
    Search,
    ServerEntry,
    Text,
    Transport,
)
from locator_search.adapters.mcp_services.templates import fill, fill_all, is_true
from locator_search.core.errors import BadServiceAnswer
from locator_search.model import ServiceHit

LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_URI, LONGEST_TIME = 300, 1000, 2000, 40
"""Characters."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_LINK = re.compile(r"https?://|file:///|/(?!/)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a tool or resource: its text, and the same as data where the server sent data."""

    text: str
    data: Any = None
    parts: tuple[str, ...] = ()
    """The same text as the server parted it."""
    links: tuple[Item, ...] = ()
    """The resources it names or brings along: `uri`, and `name`, `title`, `description`, `text` where known."""


def rows_of(answer: Answer, rows: Rows) -> list[Item]:
    """The rows of an answer. Raises BadServiceAnswer."""
    if rows.format == "any":
        return rows_of_anything(answer.text, answer.data, answer.parts, answer.links)
    if rows.format == "json":
        return _json_rows(answer, rows.items)
    if rows.format == "csv":
        return _csv_rows(answer.text)
    if rows.format == "regex":
        return [match.groupdict(default="") for match in re.finditer(rows.pattern, answer.text, re.MULTILINE)]
    return [{"text": answer.text}] if answer.text.strip() else []


def folders_of(transport: Transport) -> list[Path]:
    """The folders a server is started with: relative paths in its answers may lie there."""
    if transport.url:
        return []
    named = [*transport.args, *transport.env.values()]
    told = (Path(each.rpartition("=")[2]).expanduser() for each in named)
    whole = [Path(transport.cwd or ".") / each for each in told if each.name]
    return [each.resolve() for each in [*whole, Path(transport.cwd or ".")] if each.is_dir()]


def hits_of(
    answer: Answer,
    service: str,
    kind: str,
    entry: ServerEntry,
    query: str,
    most: int,
    folders: Sequence[Path] = (),
) -> list[ServiceHit]:
    """At most `most` hits in the order of the answer. A relative path is one within the first of the `folders` where
    there is such a file. Raises BadServiceAnswer."""
    search = entry.searches[kind]
    hits: list[ServiceHit] = []
    if search.result.nothing and _alike(answer.text) == _alike(fill(search.result.nothing, query=query)):
        return hits
    for item in rows_of(answer, search.result):
        if len(hits) == most:
            break
        if not is_true(search.result.skip_if, item=item, query=query):
            hits.append(_hit(item, service, kind, search, entry, query, folders))
    return hits


def body_of(answer: Answer, text: Text, max_chars: int) -> str:
    """The body out of an answer, cut at `max_chars`. Raises BadServiceAnswer."""
    pieces = (fill(text.template, item=item) for item in rows_of(answer, text))
    return _shown(text.join.join(pieces).strip(), max_chars, keep_lines=True)


def _hit(
    item: Item, service: str, kind: str, search: Search, entry: ServerEntry, query: str, folders: Sequence[Path]
) -> ServiceHit:
    result = search.result
    found_kind = fill(result.kind, item=item, query=query).strip() or kind
    fetch = entry.fetch.get(found_kind, "snippet")
    told = fill(result.uri, item=item, query=query)
    link = _link(told)
    is_any = result.format == "any" and not link
    return ServiceHit(
        service=service,
        kind=found_kind,
        title=_shown(fill(result.title, item=item, query=query), LONGEST_TITLE),
        snippet=_shown(fill(result.snippet, item=item, query=query), LONGEST_SNIPPET),
        uri=_file_at(told, folders) if is_any else link,
        fetch={} if fetch == "snippet" else _fetch_arguments(fetch, item),
        modified=_shown(fill(result.modified, item=item, query=query), LONGEST_TIME),
        name=_shown(told or item["title"], LONGEST_URI) if is_any else "",
    )


def _file_at(path: str, folders: Sequence[Path]) -> str:
    """The whole of a relative path, where it leads to something inside one of the folders."""
    wholes = ((folder / path, folder) for folder in folders) if path and "\0" not in path else ()
    try:
        return next(
            (str(each) for each, folder in wholes if each.exists() and each.resolve().is_relative_to(folder)), ""
        )
    except (OSError, RuntimeError):  # too long, or links in a circle
        return ""


def _alike(text: str) -> str:
    """A text without its numbers, which may be counts and seconds."""
    return re.sub(r"\d+", "#", text).strip()


def _link(uri: str) -> str:
    """A web address or a path of this machine; nothing that a browser would run."""
    shown = _shown(uri, LONGEST_URI)
    return shown if _LINK.match(shown) else ""


def _fetch_arguments(fetch: Fetch, item: Item) -> dict[str, Any]:
    if fetch.read_resource is not None:
        return {"uri": fill(fetch.read_resource, item=item)}
    return fill_all(fetch.args, item=item)


def _json_rows(answer: Answer, path: str) -> list[Item]:
    value = answer.data if answer.data is not None else _parsed(answer.text)
    for name in path.split(".") if path else ():
        if not isinstance(value, Mapping) or name not in value:
            raise BadServiceAnswer("no_list", path=path)
        value = value[name]
    rows = value if isinstance(value, list) else [value]
    return [row if isinstance(row, Mapping) else {"value": row} for row in rows if row is not None]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadServiceAnswer("no_json") from None


def _csv_rows(text: str) -> list[Item]:
    try:
        return list(_dicts(text))
    except csv.Error as error:
        raise BadServiceAnswer("no_csv", detail=str(error)) from None


def _dicts(text: str) -> Iterator[Item]:
    for row in csv.DictReader(io.StringIO(text, newline="")):
        yield {name: value or "" for name, value in row.items() if isinstance(name, str)}


def _shown(text: str, longest: int, *, keep_lines: bool = False) -> str:
    cleaned = _CONTROL.sub("", text)
    return (cleaned if keep_lines else " ".join(cleaned.split()))[:longest]
