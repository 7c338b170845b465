"""A job of the code location, run inside the process of a command as the UI would run it elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import dagster as dg

from locator_assets.definitions import defs
from locator_assets.staged.runs import OWNED_TAG, run_lock

if TYPE_CHECKING:
    from locator_search.app.locator import Locator

_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run_here(
    locator: Locator,
    instance: dg.DagsterInstance,
    run_id: str,
    job_name: str,
    ops: Mapping[str, object],
    resources: Mapping[str, object],
) -> None:
    """Run it to its end under a lock that says the run is alive. Items that failed are told by the listener among the
    resources, and raise nothing here."""
    with locator.locks.hold(run_lock(run_id)):
        try:
            defs.resolve_job_def(job_name).execute_in_process(
                run_config={"ops": ops, **_QUIET},
                instance=instance,
                run_id=run_id,
                tags={OWNED_TAG: "yes"},
                resources=resources,
            )
        except dg.Failure:
            return
