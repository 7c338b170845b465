"""Who reads: with `LOCATOR_PERMISSIONS` on, everything that is found or opened is trimmed to what this person may read.

    with reading_as(Reader.of("a.sato@example.com", groups)):
        ...  # whatever is searched anywhere below is searched for that person

The reader is a context variable, as the deadline is: nothing below can forget to pass it on. Where nobody is named,
nothing is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from locator_search.core.errors import AccessDenied

ANYONE = "anyone"
_UNTIL = " until "


@dataclass(frozen=True, slots=True)
class Reader:
    """A person, or the program itself, by the names that lists of readers use."""

    principals: tuple[str, ...]
    administers: bool = False
    """May see figures about all files: how many there are, how far the crawl is. Of contents, the own ones."""
    everything: bool = False
    """The program checks its own index; nothing of that is shown to anybody."""

    @classmethod
    def of(cls, mail: str, groups: Mapping[str, Collection[str]], *, administers: bool = False) -> Reader:
        """The person with this mail address; `groups` have mail addresses as names; their members are mail
        addresses, other groups, or everybody of a domain (`@example.com`). Raises AccessDenied."""
        own = mail.strip().lower()
        if not is_mail(own):
            raise AccessDenied(f"{mail or 'An empty name'} is no e-mail address, so nothing is shown.")
        within = {own, f"@{own.partition('@')[2]}"}
        while more := {group for group, members in groups.items() if within & set(members)} - within:
            within |= more
        named = [f"group:{group}" for group in sorted(within) if not group.startswith("@") and group != own]
        return cls((f"user:{own}", *named, f"domain:{own.partition('@')[2]}", ANYONE), administers)


PROGRAM = Reader((), administers=True, everything=True)

_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


@contextmanager
def reading_as(reader: Reader | None) -> Iterator[None]:
    """Everything in the block is read by this person; by nobody for None."""
    token = _reader.set(reader)
    try:
        yield
    finally:
        _reader.reset(token)


def reader_now() -> Reader | None:
    """Who reads; None where nobody is named."""
    return _reader.get()


def named_reader() -> Reader:
    """Who reads. Raises AccessDenied where nobody is named."""
    reader = _reader.get()
    if reader is None:
        raise AccessDenied(
            "It is not known who asks, so nothing is shown (LOCATOR_PERMISSIONS).",
            hint="Sign in on the pages, or name yourself with LOCATOR_COMMAND_READERS. See docs/permissions.md.",
        )
    return reader


def until(name: str, end: datetime) -> str:
    """A reader who is one until a time, as lists of readers have it. It is the name of nobody who asks."""
    return f"{name}{_UNTIL}{end.astimezone(UTC).isoformat()}"


def name_and_end(reader: str) -> tuple[str, datetime | None]:
    """Of a list of readers one's name, and until when it is let in; None for good."""
    name, _, written = reader.partition(_UNTIL)
    try:
        end = datetime.fromisoformat(written)
    except ValueError:
        return reader, None
    return (name, end) if end.tzinfo else (reader, None)


def names_at(readers: Collection[str], now: datetime) -> set[str]:
    """Whom a list of readers lets in at a time."""
    return {name for name, end in map(name_and_end, readers) if end is None or end > now}


@lru_cache(maxsize=4096)
def access_key_of(readers: tuple[str, ...]) -> str:
    """The key of a list of readers, in whatever order it names them; empty for an empty one."""
    names = "\n".join(sorted(readers))
    return hashlib.sha256(names.encode("utf-8", "replace")).hexdigest() if names else ""


def refuse_figures() -> None:
    """Raise AccessDenied where a person reads who may not see figures about all files, nor do what tells them."""
    reader = _reader.get()
    if reader is not None and not reader.administers:
        raise AccessDenied("Figures about all files are for administrators.", hint="LOCATOR_ADMINISTRATORS names them.")


def is_mail(text: str) -> bool:
    """Whether a text has the form of one e-mail address."""
    name, _, domain = text.partition("@")
    return bool(name and domain) and "@" not in domain and not set(text).intersection(" \t\n,;:<>")


def principal(written: str) -> str:
    """A reader as people write it: a mail address, group:MAIL, domain:NAME, @NAME or anyone. Raises ValueError."""
    own = written.strip().lower()
    if own == ANYONE:
        return own
    kind, _, name = own.rpartition(":")
    if own.startswith("@"):
        kind, name = "domain", own[1:]
    kind = kind or "user"
    if kind not in ("user", "group", "domain") or not name or ("@" in name) == (kind == "domain"):
        raise ValueError(f"{written} is no reader")
    return f"{kind}:{name}"
