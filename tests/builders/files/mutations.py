"""Damage done to good files, the same for the same seed: what transfers, disks and people with bad intentions do."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

Change = Callable[[bytes, random.Random], bytes]

_MIB = 1024 * 1024
_SUFFIXES = (
    ".pdf",
    ".docx",
    ".doc",
    ".xlsx",
    ".pptx",
    ".odt",
    ".rtf",
    ".txt",
    ".csv",
    ".html",
    ".eml",
    ".zip",
    ".png",
    "",
)


class Mutant(NamedTuple):
    """A damaged file; `damage` and the suffix of `name` say what was done to which kind."""

    name: str
    damage: str
    content: bytes


def mutants(seeds: Sequence[Path], count: int, seed: int = 1) -> Iterator[Mutant]:
    """`count` damaged files, every kind of damage in turn, each done to a seed chosen at random."""
    chance = random.Random(seed)
    kinds = list(DAMAGES.items())
    for number in range(count):
        damage, do = kinds[number % len(kinds)]
        origin = chance.choice(seeds)
        suffix = chance.choice(_SUFFIXES) if damage == "mislabelled" else origin.suffix
        yield Mutant(f"{number:04d}-{damage}{suffix}", damage, do(origin.read_bytes(), chance))


def _flipped(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 3, 20, 200))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(1, len(content))]


def _beheaded(content: bytes, chance: random.Random) -> bytes:
    return content[chance.randrange(1, min(len(content), 600)) :]


def _blanked(content: bytes, chance: random.Random) -> bytes:
    start, length = chance.randrange(len(content)), chance.choice((16, 512, 4096))
    return content[:start] + bytes(length) + content[start + length :]


def _swapped(content: bytes, chance: random.Random) -> bytes:
    first, second = sorted(chance.randrange(len(content)) for _ in range(2))
    return content[:first] + content[second:] + content[first:second]


def _repeated(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start : start + 2000] * chance.choice((2, 50)) + content[start:]


def _same(content: bytes, _chance: random.Random) -> bytes:
    return content


def _nothing(_content: bytes, _chance: random.Random) -> bytes:
    return b""


def _numbers(content: bytes, chance: random.Random) -> bytes:
    """Counts, offsets and lengths become absurd: digits in texts, four bytes anywhere else."""
    damaged = bytearray(content)
    for _ in range(20):
        place = chance.randrange(len(damaged))
        if 0x30 <= damaged[place] <= 0x39:
            damaged[place : place + 1] = b"999999999"
        else:
            damaged[place : place + 4] = chance.choice((b"\xff\xff\xff\xff", b"\x00\x00\x00\x80", b"\xff\xff\xff\x7f"))
    return bytes(damaged)


def _inside(change: Change, otherwise: Change | None = None) -> Change:
    """The change done to one entry of a ZIP, whose checksums stay right; to anything else the same, or `otherwise`."""

    def do(content: bytes, chance: random.Random) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as source:
                entries = {name: source.read(name) for name in source.namelist()}
        except Exception:
            return (otherwise or change)(content, chance)
        if filled := [name for name, inside in entries.items() if inside]:
            target = chance.choice(filled)
            entries[target] = change(entries[target], chance)
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, inside in entries.items():
                archive.writestr(name, inside)
        return made.getvalue()

    return do


def _nested(content: bytes, chance: random.Random) -> bytes:
    """Elements within elements without end, where the content has elements, else brackets."""
    place = content.rfind(b"</")
    depth = chance.choice((200, 5_000, 100_000))
    if place < 0:
        return content + b"{[(" * depth
    return content[:place] + b"<a>" * depth + b"x" + b"</a>" * depth + content[place:]


def _entities(content: bytes, _chance: random.Random) -> bytes:
    start = content.find(b"?>") + 2 if content.startswith(b"<?xml") else 0
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (level, b"&l%d;" % (level - 1) * 10) for level in range(1, 10))
    kind = b'<!DOCTYPE x [<!ENTITY l0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">' + laughs + b"]>"
    return content[:start] + kind + content[start:].replace(b"</", b"&l9;&f;</", 1)


def _swollen(content: bytes, chance: random.Random) -> bytes:
    """A part that unpacks to far more than it may."""
    place = max(content.rfind(b"</"), 0)
    return content[:place] + chance.choice((b" ", b"A", b"\n")) * (80 * _MIB) + content[place:]


def _locked(content: bytes, _chance: random.Random) -> bytes:
    """Every entry of a ZIP says that it is encrypted."""
    damaged = bytearray(content)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = damaged.find(signature)
        while place >= 0 and place + offset < len(damaged):
            damaged[place + offset] |= 1
            place = damaged.find(signature, place + 4)
    return bytes(damaged)


DAMAGES: dict[str, Change] = {
    "flipped": _flipped,
    "cut": _cut,
    "flipped-inside": _inside(_flipped),
    "mislabelled": _same,
    "beheaded": _beheaded,
    "blanked": _blanked,
    "cut-inside": _inside(_cut),
    "swapped": _swapped,
    "numbers": _numbers,
    "numbers-inside": _inside(_numbers),
    "nested-inside": _inside(_nested),
    "repeated": _repeated,
    "entities-inside": _inside(_entities),
    "locked": _locked,
    "repeated-inside": _inside(_repeated),
    "swollen-inside": _inside(_swollen, otherwise=_repeated),
    "empty": _nothing,
}
