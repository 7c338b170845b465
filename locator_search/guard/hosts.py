"""The names under which browsers may reach us, and the origins whose pages may ask us something.

A name server can point any name at 127.0.0.1 ("DNS rebinding"); the browser then hands our answers to the page of that
name. Only the name in the request gives it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from locator_search.core.errors import ConfigurationError

LOCALHOST = "127.0.0.1"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

_AUTHORITY = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/@?#\\\s]+)(:\d{1,5})?", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a server besides those of loopback, in lower case and without ports."""

    public: frozenset[str] = frozenset()

    def admit_host(self, host: str) -> bool:
        """Whether the `Host` of a request is one of our names, on whatever port."""
        return _name_in(host) in LOOPBACK | self.public

    def admit_origin(self, origin: str, host: str) -> bool:
        """Whether the page of an `Origin` may ask `host`: its own page, or that of a public name of ours.

        Another port of loopback is another program. A proxy may have put its own name for us into `Host`; the browser
        sees the public one.
        """
        scheme, separator, authority = origin.lower().partition("://")
        if not separator or scheme not in ("http", "https"):
            return False
        return authority == host.lower() or _name_in(authority) in self.public


def names_of(hosts: Iterable[str], addresses: Iterable[str | None]) -> Names:
    """Names that are listed, and those in addresses of ours (None and loopback's do not count).

    Raises ConfigurationError where a listed name is none.
    """
    listed = [host.lower().rstrip(".") for host in hosts]
    for host in listed:
        if not _NAME.fullmatch(host):
            raise ConfigurationError(
                f"LOCATOR_ALLOWED_HOSTS: no name of a host: {host}",
                hint="Name hosts as browsers do, without http:// and port, for example documents.example.com.",
            )
    from_addresses = {_name_in(urlsplit(address).netloc.rpartition("@")[2]) for address in addresses if address}
    return Names(frozenset({*listed, *from_addresses} - LOOPBACK - {""}))


def _name_in(authority: str) -> str:
    """The name of `name:port`, "" where it is not of that form."""
    found = _AUTHORITY.fullmatch(authority)
    return found["name"].lower().rstrip(".") if found else ""
