"""Sessions of X search that nobody opens again are deleted all the same."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import dagster as dg
import pytest

from locator_assets.definitions import defs
from locator_assets.x_sessions import expired_x_sessions
from locator_search.core.errors import AccessDenied
from tests.builders.x_bench import XBench


def test_the_sensor_runs_by_itself_and_deletes_what_has_expired(database_url: str, tmp_path: Path) -> None:
    sensor = defs.get_repository_def().get_sensor_def("expired_x_sessions")
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    with closing(XBench(database_url, tmp_path)) as bench:
        old, kept = (bench.x.start(question) for question in ("電車の遅延", "在宅勤務の不満"))
        bench.rows("UPDATE x_search_session SET expires_at = now() WHERE id = %s RETURNING 1", old.session_id)
        told = expired_x_sessions(dg.build_sensor_context(resources={"x_sessions": bench.x.store}))
        assert isinstance(told, dg.SkipReason)
        assert told.skip_message == "1 sessions had expired."
        assert bench.x.get(kept.session_id) == kept
        [[left]] = bench.rows("SELECT count(*) FROM x_search_session")
        assert left == 1
        with pytest.raises(AccessDenied):
            bench.x.get(old.session_id)
