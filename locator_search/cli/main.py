"""The command line, `document-locator`. Command modules import heavy packages only when their command runs."""

from __future__ import annotations

import atexit
import gc
import io
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from locator_search.cli.shared.help import asks_for_help, put_into_japanese
from locator_search.cli.shared.output import be_quiet

COMMANDS = {
    "up": "up.command:up",
    "crawler": "operating.crawler:crawler",
    "search": "search.command:search",
    "evidence": "search.evidence:evidence",
    "similar": "search.similar:similar",
    "searches": "search.own:searches",
    "extract": "operating.extract:extract",
    "evaluate": "quality.evaluate:evaluate",
    "calibrate": "quality.calibrate:calibrate",
    "status": "operating.status:status",
    "doctor": "operating.doctor:doctor",
    "usage": "operating.usage:usage",
    "audit": "operating.audit:audit",
    "mcp": "operating.mcp:mcp",
}
GROUPS = {
    "serve": "up.serve:app",
    "contributions": "contributions.command:app",
    "x": "x.command:app",
    "live": "live.command:app",
    "db": "operating.db:app",
    "roots": "operating.roots:app",
    "auth": "operating.auth:app",
    "dev": "quality.dev:app",
}
"""Where each command and each group of commands is. A command line imports the one that it names: all of them take a
tenth of a second."""
_HERE = "locator_search.cli"
_OBJECTS_OF_A_START = 400_000
"""More than a command imports: Python looking among them for what nobody needs takes a twentieth of a crawl's start."""
_NEW_OBJECTS = 50_000
"""How many make Python look from then on. Its own 700 are for programs that import less."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("document-locator"))
        raise typer.Exit


def command_line(commands: Iterable[str] = COMMANDS, groups: Iterable[str] = GROUPS) -> typer.Typer:
    """The command line with some of the commands and groups; with all, unless told which."""
    app = typer.Typer(
        name="document-locator",
        help="Finds the one document you need. / 必要な一枚の文書を見つけます。",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(document_locator)
    for name in commands:
        app.command(name)(resolve_name(f"{_HERE}.{COMMANDS[name]}"))
    for name in groups:
        app.add_typer(resolve_name(f"{_HERE}.{GROUPS[name]}"), name=name)
    return app


def document_locator(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Results and errors alone, no progress or notes; anywhere on the line.")
    ] = False,
) -> None:
    """Finds the one document you need. / 必要な一枚の文書を見つけます。"""
    if quiet:
        be_quiet()


def main() -> None:
    """Run the command line. Exit status: 0 it did its work, 1 it failed, 2 wrong usage or settings."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file name that this terminal cannot write must not end a command
            stream.reconfigure(errors="replace")
    gc.set_threshold(_OBJECTS_OF_A_START)
    gc.callbacks.append(_end_of_start)
    atexit.register(gc.freeze)  # or Python looks through all there is once more, only to end
    words = quiet_first(sys.argv[1:])
    command = typer.main.get_command(_called(words))
    if asks_for_help(command, words):
        from locator_search.config.settings import language_set

        if language_set() == "ja":
            put_into_japanese(command)
    sys.exit(_run(command, words))


def _end_of_start(_phase: str, _about: object) -> None:
    """Keep what Python finds when it looks for the first time: it was imported. From then on it looks more often."""
    gc.callbacks.remove(_end_of_start)
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)


def _called(words: Sequence[str]) -> typer.Typer:
    """The command line with no other command than the words call, where they call one."""
    name = next((word for word in words if word != "--quiet"), "")
    commands, groups = COMMANDS.keys() & {name}, GROUPS.keys() & {name}
    return command_line(commands, groups) if commands or groups else command_line()


def _run(command: Any, words: Sequence[str]) -> int:
    """The exit status of a command line; what Typer itself has to say about it is said in the language that is set."""
    try:
        ended = command(words, standalone_mode=False)
    except (TyperException, typer.Abort) as error:
        from locator_search.cli.shared.wrong_usage import tell

        return tell(error)
    return ended if isinstance(ended, int) else 0


def quiet_first(words: Sequence[str]) -> list[str]:
    """The words of a command line with `--quiet`, wherever it stands among the options, in front."""
    own = words[: words.index("--")] if "--" in words else words
    found = [word for word in own if word == "--quiet"]
    return [*found, *(word for word in own if word != "--quiet"), *words[len(own) :]]


if __name__ == "__main__":
    main()
