"""Items that failed: red are their partitions, and not the run in which all the others were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin

from locator_assets.staged.announce import announce

CODE_LOCATION = "locator_assets"
"""The name in `workspace.yaml`, by which the UI finds the job of a run that is to be executed again."""
FOUND_IN_TAG = "locator/found_in"
"""Tag of a run over what failed: the run it failed in."""


@dataclass(frozen=True, slots=True)
class FailedItem:
    """One item that failed, the partition and the stage it is shown under, and one line that says which and why."""

    partition: str
    stage: str
    reason: str


def end_pass(
    context: dg.AssetExecutionContext, failed: Mapping[str, FailedItem], items: Sequence[str], field: str
) -> None:
    """End a run over `items`, which it was given in this field of its config or as partitions picked in the UI.

    A run fails of whose config nothing could be done. Any other ends well, and what failed is left behind in a failed
    run of its own, over nothing else: executed again, that one makes it alone. Each item is red in one stage.
    """
    if not failed:
        return
    config = context.op_execution_context.op_config or {}
    reasons = "\n".join(item.reason for item in failed.values())
    if config.get(field) and len(failed) == len(items):
        _announce(context, failed)
        raise dg.Failure(reasons, allow_retries=False)
    run = context.instance.add_run(_run_over(context, {**config, field: list(failed)}))
    begun = dg.DagsterEvent(dg.DagsterEventType.RUN_START.value, run.job_name)  # or the UI says that it failed to start
    context.instance.report_dagster_event(begun, run.run_id)
    _announce(context, failed, run.run_id)
    context.instance.report_run_failed(run, f"{len(failed)} of {len(items)} failed:\n{reasons}")
    context.log.warning(f"{len(failed)} of {len(items)} failed, the others are done; run {run.run_id} has the failed.")


def _run_over(context: dg.AssetExecutionContext, config: Mapping[str, object]) -> dg.DagsterRun:
    """A run like that of the context with another config, and over already."""
    run = context.run
    repository = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(CODE_LOCATION), "__repository__")
    return dg.DagsterRun(
        job_name=run.job_name,
        run_config={**run.run_config, "ops": {context.op_execution_context.op_handle.name: {"config": config}}},
        asset_selection=run.asset_selection,
        asset_check_selection=run.asset_check_selection,
        status=dg.DagsterRunStatus.FAILURE,
        tags={FOUND_IN_TAG: run.run_id, "dagster/max_retries": "0"},
        job_snapshot_id=run.job_snapshot_id,
        execution_plan_snapshot_id=run.execution_plan_snapshot_id,
        remote_job_origin=run.remote_job_origin or RemoteJobOrigin(repository, run.job_name),
        job_code_origin=run.job_code_origin,
    )


def _announce(context: dg.AssetExecutionContext, failed: Mapping[str, FailedItem], run_id: str | None = None) -> None:
    for item in failed.values():
        announce(context, [item.stage], [item.partition], run_id)
