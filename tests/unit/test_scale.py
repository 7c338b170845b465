"""`make scale`: the benchmarks it runs take its arguments, and their verdicts become one table."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from benchmarks import scale
from benchmarks.verdict import MET, MISSED, NO_BAR, Verdict, tell, told

COMMANDS = scale.commands(50, "python-with-cocoindex", Path("kept"))
MAKEFILE = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")


class ParsedError(Exception):
    """The arguments were understood: nothing more is to run."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_benchmark_takes_the_arguments_that_scale_gives_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = argparse.ArgumentParser.parse_args

    def parse(parser: argparse.ArgumentParser, *words: Any) -> NoReturn:
        known(parser, *words)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    monkeypatch.setattr(sys, "argv", [name, *COMMANDS[name]])
    with pytest.raises(ParsedError):
        importlib.import_module(f"benchmarks.{name}").main()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_benchmark_of_scale_tells_its_verdict(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").tell is tell


def test_cocoindex_is_left_out_where_no_python_has_it() -> None:
    commands = scale.commands(50, "", Path("kept"))
    assert [name for name, arguments in commands.items() if not arguments] == ["beside_cocoindex"]


def test_a_verdict_is_printed_and_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    tell("a crawl", 1.204, at_most=1.2)
    tell("a search", 1234.5, "ms", at_most=1.2)
    tell("a tick", 0.5, "s")
    lines = capsys.readouterr().out.splitlines()
    assert [told(line) for line in lines] == [
        Verdict("a crawl", "1.20", "at most 1.2", MET),
        Verdict("a search", "1,234.50 ms", "at most 1.2 ms", MISSED),
        Verdict("a tick", "0.50 s", "", NO_BAR),
    ]
    assert told("| 200 | 1.5 |") is None


def test_one_that_fails_is_told_and_so_is_what_it_told_before(capfd: pytest.CaptureFixture[str]) -> None:
    script = "print('a line'); print('verdict: a crawl | 2.00 | at most 1.5 | NOT MET', flush=True); exit(3)"
    rows = scale.run("growth", [sys.executable, "-c", script])
    assert "a line\n" in capfd.readouterr().out
    first, failed = rows
    assert first == ("growth", Verdict("a crawl", "2.00", "at most 1.5", MISSED))
    assert (failed[1].what, failed[1].outcome) == ("ended with 3", scale.FAILED)


def test_the_table_has_a_line_for_each_verdict_whatever_happened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told_by = {
        "growth": [("growth", Verdict("a tick", "0.50 s"))],
        "readers": [("readers", Verdict("x", "", "", "FAILED"))],
    }
    monkeypatch.setattr(scale, "run", lambda name, _command: told_by.get(name, [(name, Verdict("y", "1.00", "", MET))]))
    monkeypatch.setattr(sys, "argv", ["scale"])
    monkeypatch.delenv(scale.COCOINDEX, raising=False)
    with pytest.raises(SystemExit) as ended:
        scale.main()
    assert ended.value.code == 1
    lines = capsys.readouterr().out.strip().splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == [*COMMANDS]
    assert len({len(line) for line in lines}) == 1


def test_make_runs_it_and_says_how_to_ask_for_the_large_form() -> None:
    assert "-m benchmarks.scale --size $(SIZE)" in MAKEFILE
    assert "SIZE=100000" in next(line for line in MAKEFILE.splitlines() if line.startswith("scale:"))
