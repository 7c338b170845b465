"""ZIP archives: the files inside, one after another, those of archives among them too."""

from __future__ import annotations

import posixpath
from collections.abc import Generator, Iterator

from locator_search.adapters.extractors.cleaning import shown_name
from locator_search.adapters.extractors.formats import ZIP
from locator_search.adapters.extractors.limited_zip import DAMAGE, LimitedZip
from locator_search.adapters.extractors.outcome import CannotExtract, Ending, Notes
from locator_search.adapters.extractors.reading import member_blocks
from locator_search.model import Block

_LOSSES_NAMED = 5


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """For each file with text a heading with its name, then its blocks, without page numbers."""
    notes.when_empty = "The archive holds no file with text."
    lost: dict[str, Ending] = {}
    with LimitedZip(data, notes.allowance) as archive:
        files = [(shown_name(name), entry) for name, entry in archive.files() if not _is_hidden(name)]
        for name, entry in files[: notes.allowed_members(len(files), "files")]:
            try:
                content = archive.read(entry)
            except CannotExtract as error:
                ending = Ending(error.state, error.message, ZIP)
            except DAMAGE:
                ending = Ending("corrupt", "The entry is damaged.", ZIP)
            else:
                ending = yield from _member(name, content, notes)
            if ending.lacks_text:
                lost[name] = ending
    if lost:
        raise _loss(lost)


def _loss(lost: dict[str, Ending]) -> CannotExtract:
    """The loss of some files of an archive; its state counts only when no other file had text."""
    states = {ending.state for ending in lost.values()}
    reasons = [f"{name}: {ending.reason}" for name, ending in lost.items()]
    more = [f"{len(lost) - _LOSSES_NAMED} more files have problems."] if len(lost) > _LOSSES_NAMED else []
    state = states.pop() if len(states) == 1 else "corrupt"
    return CannotExtract(state, " ".join(reasons[:_LOSSES_NAMED] + more))


def _member(name: str, content: bytes, notes: Notes) -> Generator[Block, None, Ending]:
    blocks = member_blocks(name, content, notes)
    try:
        first = next(blocks)
    except StopIteration as stop:
        ending: Ending = stop.value
        return ending
    yield Block("heading", name, level=1)
    yield first
    return (yield from blocks)


def _is_hidden(name: str) -> bool:
    """Whether macOS or an office program left the file beside those that people meant to pack."""
    parts = name.split("/")
    return "__MACOSX" in parts or posixpath.basename(name).startswith((".", "~$"))
