"""Lines of FTP folder listings: MLSD (RFC 3659), the long form of Unix, and that of IIS. Pure.

Names are hostile until proven otherwise: whatever could leave the folder, or smuggle in a command, is no entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from locator_search.ports import ArchiveEntry

_UNIX = re.compile(
    r"""(?P<kind>[-dl])[-rwxsStTl.+@]{9,11} \s+ \d+ \s+ (?:\S+ \s+){1,2}? (?P<size>\d+) \s+
    (?P<month>[A-Z][a-z]{2}) \s+ (?P<day>\d{1,2}) \s+ (?:(?P<hour>\d{1,2}):(?P<minute>\d\d)|(?P<year>\d{4})) \s
    (?P<name>.+)""",
    re.VERBOSE,
)
_IIS = re.compile(
    r"""(?P<month>\d\d)-(?P<day>\d\d)-(?P<year>\d{4}|\d\d) \s+ (?P<hour>\d\d):(?P<minute>\d\d)(?P<half>[AP]M)? \s+
    (?P<size><DIR>|\d+) \s+ (?P<name>\S.*)""",
    re.VERBOSE | re.IGNORECASE,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f]")


def entries(folder: str, lines: Iterable[str], parse: Callable[[str, str], ArchiveEntry | None]) -> list[ArchiveEntry]:
    """The entries of a folder, each name once. Lines of no known form are passed over."""
    found: dict[str, ArchiveEntry] = {}
    for line in lines:
        entry = parse(folder, line)
        if entry is not None:
            found.setdefault(entry.path, entry)
    return list(found.values())


def safe_path(folder: str, name: str) -> str | None:
    """The path of a name in a folder; None for a name that could mean something else than one entry of it."""
    if name in ("", ".", "..") or _UNSAFE.search(name):
        return None
    return f"{folder.rstrip('/')}/{name}".lstrip("/")


def parse_mlsd(folder: str, line: str) -> ArchiveEntry | None:
    """`type=file;size=12;modify=20240501120000; name`: times are UTC."""
    facts, _, name = line.partition(" ")
    values = {key.lower(): value for key, _, value in (fact.partition("=") for fact in facts.split(";"))}
    path = safe_path(folder, name)
    if path is None or values.get("type", "").lower() not in ("file", "dir"):
        return None
    is_folder = values["type"].lower() == "dir"
    size = values.get("size", "")
    modified = _time(values.get("modify", "")[:14], "%Y%m%d%H%M%S")
    return ArchiveEntry(path, is_folder, int(size) if size.isdecimal() and not is_folder else None, modified, line)


def list_parser(now: datetime) -> Callable[[str, str], ArchiveEntry | None]:
    """A parser of LIST lines; `now` tells in which year a Unix date without one lies."""

    def parse(folder: str, line: str) -> ArchiveEntry | None:
        if found := _IIS.fullmatch(line):
            return _iis(folder, found)
        found = _UNIX.fullmatch(line)
        return _unix(folder, found, now) if found else None

    return parse


def _iis(folder: str, found: re.Match[str]) -> ArchiveEntry | None:
    path = safe_path(folder, found["name"])
    if path is None:
        return None
    is_folder = found["size"].upper() == "<DIR>"
    day = f"{found['month']}-{found['day']}-{found['year']}"
    year = "%Y" if len(found["year"]) == 4 else "%y"
    clock = f"{found['hour']}:{found['minute']}{(found['half'] or '').upper()}"
    modified = _time(f"{day} {clock}", f"%m-%d-{year} {'%I:%M%p' if found['half'] else '%H:%M'}")
    return ArchiveEntry(path, is_folder, None if is_folder else int(found["size"]), modified, found[0])


def _unix(folder: str, found: re.Match[str], now: datetime) -> ArchiveEntry | None:
    path = safe_path(folder, found["name"])
    if path is None or found["kind"] == "l":  # where a link leads is not told
        return None
    is_folder = found["kind"] == "d"
    month = _MONTHS.index(found["month"]) + 1 if found["month"] in _MONTHS else 0
    clock = f"{found['hour'] or 0}:{found['minute'] or 0}"
    modified = _time(f"{found['year'] or now.year}-{month}-{found['day']} {clock}", "%Y-%m-%d %H:%M")
    if modified is not None and not found["year"] and modified > now + timedelta(days=1):
        modified = _time(f"{now.year - 1}-{month}-{found['day']} {clock}", "%Y-%m-%d %H:%M")
    return ArchiveEntry(path, is_folder, None if is_folder else int(found["size"]), modified, found[0])


def _time(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None
