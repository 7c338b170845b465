"""The `fields` parameter: which fields of an answer the client asked for.

`files(id,name,owners/emailAddress),nextPageToken` becomes
`{"files": {"id": None, "name": None, "owners": {"emailAddress": None}}, "nextPageToken": None}`;
None and `*` mean everything below.
"""

from __future__ import annotations

import re
from typing import Any

from locator_search.dev.drive_emulator.definition import Schema, drive_api
from locator_search.dev.drive_emulator.errors import ApiError, invalid_parameter

Mask = dict[str, "Mask"] | None

_TOKEN = re.compile(r"\s*([\w.*-]+|[(),/])\s*")


def parse_mask(selector: str) -> Mask:
    """Read a selector. Raises ApiError 400 where it cannot be read."""
    tokens = _tokens(selector)
    mask = _read_list(tokens, selector)
    if tokens:
        raise _unreadable(selector)
    return mask


def _tokens(selector: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while position < len(selector):
        found = _TOKEN.match(selector, position)
        if found is None:
            raise _unreadable(selector)
        tokens.append(found[1])
        position = found.end()
    return tokens


def _read_list(tokens: list[str], selector: str) -> Mask:
    mask: dict[str, Any] = {}
    while tokens:
        name, below = _read_one(tokens, selector)
        mask[name] = _merged(mask[name], below) if name in mask else below
        if not tokens or tokens[0] != ",":
            break
        tokens.pop(0)
    return None if mask.get("*", {}) is None else mask


def _read_one(tokens: list[str], selector: str) -> tuple[str, Mask]:
    if not tokens or tokens[0] in "(),/":
        raise _unreadable(selector)
    name = tokens.pop(0)
    if tokens and tokens[0] == "/":
        tokens.pop(0)
        below_name, below = _read_one(tokens, selector)
        return name, None if below_name == "*" and below is None else {below_name: below}
    if tokens and tokens[0] == "(":
        tokens.pop(0)
        inner = _read_list(tokens, selector)
        if not tokens or tokens.pop(0) != ")":
            raise _unreadable(selector)
        return name, inner
    return name, None


def _merged(first: Mask, second: Mask) -> Mask:
    if first is None or second is None:
        return None
    merged = dict(first)
    for name, below in second.items():
        merged[name] = _merged(merged[name], below) if name in merged else below
    return merged


def check_mask(mask: Mask, schema: Schema) -> None:
    """Raise ApiError 400 for a name that the answer never has, as Drive does."""
    for name, below in (mask or {}).items():
        field = drive_api().field(schema, name)
        if field is None:
            raise invalid_parameter("fields", f"Invalid field selection {name}")
        check_mask(below, field)


def below(mask: Mask, name: str) -> Mask:
    """The mask of one field; an empty one where it was not asked for."""
    return None if mask is None else mask.get(name, {})


def wants(mask: Mask, name: str) -> bool:
    """Whether a field was asked for."""
    return mask is None or name in mask


def prune(value: Any, mask: Mask) -> Any:
    """The value with only the fields asked for."""
    if mask is None:
        return value
    if isinstance(value, list):
        return [prune(one, mask) for one in value]
    if isinstance(value, dict):
        return {name: prune(one, mask[name]) for name, one in value.items() if name in mask}
    return value


def _unreadable(selector: str) -> ApiError:
    return invalid_parameter("fields", f"Invalid field selection {selector}")
