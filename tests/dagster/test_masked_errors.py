"""A run that fails keeps why, without a secret. (Dagster reads annotations: no `from __future__` here.)"""

from collections.abc import Iterator

import dagster as dg
import pytest

from locator_assets.masked_errors import without_secrets


@dg.multi_asset(specs=[dg.AssetSpec("fails")])
@without_secrets
def failing(context: dg.AssetExecutionContext) -> Iterator[dg.AssetMaterialization]:
    yield dg.AssetMaterialization("fails")
    raise OSError("no connection to postgresql://me:hunter22@db.example/locator with xoxp-123456-abcdef")


def test_the_error_of_a_run_holds_no_secret() -> None:
    result = dg.materialize([failing], instance=dg.DagsterInstance.ephemeral(), raise_on_error=False)
    (event,) = result.get_step_failure_events()
    kept = str(event.event_specific_data)
    assert "OSError: no connection to postgresql://me:***@db.example/locator with ***" in kept
    assert "hunter22" not in kept
    assert "xoxp-123456" not in kept


def test_an_error_without_one_stays_what_it_is() -> None:
    @without_secrets
    def plainly() -> Iterator[int]:
        yield 1
        raise ValueError("a plain one")

    with pytest.raises(ValueError, match="a plain one"):
        list(plainly())
