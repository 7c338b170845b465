"""Warnings about source roots in words, each with the command that settles it, for every surface. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from locator_search.locales import Language, Section
from locator_search.locales.said import in_words
from locator_search.model import RootWarning, RootWarningKind

CONFIRM = "document-locator crawler --confirm-removal {root}"
REMOVE = "document-locator roots remove {root}"
COMMANDS: Mapping[RootWarningKind, str] = {
    "empty": CONFIRM,
    "missing": CONFIRM,
    "left": REMOVE,
    "abandoned": REMOVE,
}
"""A person's word is asked for these; the others mend themselves when the folder is back."""


@dataclass(frozen=True)
class RootTexts(Section, section="roots"):
    """A sentence for each thing that may be wrong with a root."""

    warnings: Mapping[RootWarningKind, str]


@dataclass(frozen=True, slots=True)
class RootNotice:
    """A warning as a surface shows it: a sentence, the command that settles it, and what the program recorded, both
    empty where there is none."""

    kind: RootWarningKind
    root: str
    files: int
    message: str
    command: str
    detail: str = ""


def notice(warning: RootWarning, language: Language) -> RootNotice:
    """A warning in words."""
    root = warning.root
    name = root.name if root.name == root.handle else f"{root.name} ({root.handle})"
    words = RootTexts.of(language).warnings[warning.kind]
    why = in_words(warning.detail, language) if warning.kind in ("unreachable", "rules") else warning.detail
    message = words.format(root=name, files=warning.files, count=warning.count, detail=why)
    command = COMMANDS.get(warning.kind, "").format(root=shlex.quote(root.handle))
    recorded = warning.detail if warning.detail != why else ""
    return RootNotice(warning.kind, name, warning.count or warning.files, message, command, recorded)


def sentence(warning: RootWarning, language: Language = "en") -> str:
    """A warning on one line, its command included."""
    told = notice(warning, language)
    return f"{told.message} {told.command}".rstrip()


def warning_lines(warnings: Sequence[RootWarning], language: Language = "en") -> str:
    """Warnings as a Markdown list. Names come from outside and are shown as code."""
    told = [notice(warning, language) for warning in warnings]
    return "\n".join(
        f"- `{_code(one.message)}`" + (f"\n\n  `{_code(one.command)}`" if one.command else "") for one in told
    )


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())
