"""The rows of an answer whose form nobody described: data, JSON, resource links, Markdown, lists. Pure.

A row has `title`, `snippet`, `uri`, `modified`, `text` and `kind` whatever it was; those of data keep their own fields,
too, and have a `key`, by which their server may know them. `kind` is `resource` where the row is a link to a resource.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Item = Mapping[str, Any]

_TITLES = ("title", "name", "subject", "label", "message", "filename", "file_name", "path", "file", "key", "id")
_SNIPPETS = ("snippet", "excerpt", "description", "summary", "text", "content", "body", "message", "observations")
_LINKS = ("url", "html_url", "link", "web_url", "permalink", "href", "uri", "path", "filepath", "file_path", "file")
_TIMES = ("modified", "modified_at", "modifiedTime", "updated_at", "updatedAt", "last_modified", "date", "created_at")
_DEEPEST = 4
LONGEST_LITERAL = 1_000_000
"""Characters of JSON in a text."""
_FIELD = re.compile(r"^[-*]?\s*\**([A-Za-z][\w ]{0,20}?)\**:\**[ \t]+(\S.*)$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})\s+\S", re.MULTILINE)
_BULLET = re.compile(r"^(?:[-*+•]|\d+[.)])\s+(?=\S)", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n+|^[ \t]*(?:-{3,}|={3,}|\*{3,})[ \t]*$", re.MULTILINE)
_MARKS = re.compile(r"^(?:#{1,6}\s+|[-*+•]\s+|\d+[.)]\s+|[*_`]+)+")
_LINKED = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_LINK_IN_TEXT = re.compile(r"https?://[^\s<>()\[\]\"'`]+|file:///[^\s<>()\[\]\"'`]+")
_PATH = re.compile(
    r"(?:^|(?<=[\s(`\"']))(/?(?:[\w.@+-]+/)*[\w@+-][\w.@+ -]*\.[A-Za-z][A-Za-z0-9]{0,7})(?=$|[\s:`\"'),])"
)


def rows_of_anything(text: str, data: Any, parts: Iterable[str], links: Iterable[Item]) -> list[Item]:
    """The rows of an answer: of its `data` (also JSON in its text), its resource `links`, else of its text."""
    linked = [_of_link(link) for link in links]
    value = _unwrapped(data)
    if value is None or isinstance(value, str):
        text = value or text
        said = [part for part in parts if part.strip()]
        parsed = [each for each in map(_parsed, said) if each is not None] if len(said) > 1 else []
        value = parsed if said and len(parsed) == len(said) and len(parsed) > 1 else _parsed(text)
    if value is not None:
        return linked + [_of_data(row) for row in _list_in(value)]
    return linked or [_of_text(piece) for piece in _pieces(text)]


def _unwrapped(data: Any) -> Any:
    """Data without the wrapping that servers put around a bare text or list, such as `{"result": ...}`."""
    while isinstance(data, Mapping) and len(data) == 1:
        (data,) = data.values()
    return data


def _parsed(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    for read in (json.loads, ast.literal_eval):  # the second, because servers in Python may answer so
        try:
            return read(text[:LONGEST_LITERAL])
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _list_in(value: Any) -> list[Any]:
    """The longest list of objects within data, else of plain values; data without lists is one row."""
    lists = list(_lists(value, _DEEPEST))
    objects = [each for each in lists if any(isinstance(row, Mapping) for row in each)]
    if objects:
        return max(objects, key=len)
    if lists and (isinstance(value, list) or not any(_is_plain(each) for each in value.values())):
        return max(lists, key=len)
    return [value] if isinstance(value, Mapping) and not lists and value else []


def _lists(value: Any, deepest: int) -> Iterator[list[Any]]:
    """The lists within data, but not those inside rows."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, Mapping) and deepest:
        for each in value.values():
            yield from _lists(each, deepest - 1)


def _is_plain(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _of_data(row: Any) -> Item:
    if not isinstance(row, Mapping):
        return _of_text(str(row))
    text = "\n".join(_said(row))
    return {
        **row,
        "kind": "",
        "title": _first(row, _TITLES) or next((str(each) for each in row.values() if _is_plain(each)), ""),
        "snippet": _first(row, _SNIPPETS) or text,
        "uri": _first(row, _LINKS),
        "modified": _first(row, _TIMES),
        "text": text,
        "key": _first(row, _TITLES),
    }


def _said(row: Item) -> Iterator[str]:
    for name, value in row.items():
        if value not in (None, "", [], {}):
            yield f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"


def _first(row: Item, names: Iterable[str]) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            value = " ".join(each for each in value if isinstance(each, str))
        if value not in (None, "") and isinstance(value, str | int | float):
            return str(value)
    return ""


def _of_link(link: Item) -> Item:
    text = str(link.get("text") or link.get("description") or "")
    title = str(link.get("title") or link.get("name") or link["uri"])
    return {"kind": "resource", "title": title, "snippet": text, "uri": link["uri"], "modified": "", "text": text}


def _of_text(piece: str) -> Item:
    fields = {name.lower().replace(" ", "_"): value.strip() for name, value in _FIELD.findall(piece)}
    if len(fields) > 1 and _first(fields, _TITLES):
        return _of_data(fields)
    lines = [line.strip() for line in piece.strip().splitlines() if line.strip()]
    path = lines[0] if len(lines) == 1 and lines[0].startswith("/") else _path_in(lines[:3])
    is_path = lines == [path]
    title = path.rsplit("/", 1)[-1] if is_path else _LINKED.sub(r"\1", _MARKS.sub("", lines[0])) if lines else ""
    link = _LINK_IN_TEXT.search(piece)
    return {
        "kind": "",
        "title": title,
        "snippet": "" if is_path else piece.strip(),
        "uri": link.group() if link else path,
        "modified": "",
        "text": piece,
        "path": path,
    }


def _path_in(lines: Iterable[str]) -> str:
    return next((found.group(1) for line in lines if (found := _PATH.search(line))), "")


def _pieces(text: str) -> list[str]:
    """A text cut where it is a list: at headings that repeat, bullets, paragraphs, or lines when each is a place."""
    levels = [match.group(1) for match in _HEADING.finditer(text)]
    for level in dict.fromkeys(levels):
        if levels.count(level) > 1:
            return _cut(text, re.compile(rf"^{level}\s+\S", re.MULTILINE))
    bullet = _BULLET.search(text)
    if bullet and "\n" not in text[: bullet.start()].strip():  # at most one line introduces them
        return _cut(text, _BULLET)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.strip().startswith("/") or _PATH.match(line.strip()) for line in lines):
        return lines
    pieces = [piece for piece in _PARAGRAPHS.split(text) if piece.strip()]
    longer = [piece for piece in pieces if "\n" in piece.strip()]
    return longer or pieces  # beside longer ones, a single line is an introduction


def _cut(text: str, at: re.Pattern[str]) -> list[str]:
    """The pieces that begin at each match; what stands before the first is an introduction."""
    starts = [match.start() for match in at.finditer(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
