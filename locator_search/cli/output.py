"""What every command shares: JSON on stdout, words on the console, errors as one sentence and a hint on stderr."""

from __future__ import annotations

import dataclasses
import functools
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, ParamSpec

import typer
from rich.console import Console

from locator_search.errors import LocatorError

if TYPE_CHECKING:
    from locator_search.settings import Settings

P = ParamSpec("P")

# File names and model text are printed as they are: square brackets in them are not styles.
console = Console(markup=False, highlight=False, emoji=False)
error_console = Console(markup=False, highlight=False, emoji=False, stderr=True, soft_wrap=True)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
ExplainFlag = Annotated[bool, typer.Option("--explain", help="Say of each result why it is one.")]


def emit_json(document: object) -> None:
    """Print one JSON document on stdout. Understands dataclasses, mappings, times (ISO 8601), paths and arrays."""
    print(json.dumps(document, default=_as_json, ensure_ascii=False, indent=2), flush=True)


def _as_json(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "tolist"):  # a NumPy number or array
        return value.tolist()
    raise TypeError(f"no JSON for {type(value).__name__}")


def _settings() -> Settings:
    from locator_search.settings import load_settings

    return load_settings()


def reports_errors(command: Callable[P, None], read_settings: Callable[[], Settings] = _settings) -> Callable[P, None]:
    """Set up logging, run a command, and turn whatever goes wrong into one sentence, a hint and an exit status.

    A stack trace appears at LOG_LEVEL=DEBUG only.
    """

    @functools.wraps(command)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> None:
        from locator_search.logs import configure_logging

        try:
            configure_logging(read_settings())
            command(*args, **kwargs)
            sys.stdout.flush()
        except LocatorError as error:
            _fail(error.message, error.hint, error.exit_code, error)
        except BrokenPipeError:  # the reader, `head` for instance, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            _fail("Interrupted.", "", 130)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            hint = "Run it again with LOG_LEVEL=DEBUG to see where; this is a fault of the program."
            _fail(f"Something unexpected happened: {type(error).__name__}: {error}", hint, 1, error)

    return reporting


def _fail(message: str, hint: str, exit_code: int, error: Exception | None = None) -> NoReturn:
    print_error(message, hint)
    logging.getLogger("locator_search.cli").debug("The command failed", exc_info=error)
    raise typer.Exit(exit_code)


def print_error(message: str, hint: str) -> None:
    """One sentence and a hint on stderr, without secrets."""
    secrets = _secrets_of_this_process()
    from locator_search.logs import mask

    error_console.print(mask(" ".join(message.splitlines()), secrets), style="bold red")
    if hint:
        error_console.print(mask(hint, secrets))


def _secrets_of_this_process() -> tuple[str, ...]:
    from locator_search.logs import secret_values
    from locator_search.settings import load_settings

    try:
        return secret_values(load_settings())
    except LocatorError:  # the settings themselves are wrong; their message carries no values
        return ()
