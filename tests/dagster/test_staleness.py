"""A new prompt, parser or chunker makes what the former made stale in the UI; doing it again makes it fresh."""

from __future__ import annotations

import dagster as dg
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest

from locator_assets.drive.assets import index_files
from locator_search.indexing.stages import STAGES
from tests.builders.crawl import CrawlBench
from tests.dagster.runs import execute
from tests.dagster.test_index_files import enter, request


def statuses(instance: dg.DagsterInstance, assets: dg.AssetsDefinition, key: str) -> list[str]:
    """The status that the UI shows for one partition of each stage."""
    unused = {"parts": object(), "on_result": object()}
    graph = dg.Definitions(assets=[assets], resources=unused).resolve_asset_graph()
    resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
    found = [resolver.get_status(dg.AssetKey(stage), key) for stage in STAGES]
    return ["stale" if status is StaleStatus.STALE else status.value.lower() for status in found]


def with_another_summary_prompt() -> dg.AssetsDefinition:
    def changed(spec: dg.AssetSpec) -> dg.AssetSpec:
        is_summary = spec.key == dg.AssetKey("file_summary")
        return spec.replace_attributes(code_version="summary-next") if is_summary else spec

    return index_files.map_asset_specs(changed)


def test_a_new_summary_prompt_makes_the_summaries_stale_and_nothing_else_does(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(2)
    ids = enter(bench, instance)
    execute(bench, instance, request(*ids.values()))
    keys = bench.registry.partition_keys().values()
    for key in keys:
        assert statuses(instance, index_files, key) == ["fresh"] * 5
        summary = STAGES.index("file_summary")
        shown = statuses(instance, with_another_summary_prompt(), key)
        assert (shown[:summary], shown[summary]) == (["fresh"] * summary, "stale")
    execute(bench, instance, request(*ids.values()))
    assert statuses(instance, index_files, next(iter(keys))) == ["fresh"] * 5
