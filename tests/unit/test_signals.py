"""An interruption ends a command wherever it strikes."""

from __future__ import annotations

import signal
import time

import pytest

from locator_search.cli.shared.signals import ending_signals


class ClearedAway:
    """An object in whose end the signal strikes, where Python drops what is raised."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)


def test_an_interruption_that_python_drops_comes_once_more(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        left = ClearedAway()
        del left
        time.sleep(5)
        pytest.fail("the program went on")

    with pytest.raises(KeyboardInterrupt), ending_signals():
        work()
    assert "Traceback" not in capsys.readouterr().err


def test_other_errors_that_python_drops_are_told_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("in the end")

    with ending_signals():
        broken = Broken()
        del broken
    assert "ValueError: in the end" in capsys.readouterr().err
