"""Tells Dagster beforehand which partitions a run is about to make.

A run that carries its files in its config has no partition tag, so Dagster plans no partition for it: the UI would
show no "materializing", and a file that fails would stay green. This is the only use of a name that is not public;
`test_failed_partition_is_visible_and_rerun_is_free` fails when a Dagster release changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import dagster as dg

from locator_assets.staged.writing import store


def announce(
    context: dg.AssetExecutionContext, stages: Sequence[str], partitions: Iterable[str], run_id: str | None = None
) -> None:
    """Store one "planned" event per stage and partition, for the run of the context or another one. If that run fails,
    those not made by then show as failed.
    """
    try:
        from dagster._core.events import AssetMaterializationPlannedData
    except ImportError:  # costs display only
        context.log.warning("This Dagster release cannot announce partitions; failed files are listed in the run only.")
        return
    step = str(context.op_execution_context.op_handle)
    planned = (
        AssetMaterializationPlannedData(dg.AssetKey(stage), partition=key) for key in partitions for stage in stages
    )
    build = dg.DagsterEvent.build_asset_materialization_planned_event
    store(context.instance, run_id or context.run.run_id, [build(context.job_name, step, each) for each in planned])
