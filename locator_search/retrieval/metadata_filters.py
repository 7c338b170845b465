"""Filters over the metadata of documents, in the form of LangChain's stores, as one jsonpath condition. Pure.

{"year": 2024}, {"year": {"$gte": 2023}}, {"tag": ["a", "b"]}, {"$or": [{...}, {...}]}: entries must all fit, a list is
one of several values, and of metadata that is a list one member is enough.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from locator_search.core.errors import ConfigurationError
from locator_search.model import JsonValue

_COMPARED = {"$eq": "==", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
OPERATORS = (*_COMPARED, "$ne", "$in", "$nin", "$and", "$or", "$not")
_HINT = (
    f"A filter takes names of metadata with values, and {', '.join(OPERATORS)}; "
    "for example {'department': {'$in': ['営業', '経理']}}."
)
_NEVER = "(1 == 2)"


def jsonpath_of(metadata: Mapping[str, JsonValue]) -> str:
    """The condition that metadata must meet. Raises ConfigurationError for what is no filter."""
    return _all([_entry("$", name, value) for name, value in metadata.items()])


def _entry(path: str, name: str, value: JsonValue) -> str:
    if name in ("$and", "$or"):
        if not isinstance(value, list) or not value:
            raise ConfigurationError(f"{name} takes a list of filters, not {json.dumps(value)}.", hint=_HINT)
        parts = [_filter(path, one, name) for one in value]
        return _all(parts) if name == "$and" else f"({' || '.join(parts)})"
    if name == "$not":
        return f"!{_filter(path, value, name)}"
    if name.startswith("$"):
        return _compared(path, name, value)
    inner = f"{path}.{json.dumps(name, ensure_ascii=False)}"
    if isinstance(value, dict):
        return _filter(inner, value, name)
    return _compared(inner, "$in" if isinstance(value, list) else "$eq", value)


def _filter(path: str, value: JsonValue, name: str) -> str:
    if not isinstance(value, dict) or not value:
        raise ConfigurationError(f"{name} takes a filter, not {json.dumps(value, ensure_ascii=False)}.", hint=_HINT)
    return _all([_entry(path, inner, one) for inner, one in value.items()])


def _compared(path: str, operator: str, value: JsonValue) -> str:
    if operator in _COMPARED or operator == "$ne":
        if isinstance(value, dict | list) or (
            operator not in ("$eq", "$ne") and not isinstance(value, int | float | str)
        ):
            raise ConfigurationError(
                f"{operator} compares with one value, not {json.dumps(value, ensure_ascii=False)}.", hint=_HINT
            )
        return f"!{_one_of(path, [value])}" if operator == "$ne" else _having(path, _COMPARED[operator], value)
    if operator in ("$in", "$nin"):
        if not isinstance(value, list) or any(isinstance(one, dict | list) for one in value):
            raise ConfigurationError(
                f"{operator} takes a list of values, not {json.dumps(value, ensure_ascii=False)}.", hint=_HINT
            )
        return _one_of(path, value) if operator == "$in" else f"!{_one_of(path, value)}"
    raise ConfigurationError(f"A filter knows no {operator!r}.", hint=_HINT)


def _one_of(path: str, values: Sequence[JsonValue]) -> str:
    return f"({' || '.join(_having(path, '==', value) for value in values) or _NEVER})"


def _having(path: str, comparison: str, value: JsonValue) -> str:
    """Never unknown, so that it can be turned round: a missing name or a value of another kind does not fit."""
    return f"exists({path} ? (@ {comparison} {json.dumps(value, ensure_ascii=False)}))"


def _all(parts: Sequence[str]) -> str:
    return f"({' && '.join(parts)})" if parts else f"!{_NEVER}"
