"""Arguments as the live server wants them: templates give text, tools want numbers, lists and truth values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from locator_search.core.errors import ServiceMisconfigured
from locator_search.core.service_faults import ServiceFault

Schema = Mapping[str, Any]


def fitted(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Arguments with the types of the tool's input schema; empty ones that it does not require are left out.

    Raises ServiceMisconfigured where a value cannot be of its type.
    """
    properties, required = schema.get("properties") or {}, schema.get("required") or ()
    return {
        name: _as_type(name, value, _types(properties.get(name) or {}))
        for name, value in arguments.items()
        if value != "" or name in required
    }


def problems_with(arguments: Mapping[str, Any], tool: str, schema: Schema) -> list[ServiceFault]:
    """Configured arguments that the tool does not know, and required ones that are missing."""
    properties, required = schema.get("properties") or {}, schema.get("required") or ()
    open_ended = schema.get("additionalProperties", not properties) not in (False, None)
    unknown = [name for name in arguments if name not in properties and not open_ended]
    missing = [name for name in required if name not in arguments]
    return [ServiceFault("unknown_argument", {"tool": tool, "name": name}) for name in unknown] + [
        ServiceFault("missing_argument", {"tool": tool, "name": name}) for name in missing
    ]


def _types(schema: Schema) -> list[str]:
    """The types a value may have; none where the schema does not say."""
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list):
        return [str(each) for each in declared]
    alternatives = schema.get("anyOf") or schema.get("oneOf") or ()
    return [each for alternative in alternatives if isinstance(alternative, Mapping) for each in _types(alternative)]


def _as_type(name: str, value: Any, types: list[str]) -> Any:
    if not isinstance(value, str):
        return str(value) if types == ["string"] else value
    if not types or "string" in types:
        return value
    try:
        return _CONVERSIONS[next(each for each in types if each in _CONVERSIONS)](value)
    except (ValueError, StopIteration):
        raise ServiceMisconfigured("wrong_type", name=name, types=" / ".join(types), value=repr(value)) from None


def _truth(value: str) -> bool:
    if value.strip().lower() not in ("true", "false"):
        raise ValueError(value)
    return value.strip().lower() == "true"


def _list(value: str) -> list[Any]:
    if not value.lstrip().startswith("["):
        return [value]
    return list(json.loads(value))


def _object(value: str) -> dict[str, Any]:
    parsed = json.loads(value)
    if not isinstance(parsed, dict):
        raise ValueError(value)  # noqa: TRY004 - the value is wrong, whatever its type
    return parsed


def _integer(value: str) -> int:
    return int(value.strip())


_CONVERSIONS: dict[str, Any] = {
    "integer": _integer,
    "number": lambda value: float(value) if "." in value else int(value),
    "boolean": _truth,
    "array": _list,
    "object": _object,
}
