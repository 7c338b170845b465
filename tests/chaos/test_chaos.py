"""The short form of `make chaos`: as a person runs it, over a small folder."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_SECONDS = 800
"""On an idle machine it takes half a minute; others may be busy on this one."""


def chaos(*arguments: str) -> tuple[int, str]:
    """Its exit status and what it printed. It clears up after itself when it is asked to end."""
    command = [sys.executable, "-m", "tests.chaos", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            printed, _ = process.communicate(timeout=LONGEST_SECONDS)
        except BaseException:
            process.send_signal(signal.SIGTERM)
            raise
    return process.returncode, printed


@pytest.mark.timeout(LONGEST_SECONDS + 60)
def test_five_kills_in_a_row_cost_no_file_and_nothing_twice() -> None:
    status, printed = chaos("--files", "30", "--seed", "1", "--faults", "kill-crawl-5")
    assert status == 0, printed[-3000:]
    struck = [int(line.split()[2]) for line in printed.splitlines() if line.startswith("all ")]
    assert struck >= [3], "a fault that hardly strikes proves nothing"


def test_a_fault_that_does_not_exist_is_named() -> None:
    status, printed = chaos("--faults", "earthquake")
    assert status == 2
    assert "no such fault: earthquake" in printed
