"""A job of the code location, run inside the process of a command as the UI would run it elsewhere."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import dagster as dg

from locator_assets.staged.runs import OWNED_TAG, run_lock

if TYPE_CHECKING:
    from locator_search.app.locator import Locator

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run_here(
    locator: Locator,
    instance: dg.DagsterInstance,
    job: dg.JobDefinition,
    ops: Mapping[str, object],
    resources: Mapping[str, object],
    begun: Callable[[], object] = lambda: None,
) -> None:
    """Run it to its end under a lock that says the run is alive. Items that failed are told by the listener among the
    resources, and raise nothing here. `begun` is called, maybe often, once others can see the run. Raises
    KeyboardInterrupt when a signal stops it."""
    run_id = str(uuid.uuid4())
    instance.add_event_listener(run_id, lambda _event: begun())
    with locator.locks.hold(run_lock(run_id)):
        try:
            job.execute_in_process(
                run_config={"ops": ops, **QUIET},
                instance=instance,
                run_id=run_id,
                tags={OWNED_TAG: run_id},
                resources=resources,
            )
        except dg.Failure:
            return
        except (dg.DagsterExecutionInterruptedError, KeyboardInterrupt):  # the former is Dagster's word for a signal
            _mark_cancelled(instance, run_id)
            raise KeyboardInterrupt from None


def _mark_cancelled(instance: dg.DagsterInstance, run_id: str) -> None:
    """Dagster takes a run for failed that was stopped and not by its own UI."""
    run = instance.get_run_by_id(run_id)
    if run is not None and run.status is not dg.DagsterRunStatus.CANCELED:
        instance.report_run_canceled(run, "Stopped by a signal; the next time takes up the rest.")
