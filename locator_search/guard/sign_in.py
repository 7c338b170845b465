"""Who may come in: the `[auth]` section of Streamlit's secrets, which page and Dagster UI share.

Set up in half is an error that names what is missing: a door must not stand open because of a typing mistake.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from locator_search.core.errors import ConfigurationError

SECTION = "auth"
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
CALLBACK = "/oauth2callback"
SHARED_KEYS = ("redirect_uri", "cookie_secret")
PROVIDER_KEYS = ("client_id", "client_secret", "server_metadata_url")
DEFAULT_PROVIDER = "default"
ALIKE = 0.75
"""From there on a name is taken for a mistyped one, where a key of the sign-in stands below it: auht, Auth, oauth."""
HINT = "docs/security.md shows a whole example."


@dataclass(frozen=True, slots=True)
class Provider:
    """One OpenID Connect provider, and what it knows us by."""

    name: str
    client_id: str
    server_metadata_url: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """A complete `[auth]` section."""

    redirect_uri: str
    providers: tuple[Provider, ...]
    cookie_secret: str = field(repr=False)


def read_sign_in(paths: Iterable[Path] | None = None) -> SignIn | None:
    """The sign-in that the secrets file describes; None where it describes none.

    Raises ConfigurationError where they cannot be read or something is missing.
    """
    secrets: dict[str, Any] = {}
    for path in secrets_files() if paths is None else paths:
        secrets.update(_read(path))
    if SECTION not in secrets:
        _refuse_another_name(secrets)
        return None
    sign_in = checked(secrets[SECTION])
    if find_spec("authlib") is None:
        raise ConfigurationError(
            "Sign-in is set up, and the package for it is missing.", hint="pip install 'document-locator[login]'"
        )
    return sign_in


def refuse_open_doors(host: str, sign_in: SignIn | None, naming: Sequence[str]) -> None:
    """Raise ConfigurationError where nobody would have to sign in, and a server would listen to the network, or
    settings, those of `naming`, say which people may come in or read."""
    if sign_in is not None:
        return
    if naming:
        raise ConfigurationError(
            f"{', '.join(naming)} says who may come in or read, and no sign-in is set up: everybody would come in.",
            hint=f"Write [auth] into {secrets_files()[1]} (docs/security.md), or start in the folder that has it.",
        )
    if host not in THIS_MACHINE:
        raise ConfigurationError(
            f"The pages and the Dagster UI would be open to everybody on the network ({host or 'all addresses'}).",
            hint="Set up sign-in (docs/security.md), or listen on this machine alone (127.0.0.1).",
        )


def secrets_files() -> Sequence[Path]:
    """Where Streamlit looks for secrets of our pages; what stands in a later file wins."""
    pages = Path(str(files("streamlit_app")))
    return [folder / ".streamlit" / "secrets.toml" for folder in (Path.home(), Path.cwd(), pages)]


def checked(section: object) -> SignIn:
    """A complete section. Raises ConfigurationError with everything that is missing."""
    if not isinstance(section, Mapping):
        raise ConfigurationError("Sign-in is set up in part: [auth] must be a section of secrets.toml.", hint=HINT)
    named = {name: value for name, value in section.items() if isinstance(value, Mapping) and name != "client_kwargs"}
    own = any(key in section for key in PROVIDER_KEYS) or not named
    groups = {**({DEFAULT_PROVIDER: section} if own else {}), **named}
    missing = [key for key in SHARED_KEYS if not _text(section, key)]
    for name, group in groups.items():
        prefix = "" if name == DEFAULT_PROVIDER else f"{name}."
        missing += [f"{prefix}{key}" for key in PROVIDER_KEYS if not _text(group, key)]
    if missing:
        raise ConfigurationError(f"Sign-in is set up in part: [auth] lacks {', '.join(missing)}.", hint=HINT)
    redirect_uri = _text(section, "redirect_uri")
    if not redirect_uri.startswith(("http://", "https://")) or not redirect_uri.endswith(CALLBACK):
        raise ConfigurationError(f"[auth] redirect_uri must be an address that ends with {CALLBACK}.", hint=HINT)
    providers = tuple(
        Provider(name, *(_text(group, key) for key in ("client_id", "server_metadata_url", "client_secret")))
        for name, group in groups.items()
    )
    return SignIn(redirect_uri, providers, _text(section, "cookie_secret"))


def admits(allowed: Sequence[str], claims: Mapping[str, Any]) -> bool:
    """Whether somebody who signed in may come in: their verified e-mail address, or its domain, is on the list.

    An empty list leaves it to the provider.
    """
    if not allowed:
        return True
    address = str(claims.get("email") or "").lower()
    if claims.get("email_verified") is not True or address.count("@") != 1:
        return False
    domain = address.partition("@")[2]
    return any(entry.lower() in (address, domain, f"@{domain}") for entry in allowed)


def _refuse_another_name(secrets: Mapping[str, Any]) -> None:
    """Raise ConfigurationError for keys of the sign-in that stand outside [auth]: in a section of a mistyped name, or
    in none. Sections of other programs, which share a file in the home folder, are let alone."""
    own = {"cookie_secret", "server_metadata_url"}
    for name, section in secrets.items():
        keys = {name, *_keys_in(section)}
        is_alike = SequenceMatcher(None, name.lower(), SECTION).ratio() >= ALIKE
        if keys & own or (is_alike and keys.intersection((*SHARED_KEYS, *PROVIDER_KEYS))):
            raise ConfigurationError(
                f"The keys of the sign-in stand in secrets.toml under {name} instead of [auth]: nobody would sign in.",
                hint="Call the section [auth].",
            )


def _keys_in(section: object) -> Iterator[str]:
    """The keys of a section and of those within it."""
    if isinstance(section, Mapping):
        for name, value in section.items():
            yield name
            yield from _keys_in(value)


def _text(section: Mapping[str, Any], key: str) -> str:
    value = section.get(key)
    return value.strip() if isinstance(value, str) else ""


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ConfigurationError(
            f"Secrets cannot be read: {path} ({reason}).", hint="Mend the file, or remove it."
        ) from None
