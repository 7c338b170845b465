"""A service that a person wants to add, and how its server is reached: with names in place of secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from pydantic import ValidationError

from locator_search.adapters.mcp_services.configuration import Transport, load_servers, problems_in
from locator_search.adapters.mcp_services.opening import SECRET_NAME, SERVERS_FOLDER
from locator_search.adapters.mcp_services.texts import ServersTexts
from locator_search.adapters.mcp_services.variables import variables_of
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Wish:
    """A service by its `command`, or its `url` with `headers`; without either, as the service of the `name` is.

    `ask` shows a person the address at which to sign in. `readers` are who is shown what it finds.
    """

    name: str
    command: Sequence[str] = ()
    tool: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    variables: Sequence[str] = ()
    words: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    ask: Callable[[str], None] | None = None
    readers: Sequence[str] = ()


def path_of(settings: Settings, name: str) -> Path:
    """The file of a service that was added. Raises ConfigurationError for what is no name."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        say = ServersTexts.of(settings.locator_language)
        raise ConfigurationError(say.no_name.format(name=name), say.no_name_hint)
    return settings.home / SERVERS_FOLDER / f"{name}.yaml"


def transport_of(settings: Settings, wish: Wish) -> Transport:
    """How the server is reached, as it is written to the file. Raises ConfigurationError where a secret would be."""
    path, say = path_of(settings, wish.name), ServersTexts.of(settings.locator_language)
    variables = variables_of(settings)
    if missing := [name for name in wish.variables if name not in variables]:
        raise ConfigurationError(say.unset.format(names=", ".join(missing)), say.unset_hint)
    if not wish.command and not wish.url:
        if not path.exists():
            raise ConfigurationError(say.which_server, f"document-locator live add {wish.name} -- COMMAND [ARGS...]")
        return load_servers(path, settings.locator_language).servers[wish.name].transport
    secrets = {value: name for name, value in variables.items() if SECRET_NAME.search(name)}
    command = [f"${{{secrets[each]}}}" if each in secrets else each for each in wish.command]
    for name, value in (*_named(command), *_told(wish)):
        if SECRET_NAME.search(name.replace("-", "_")) and value and "${" not in value and not value.startswith("-"):
            raise ConfigurationError(
                say.secret.format(file=path.name, name=name), say.secret_hint.format(reference="'${NAME}'")
            )
    try:
        if wish.url:
            return Transport(url=wish.url, headers=dict(wish.headers))
        env = {name: f"${{{name}}}" for name in wish.variables}
        return Transport(command=command[0], args=command[1:], env=env, cwd=str(Path.cwd()))
    except ValidationError as error:
        raise ConfigurationError(say.no_address.format(url=wish.url), problems_in(error)) from None


def _named(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options of a command with their values."""
    for option, value in zip(["", *command], command, strict=False):
        name, _, own = value.partition("=")
        yield name.strip("-"), own
        if option.startswith("-") and "=" not in option:
            yield option.strip("-"), value


def _told(wish: Wish) -> Iterator[tuple[str, str]]:
    """The values in an address and its headers, with the names of what is always a secret there."""
    parts = urlsplit(wish.url)
    yield from parse_qsl(parts.query)
    yield "password", parts.password or parts.username or ""
    for name, value in wish.headers.items():
        yield "token" if name.lower() in ("authorization", "cookie") else name, value
