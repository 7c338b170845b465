"""Output of all commands: JSON on stdout, words on the console, errors as one sentence and a hint on stderr."""

from __future__ import annotations

import dataclasses
import errno
import functools
import json
import logging
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, ParamSpec

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style

from locator_search.cli.shared.signals import ending_signals, leave_at_once_if_threads_are_busy
from locator_search.core.disk import full_disk, fullest, is_full
from locator_search.core.errors import LocatorError
from locator_search.text.visible import printable_lines

if TYPE_CHECKING:
    from locator_search.config.settings import Settings

P = ParamSpec("P")

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EFBIG, errno.EIO)


class SafeConsole(Console):
    """A console on which texts of others stay text: brackets are no styles, and the only control characters and links
    that reach the terminal are those of styles."""

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, stderr=stderr, soft_wrap=soft_wrap)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Clean every piece of text on its way to the terminal."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable_lines(segment.text), _unlinked(segment.style))


def _unlinked(style: Style | None) -> Style | None:
    return style.update_link(None) if style is not None and style.link else style


console = SafeConsole()
error_console = SafeConsole(stderr=True, soft_wrap=True)

_NOT_FOR_A_TERMINAL = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that JSON leaves as they are although a terminal obeys them or UTF-8 cannot write them."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
ExplainFlag = Annotated[bool, typer.Option("--explain", help="Say of each result why it is one.")]


def be_quiet() -> None:
    """From now on only results, on stdout, and errors are said."""
    error_console.quiet = True
    os.environ["LOG_LEVEL"] = "ERROR"


def emit_json(document: object) -> None:
    """Print one JSON document on stdout. Understands dataclasses, mappings, times (ISO 8601), paths and arrays."""
    written = json.dumps(document, default=_as_json, ensure_ascii=False, indent=2)
    print(_NOT_FOR_A_TERMINAL.sub(lambda match: f"\\u{ord(match.group()):04x}", written), flush=True)


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
    from locator_search.config.settings import load_settings

    return load_settings()


def reports_errors(command: Callable[P, None], read_settings: Callable[[], Settings] = _settings) -> Callable[P, None]:
    """Set up logging, run a command, and turn whatever goes wrong into one sentence, a hint and an exit status.

    A stack trace appears at LOG_LEVEL=DEBUG only.
    """

    @functools.wraps(command)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> None:
        from locator_search.config.logging import configure_logging

        with ending_signals() as signals:
            try:
                from locator_search.config.readers import command_reader
                from locator_search.core.reader import reading_as

                settings = read_settings()
                configure_logging(settings)
                with reading_as(command_reader(settings)):
                    command(*args, **kwargs)
                sys.stdout.flush()
            except LocatorError as error:
                _fail(error.message, error.hint, error.exit_code, error)
            except BrokenPipeError:  # the reader, `head` for instance, has seen enough
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            except KeyboardInterrupt:
                exit_status = 128 + signals.last()
                print_error("Interrupted.", "")
                leave_at_once_if_threads_are_busy(exit_status)
                raise typer.Exit(exit_status) from None
            except typer.BadParameter as error:
                error.message = _in_their_language(error.message)
                raise
            except (typer.Exit, typer.Abort):
                raise
            except Exception as error:
                message, hint = _in_words(error)
                _fail(message, hint, 1, error)

    return reporting


def for_operators(command: Callable[P, None]) -> Callable[P, None]:
    """As `reports_errors`, for what looks after the index and tells of all its files. With permissions on, it is for
    administrators, and for a user of the machine whom LOCATOR_COMMAND_READERS does not name: the operator, or cron."""

    @functools.wraps(command)
    def operating(*args: P.args, **kwargs: P.kwargs) -> None:
        from locator_search.core.reader import refuse_figures

        refuse_figures()
        command(*args, **kwargs)

    return reports_errors(operating)


def _in_words(error: Exception) -> tuple[str, str]:
    """The sentence and hint for an error: what this machine refused, or else a fault of the program."""
    if is_full(error):
        named = getattr(error, "filename", None)
        return full_disk(named if isinstance(named, str) else fullest([*_written_to()]))
    if isinstance(error, OSError) and error.errno in _REFUSED:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}.", "Check who owns it and whether its disk may be written to."
    hint = "Run it again with LOG_LEVEL=DEBUG to see where; this is a fault of the program."
    return f"Something unexpected happened: {type(error).__name__}: {error}", hint


def _written_to() -> Iterator[Path]:
    yield from (Path.cwd(), Path(tempfile.gettempdir()))
    with suppress(LocatorError):
        yield _settings().home


def _fail(message: str, hint: str, exit_code: int, error: Exception | None = None) -> NoReturn:
    print_error(message, hint)
    logging.getLogger("locator_search.cli").debug("The command failed", exc_info=error)
    raise typer.Exit(exit_code)


def print_error(message: str, hint: str) -> None:
    """One sentence and a hint on stderr, in the language that is set, without secrets."""
    from locator_search.core.masking import mask

    error_console.quiet = False
    error_console.print(mask(" ".join(_in_their_language(message).splitlines())), style="bold red")
    if hint:
        error_console.print(mask(_in_their_language(hint)))


def _in_their_language(words: str) -> str:
    """Words of the program as the person reads them; in English where a locale file is faulty."""
    from locator_search.config.settings import language_set
    from locator_search.locales.said import told

    try:
        return told(words, language_set())
    except LocatorError:
        return words
