"""The command line, `document-locator`. Command modules import heavy packages only when their command runs."""

from __future__ import annotations

import atexit
import gc
import io
import sys
from collections.abc import Sequence
from copy import copy
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException
from typer.models import CommandInfo

from locator_search.cli.contributions import command as contributions
from locator_search.cli.live import command as live
from locator_search.cli.operating import audit, auth, crawler, db, doctor, extract, mcp, roots, status, usage
from locator_search.cli.quality import calibrate, dev, evaluate
from locator_search.cli.search import command as search
from locator_search.cli.search import evidence, own, similar
from locator_search.cli.shared.help import asks_for_help, put_into_japanese
from locator_search.cli.shared.output import be_quiet
from locator_search.cli.up import command as up
from locator_search.cli.up import serve
from locator_search.cli.x import command as x

app = typer.Typer(
    name="document-locator",
    help="Finds the one document you need. / 必要な一枚の文書を見つけます。",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_NEW_OBJECTS = 50_000
"""How many make Python look for what nobody needs any more. Its own 700 are for programs that import less."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("document-locator"))
        raise typer.Exit


@app.callback()
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


app.command()(up.up)
app.command()(crawler.crawler)
app.command()(search.search)
app.command()(evidence.evidence)
app.command()(similar.similar)
app.command()(own.searches)
app.command()(extract.extract)
app.command()(evaluate.evaluate)
app.command()(calibrate.calibrate)
app.command()(status.status)
app.command()(doctor.doctor)
app.command()(usage.usage)
app.command()(audit.audit)
app.command()(mcp.mcp)
app.add_typer(serve.app, name="serve")
app.add_typer(contributions.app, name="contributions")
app.add_typer(x.app, name="x")
app.add_typer(live.app, name="live")
app.add_typer(db.app, name="db")
app.add_typer(roots.app, name="roots")
app.add_typer(auth.app, name="auth")
app.add_typer(dev.app, name="dev")


def main() -> None:
    """Run the command line. Exit status: 0 it did its work, 1 it failed, 2 wrong usage or settings."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file name that this terminal cannot write must not end a command
            stream.reconfigure(errors="replace")
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)  # or Python looks through all there is once more, only to end
    words = quiet_first(sys.argv[1:])
    command = typer.main.get_command(_called(words))
    if asks_for_help(command, words):
        from locator_search.config.settings import language_set

        if language_set() == "ja":
            put_into_japanese(command)
    sys.exit(_run(command, words))


def _called(words: Sequence[str]) -> typer.Typer:
    """The command line with no other command than the words call, where they call one: those of all take longer to
    make than most need to start."""
    name = next((word for word in words if word != "--quiet"), "")
    alone = copy(app)
    alone.registered_commands = [one for one in app.registered_commands if _name(one) == name]
    alone.registered_groups = [one for one in app.registered_groups if one.name == name]
    return alone if alone.registered_commands or alone.registered_groups else app


def _name(command: CommandInfo) -> str:
    return command.name or typer.main.get_command_name(getattr(command.callback, "__name__", ""))


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
