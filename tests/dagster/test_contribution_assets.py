"""Contributions as Dagster shows them: a partition each, reasons in the open, others not held up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.storage.partition_status_cache import get_and_update_asset_status_cache_value

from locator_assets.contributions.assets import index_contributions
from locator_assets.definitions import defs
from locator_assets.partitions import CONTRIBUTIONS, contributions
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.contributions.stages import CONTRIBUTION_STAGES, ContributionResult
from tests.builders.meetings import ContributionBench, docx, put

IDS = [f"SA1#111/S1-25400{number}" for number in (1, 2, 3)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in (1, 2, 3):
        put(tmp_path / "tree", f"S1-25400{number}.docx", docx("5.2.1 Registration", f"Text {number}."))
    return tmp_path / "tree"


@pytest.fixture
def bench(root: Path, database_url: str, tmp_path: Path, extractor: IsolatedExtractor) -> Iterator[ContributionBench]:
    opened = ContributionBench(str(root), database_url, tmp_path / "home", extractor)
    opened.sync()
    yield opened
    opened.close()


def _run(bench: ContributionBench, instance: dg.DagsterInstance, **config: object) -> list[ContributionResult]:
    results: list[ContributionResult] = []
    instance.add_dynamic_partitions(CONTRIBUTIONS, IDS)
    defs.resolve_job_def("index_contributions_job").execute_in_process(
        run_config={"ops": {"index_contributions": {"config": {"contribution_ids": IDS, **config}}}},
        instance=instance,
        resources={"contribution_parts": bench.parts, "on_contribution": results.append},
        raise_on_error=False,
    )
    return results


def _partitions(instance: dg.DagsterInstance, asset: str, status: str) -> set[str]:
    cached = get_and_update_asset_status_cache_value(instance, dg.AssetKey(asset), contributions)
    assert cached is not None
    subset = getattr(cached, f"deserialize_{status}_partition_subsets")(contributions)
    return set(subset.get_partition_keys())


def test_the_graph_of_contributions_is_the_documented_one() -> None:
    graph = defs.resolve_asset_graph()
    parents: list[str] = []
    for stage in CONTRIBUTION_STAGES:
        node = graph.get(dg.AssetKey(stage))
        assert [key.to_user_string() for key in node.parent_keys] == parents
        assert node.group_name == "contributions"
        parents = [stage]


def test_one_run_makes_all_stages_of_all_its_contributions(
    bench: ContributionBench, instance: dg.DagsterInstance
) -> None:
    results = _run(bench, instance)
    assert sorted(result.key for result in results) == IDS
    for stage in CONTRIBUTION_STAGES:
        assert _partitions(instance, stage, "materialized") == set(IDS)
    record = instance.fetch_materializations(dg.AssetKey("contribution_chunks"), limit=1).records[0]
    assert record.asset_materialization is not None
    assert record.asset_materialization.metadata["strategy"].value == "heading-based-v1"
    assert record.asset_materialization.tags is not None
    assert "dagster/data_version" in record.asset_materialization.tags


def test_one_that_fails_shows_as_failed_and_the_others_are_indexed(
    bench: ContributionBench, instance: dg.DagsterInstance, root: Path
) -> None:
    (root / "TSGS1_111_Goteborg" / "Docs" / "S1-254002.docx").unlink()
    _run(bench, instance)
    assert _partitions(instance, "contribution_index", "materialized") == {IDS[0], IDS[2]}
    assert _partitions(instance, "contribution_archive", "failed") == {IDS[1]}
    observation = instance.fetch_observations(dg.AssetKey("contribution_index"), limit=1).records[0].asset_observation
    assert observation is not None
    assert "not in the archive any more" in str(observation.metadata["reason"].value)


def test_a_stage_can_be_the_last_one(bench: ContributionBench, instance: dg.DagsterInstance) -> None:
    _run(bench, instance, until="normalized_docx")
    assert _partitions(instance, "normalized_docx", "materialized") == set(IDS)
    assert bench.state("S1-254001") == "normalised"


def test_a_partition_picked_in_the_ui_is_worked_on_although_it_is_settled(
    bench: ContributionBench, instance: dg.DagsterInstance
) -> None:
    _run(bench, instance)
    seen: list[ContributionResult] = []
    dg.materialize(
        [index_contributions],
        instance=instance,
        partition_key=IDS[0],
        selection=["contribution_chunks", "contribution_index"],
        resources={"contribution_parts": bench.parts, "on_contribution": seen.append},
    )
    assert [(result.key, result.ending) for result in seen] == [(IDS[0], "indexed")]
