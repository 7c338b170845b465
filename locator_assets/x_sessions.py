"""Sessions of X search that have expired go, whether or not anybody opens them: X wants deleted posts gone in a day.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

import dagster as dg

from locator_search.ports.x.sessions import SessionStore

SECONDS_BETWEEN = 3600


@dg.sensor(
    minimum_interval_seconds=SECONDS_BETWEEN,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Deletes sessions of X search that have expired, with their posts.",
)
def expired_x_sessions(x_sessions: dg.ResourceParam[SessionStore]) -> dg.SkipReason:
    """Delete expired sessions at each tick. Asks for no run."""
    return dg.SkipReason(f"{x_sessions.sweep()} sessions had expired.")
