"""What every command shares: JSON, errors as one sentence and a hint, exit statuses."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
import typer
from rich.color import ColorSystem
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text
from typer.testing import CliRunner, Result

from locator_search.cli.shared.output import SafeConsole, emit_json, reports_errors
from locator_search.core.errors import ConfigurationError, LocatorError


@dataclass(frozen=True)
class Finding:
    name: str
    seen_at: datetime


def run_raising(error: BaseException | None) -> Result:
    app = typer.Typer()

    @app.command()
    @reports_errors
    def command() -> None:
        """Example: command"""
        if error is not None:
            raise error
        print("done")

    return CliRunner().invoke(app, [])


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOG_LEVEL", "INFO")


def test_json_is_one_document_with_readable_japanese(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding("見積書", datetime(2026, 11, 21, tzinfo=UTC))
    emit_json({"evidence": (finding,), "path": Path("a/b"), "score": np.float32(0.5), "names": {"b", "a"}})
    text = capsys.readouterr().out
    assert "見積書" in text
    assert json.loads(text) == {
        "evidence": [{"name": "見積書", "seen_at": "2026-11-21T00:00:00+00:00"}],
        "path": "a/b",
        "score": 0.5,
        "names": ["a", "b"],
    }


def test_a_command_that_did_its_work_ends_with_0() -> None:
    result = run_raising(None)
    assert (result.exit_code, result.stdout) == (0, "done\n")


@pytest.mark.parametrize(("error_type", "exit_status"), [(LocatorError, 1), (ConfigurationError, 2)])
def test_an_error_is_its_sentence_and_hint_on_stderr(error_type: type[LocatorError], exit_status: int) -> None:
    result = run_raising(error_type("The folder 契約 [old] is missing.", hint="Name another in LOCATOR_FOLDERS."))
    assert result.exit_code == exit_status
    assert result.stdout == ""
    assert result.stderr == "The folder 契約 [old] is missing.\nName another in LOCATOR_FOLDERS.\n"


def test_the_unexpected_is_one_sentence_without_a_stack_trace() -> None:
    result = run_raising(ZeroDivisionError("division\nby zero"))
    assert result.exit_code == 1
    assert "ZeroDivisionError: division by zero" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_stack_trace_appears_at_debug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    assert "Traceback" in run_raising(ZeroDivisionError()).stderr


def test_an_error_message_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter22@db.example/locator")
    result = run_raising(
        LocatorError("password hunter22 refused", hint="see postgresql://me:hunter22@db.example/locator")
    )
    assert "hunter22" not in result.stderr


def test_ctrl_c_is_no_stack_trace() -> None:
    """In a process of its own: where threads of other tests are busy, an interrupted command ends its process."""
    command = """
import typer
from locator_search.cli.shared.output import reports_errors
app = typer.Typer()
@app.command()
@reports_errors
def stop():
    raise KeyboardInterrupt
app()
"""
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode == 130
    assert result.stderr == "中断しました。\n"


def test_wrong_settings_end_a_command_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_MAX_LOOP_COUNT", "many")
    result = run_raising(None)
    assert result.exit_code == 2
    assert "SEARCH_MAX_LOOP_COUNT" in result.stderr


HOSTILE = (
    "a\x1b[31mred\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\\x1b]0;title\x07\x9b2J\rb\x08\u202egpj.exe"
    " [bold]x[/bold] [link=https://evil.example]y[/link] :smile:"
)


def _terminal() -> tuple[SafeConsole, io.StringIO]:
    console = SafeConsole()
    written = io.StringIO()
    console.file, console._force_terminal, console._color_system = written, True, ColorSystem.STANDARD
    return console, written


@pytest.mark.parametrize(
    "renderable",
    [
        HOSTILE,
        Text(HOSTILE, style="bold"),
        Panel(HOSTILE),
        Markdown(f"# {HOSTILE}\n\n- {HOSTILE}\n\n[x](https://evil.example)\n\n```\n{HOSTILE}\n```"),
        Text.from_markup("[link=https://evil.example]y[/link]"),
    ],
    ids=["string", "text", "panel", "markdown", "link"],
)
def test_nothing_but_styles_of_our_own_reaches_a_terminal(renderable: object) -> None:
    console, written = _terminal()
    console.print(renderable)
    left = re.sub(r"\x1b\[[\d;]*m", "", written.getvalue())
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", left), repr(left)
    assert "y" in left or "[bold]x[/bold]" in left or "x" in left


def test_json_holds_what_was_said_and_nothing_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    emit_json({"name": HOSTILE + "\ud800\u2028"})
    written = capsys.readouterr().out
    assert json.loads(written) == {"name": HOSTILE + "\ud800\u2028"}
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", written)
