"""Sessions of X search that nobody opens again: those that have expired go, because X wants deleted posts gone in a
day; those whose worker died are taken up.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

import dagster as dg

from locator_assets.ownership import OWNERS
from locator_search.ports.x.sessions import SessionStore
from locator_search.x_search.searcher import XSearch

SECONDS_BETWEEN = 3600
SECONDS_BETWEEN_LOOKS = 60


class Abandoned(dg.Config):
    """The session to take up."""

    session_id: str


@dg.op
def take_up_x_session(context: dg.OpExecutionContext, config: Abandoned, x_search: dg.ResourceParam[XSearch]) -> None:
    """Go on with a session from where its worker died, unless somebody else has taken it up."""
    if x_search.get(config.session_id).worked_on:
        context.log.info("Somebody works on it.")
        return
    session = x_search.work(config.session_id)
    context.log.info(f"{session.status}: {session.posts} posts, ${session.cost_usd:.3f} for posts.")


@dg.job(executor_def=dg.in_process_executor, owners=OWNERS)
def take_up_x_session_job() -> None:
    """Take up a session of X search whose worker died."""
    take_up_x_session()


@dg.sensor(
    minimum_interval_seconds=SECONDS_BETWEEN,
    default_status=dg.DefaultSensorStatus.RUNNING,
    owners=OWNERS,
    description="Deletes sessions of X search that have expired, with their posts.",
)
def expired_x_sessions(x_sessions: dg.ResourceParam[SessionStore]) -> dg.SkipReason:
    """Delete expired sessions at each tick. Asks for no run."""
    return dg.SkipReason(f"{x_sessions.sweep()} sessions had expired.")


@dg.sensor(
    job=take_up_x_session_job,
    minimum_interval_seconds=SECONDS_BETWEEN_LOOKS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    owners=OWNERS,
    description="Asks for runs over sessions of X search whose worker died.",
)
def abandoned_x_sessions(x_search: dg.ResourceParam[XSearch]) -> dg.SensorResult:
    """One tick. A session that comes no further, because it kills its worker, is tried once an hour."""
    hour = f"{x_search.clock.now():%Y-%m-%dT%H}"
    return dg.SensorResult(
        run_requests=[
            dg.RunRequest(
                run_key=f"{session_id}-{progress}-{hour}",
                run_config=dg.RunConfig(ops={"take_up_x_session": Abandoned(session_id=session_id)}),
            )
            for session_id, progress in x_search.abandoned()
        ]
    )
