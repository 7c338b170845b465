"""`${NAME}`, `${NAME:-default}` and `${NAME:?message}` in servers.yaml. `$${` stands for `${` itself."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dotenv import dotenv_values

from locator_search.adapters.google_drive.token_file import stored_refresh_token
from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, ServiceMisconfigured

_REFERENCE = re.compile(r"\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([^}]*))?\}")

Variables = Mapping[str, str]


def variables_of(settings: Settings) -> dict[str, str]:
    """The values of names in servers.yaml: our settings, then the environment, then `.env`, blanks left out.

    Besides, `PYTHON` is the interpreter, and the refresh token that `auth google` stored stands for its setting. A file
    of it that cannot be read counts as none: signing in again writes a new one.
    """
    env_file = settings.model_config.get("env_file")
    in_file = {name: value or "" for name, value in dotenv_values(str(env_file)).items()} if env_file else {}
    ours = {name: getattr(settings, name) for name in Settings.model_fields}
    given = {name.upper(): str(value) for name, value in ours.items() if isinstance(value, str | int | os.PathLike)}
    found = {**in_file, **os.environ, **given, "LOCATOR_HOME": str(settings.home), "PYTHON": sys.executable}
    if not found.get("GOOGLE_REFRESH_TOKEN", "").strip():
        with suppress(ConfigurationError):
            found["GOOGLE_REFRESH_TOKEN"] = stored_refresh_token(settings.google_token_file) or ""
    return {name: value.strip() for name, value in found.items() if value.strip()}


def expanded(value: Any, variables: Variables) -> Any:
    """The same tree of dicts and lists with its strings expanded. Raises ServiceMisconfigured for `:?`."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda match: _replacement(match, variables), value)
    if isinstance(value, Mapping):
        return {key: expanded(each, variables) for key, each in value.items()}
    if isinstance(value, list):
        return [expanded(each, variables) for each in value]
    return value


def names_in(transport: Transport) -> list[str]:
    """The variables that a way to reach a server needs, each once."""
    texts = [transport.url, *transport.headers.values(), *transport.env.values()]
    return list(dict.fromkeys(match[2] for text in texts for match in _REFERENCE.finditer(text) if match[2]))


def missing_credentials(credentials: list[list[str]], variables: Variables) -> tuple[str, ...]:
    """The names missing from the set that is partly given and lacks fewest, else from the first set; none where a set
    is complete, or none is asked for."""
    if not credentials:
        return ()
    lacking = [[name for name in names if name not in variables] for names in credentials]
    begun = [left for left, names in zip(lacking, credentials, strict=True) if len(left) < len(names)]
    return tuple(sorted(begun or lacking[:1], key=len)[0])


def _replacement(match: re.Match[str], variables: Variables) -> str:
    escaped, name, operator, rest = match.groups()
    if escaped:
        return str(escaped)
    if name in variables:
        return variables[name]
    if operator == ":?":
        raise ServiceMisconfigured("as_configured", detail=rest) if rest else ServiceMisconfigured("unset", name=name)
    return rest if operator == ":-" else ""
