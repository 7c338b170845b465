"""Templates of servers.yaml, filled with what servers answered: sandboxed, and strict about fields that are missing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from locator_search.core.errors import BadServiceAnswer

_environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
_NOTHING = ("", "false", "none", "0")


def checked_template(template: str) -> str:
    """The template itself. Raises ValueError where it cannot be read."""
    try:
        _compiled(template)
    except TemplateError as error:
        raise ValueError(f"the template {template!r} cannot be read: {error.message}") from None
    return template


def fill(template: str, **values: Any) -> str:
    """The text of a template. Raises BadServiceAnswer where the answer lacks what the template names."""
    try:
        return _compiled(template).render(**values)
    except TemplateError as error:
        raise BadServiceAnswer("misfit", template=repr(template), detail=str(error.message)) from None
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
        raise BadServiceAnswer("misfit", template=repr(template), detail=str(error)) from None


def is_true(template: str, **values: Any) -> bool:
    """Whether the text of a template is not empty."""
    return bool(template) and fill(template, **values).strip().lower() not in _NOTHING


def fill_all(arguments: Mapping[str, Any], **values: Any) -> dict[str, Any]:
    """Arguments with their strings filled."""
    return {name: _filled(value, values) for name, value in arguments.items()}


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return fill(value, **values)
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    return value


@lru_cache(maxsize=512)
def _compiled(template: str) -> Template:
    return _environment.from_string(template)
