"""`document-locator dev`: tools for trying and developing the product."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, error_console, reports_errors
from locator_search.locales import Language

if TYPE_CHECKING:
    from locator_search.dev.drive_emulator import DriveEmulator

app = typer.Typer(help="Tools for trying and developing the product: drive-emulator.", no_args_is_help=True)


@app.callback()
def dev() -> None:
    """Tools for trying and developing the product."""


@app.command("drive-emulator")
@reports_errors
def drive_emulator(
    folder: Annotated[Path, typer.Argument(help="The folder to serve; it is read and never written.")],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8085,
    faults: Annotated[
        Path | None, typer.Option("--faults", help="A JSON file of rules for errors, broken connections, slow answers.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Serve a folder through the Google Drive API on this machine, until Ctrl-C. Prints the lines for .env.

    Files named *.gdoc.md, *.gdoc.docx, *.gsheet.xlsx and *.gslides.pptx are Google Docs, Sheets and Slides.

    Example: document-locator dev drive-emulator samples
    """
    from locator_search.config.settings import load_settings
    from locator_search.dev.drive_emulator import DriveEmulator, read_plan

    plan = read_plan(faults) if faults else None
    with DriveEmulator(folder, port=port) as drive:
        if plan:
            drive.set_faults(*plan.rules, seed=plan.seed)
        stopped = _when_signalled()
        _announce(drive, folder, load_settings().locator_language, json_output)
        stopped.wait()


def _announce(drive: DriveEmulator, folder: Path, language: Language, json_output: bool) -> None:
    if json_output:
        emit_json({"folder": folder.absolute(), "origin": drive.origin, "environment": drive.environment()})
        return
    from locator_search.cli.quality.texts import MeasuringTexts

    # Only lines for .env go to stdout, so that they may be redirected there.
    print("\n".join(f"{name}={value}" for name, value in drive.environment().items()), flush=True)
    error_console.print(MeasuringTexts.of(language).emulator.format(folder=folder, origin=drive.origin))


def _when_signalled() -> threading.Event:
    """An event that Ctrl-C and SIGTERM set."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    return stopped
