"""`document-locator x`: sessions of X search that survive, never pay twice, and end in an answer with cited posts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locator_search.cli.shared.output import JsonFlag, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.app.locator import Locator

app = typer.Typer(help="Search X (Twitter) in sessions. / X（旧 Twitter）を検索します。", no_args_is_help=True)

SessionArgument = Annotated[str, typer.Argument(metavar="SESSION", help="The id that `x sessions` shows.")]
ShowOption = Annotated[int, typer.Option("--show", min=0, max=1000, help="Posts to print. JSON has all of them.")]
NoWaitFlag = Annotated[
    bool, typer.Option("--no-wait", help="Where X asks for a pause, end with the session paused instead of waiting.")
]


@app.command()
@reports_errors
def search(
    question: Annotated[str, typer.Argument(help="What you want to know, in your own words.")],
    budget: Annotated[
        float | None, typer.Option(help="Most US dollars for posts. Default: X_SESSION_BUDGET_USD.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Language model. Default: OPENAI_CHAT_MODEL.")] = None,
    no_wait: NoWaitFlag = False,
    show: ShowOption = 10,
    json_output: JsonFlag = False,
) -> None:
    """Search X with at least six queries; posts are scored, the answer cites them. / X を検索して回答します。

    Example: document-locator x search "インボイス制度の現場の反応" --budget 0.3
    """
    from locator_search.cli.x.report import texts_of
    from locator_search.cli.x.working import announce_cost, carry_out

    with _opened() as locator:
        x, say = locator.x_search, texts_of(locator)
        if not json_output:
            announce_cost(locator, budget, model)
        session = x.start(question, budget=budget, model=model)
        if not json_output:
            error_console.print(say.session.format(session_id=session.session_id), style="dim")
        carry_out(locator, session, wait=not no_wait, show=show, json_output=json_output)


@app.command()
@reports_errors
def resume(
    session: SessionArgument, no_wait: NoWaitFlag = False, show: ShowOption = 10, json_output: JsonFlag = False
) -> None:
    """Go on where a session stopped; nothing is bought twice. / 中断したセッションを再開します。

    Example: document-locator x resume 6f1f2a1e-0000-4000-8000-000000000000
    """
    from locator_search.cli.x.working import carry_out

    with _opened() as locator:
        found = locator.x_search.get(session)
        carry_out(locator, found, wait=not no_wait, show=show, json_output=json_output)


@app.command()
@reports_errors
def sessions(
    limit: Annotated[int, typer.Option(min=1, max=500, help="Most sessions to list.")] = 20,
    json_output: JsonFlag = False,
) -> None:
    """List the sessions, newest first. / セッションの一覧を表示します。

    Example: document-locator x sessions
    """
    from locator_search.cli.x.report import show_sessions
    from locator_search.x_search.as_json import session_line_as_json

    with _opened() as locator:
        found = locator.x_search.latest(limit=limit)
        if json_output:
            emit_json({"sessions": [session_line_as_json(one) for one in found]})
        else:
            show_sessions(found, locator)


@app.command()
@reports_errors
def show(session: SessionArgument, show: ShowOption = 10, json_output: JsonFlag = False) -> None:
    """Show what a session has found so far. / セッションの内容を表示します。

    Example: document-locator x show 6f1f2a1e-0000-4000-8000-000000000000 --json
    """
    from locator_search.cli.x.report import report

    with _opened() as locator:
        report(locator, locator.x_search.get(session), show=show, json_output=json_output)


@app.command()
@reports_errors
def export(
    session: SessionArgument,
    sheet_format: Annotated[
        Literal["docx", "md", "xlsx"], typer.Option("--format", help="Word, Markdown or Excel.")
    ] = "docx",
    out: Annotated[Path | None, typer.Option(help="File to write. Default: under LOCATOR_HOME.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Write the answer of a session with its posts. / 回答と投稿を文書に書き出します。

    Example: document-locator x export 6f1f2a1e-0000-4000-8000-000000000000 --format md --out answer.md
    """
    from zoneinfo import ZoneInfo

    from locator_search.app.sheets import sheet_as
    from locator_search.cli.shared.files import write_whole
    from locator_search.cli.shared.lines import show_line
    from locator_search.x_search.sheet import session_sheet

    with _opened() as locator:
        settings, found = locator.settings, locator.x_search.get(session)
        posts, zone = locator.x_search.posts(found.session_id), ZoneInfo(settings.locator_time_zone)
        path = out or settings.home / "x" / f"{found.session_id}.{sheet_format}"
        write_whole(path, sheet_as(session_sheet(found, posts, zone, found.language), sheet_format))
    if json_output:
        emit_json({"session_id": session, "path": str(path.absolute()), "format": sheet_format})
    else:
        show_line(str(path))


@app.command()
@reports_errors
def recheck(
    session: Annotated[str | None, typer.Argument(metavar="SESSION", help="One session. Or give --all.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session, of everybody.")] = False,
    budget: Annotated[float | None, typer.Option(help="Most US dollars. Default: X_SESSION_BUDGET_USD.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Ask X whether posts of earlier days are still there; what is gone goes. / 投稿が X に残っているか確認します。

    Example: document-locator x recheck --all --budget 1
    """
    from locator_search.cli.shared.lines import show_line
    from locator_search.cli.x.report import texts_of
    from locator_search.cli.x.working import announce_recheck
    from locator_search.x_search.as_json import rechecked_as_json

    if (session is None) != everything:
        raise typer.BadParameter("Name a session, or give --all.")
    with _opened() as locator:
        x, say = locator.x_search, texts_of(locator)
        plan = x.to_recheck(session)
        if not json_output:
            announce_recheck(plan, say)
        done = x.recheck(plan, budget)
        if json_output:
            emit_json(rechecked_as_json(plan, done))
        if json_output or not plan.post_ids:
            return
        counts = {"still_there": done.still_there, "gone": len(done.gone), "left": done.left}
        show_line(say.rechecked.format(**counts, cost=f"{done.cost_usd:.3f}"))
        if done.why_ended:
            show_line((say.why_ended[done.why_ended], "yellow"))


@app.command()
@reports_errors
def forget(
    session: Annotated[str | None, typer.Argument(metavar="SESSION", help="One session. Or give --all.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session, of everybody.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Delete a session, or all of them, with their posts. / セッションと投稿を削除します。

    Example: document-locator x forget --all
    """
    from locator_search.cli.shared.lines import show_line
    from locator_search.cli.x.report import texts_of

    if (session is None) != everything:
        raise typer.BadParameter("Name a session, or give --all.")
    with _opened() as locator:
        if session is not None:
            locator.x_search.get(session)
        count = locator.x_search.forget(session, owner=None)
        if json_output:
            emit_json({"forgotten": count})
        else:
            show_line(texts_of(locator).forgotten.format(count=count))


@contextmanager
def _opened() -> Iterator[Locator]:
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        yield locator
