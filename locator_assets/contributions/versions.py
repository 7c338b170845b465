"""The code version of each stage. Another way to cut contributions makes Dagster show their chunks as stale."""

from __future__ import annotations

from collections.abc import Mapping

from locator_assets.staged.specs import stage_tags
from locator_search.app.locator import parser_version
from locator_search.config.settings import load_settings
from locator_search.contributions.entries import ENTRY_VERSION
from locator_search.contributions.normalisation import VERSION as NORMALISATION
from locator_search.contributions.stages import CONTRIBUTION_STAGES, ContributionResult, ContributionStage
from locator_search.core.errors import ConfigurationError
from locator_search.indexing.chunking.strategies import STRATEGIES


def _chunking() -> str:
    try:
        return STRATEGIES[load_settings().contributions_chunking].version
    except ConfigurationError:  # wrong settings are reported by whatever needs them; the graph can be shown without
        return "unknown"


CODE_VERSIONS: Mapping[ContributionStage, str] = {
    "contribution_archive": "1",
    "normalized_docx": f"{NORMALISATION} {parser_version()}",
    "contribution_chunks": _chunking(),
    "contribution_index": ENTRY_VERSION,
}


def version_tags(result: ContributionResult, stage: ContributionStage) -> Mapping[str, str]:
    """The version tags that Dagster compares for a stage of one contribution; the strategy really used counts."""
    strategy = result.fact("contribution_chunks", "strategy")
    versions = {**CODE_VERSIONS, "contribution_chunks": str(strategy or CODE_VERSIONS["contribution_chunks"])}
    sha256 = str(result.fact("contribution_archive", "sha256"))
    return stage_tags(stage, CONTRIBUTION_STAGES, versions, sha256, lambda each: result.fact(each, "model"))
