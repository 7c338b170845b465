"""Why nothing can be found of a contribution. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.selection import is_meant
from locator_search.locales import Language
from locator_search.locales.reasons import reason_text
from locator_search.ports import KnownContribution


def why_absent(known: Sequence[KnownContribution], contribution_id: str, language: Language) -> str:
    """How far the contribution of that id or number has come among those that are known, or why it went no further."""
    name = "/".join(contribution_id.split("/")[:2])  # a document id goes on after that
    found = next((one for one in known if is_meant(one.contribution, name)), None)
    if found is None:
        return Sentences.of(language).absences["unknown"]
    if found.state in ("skipped", "failed"):
        return reason_text(found.reason, language).words
    return Sentences.of(language).absences[found.state]
