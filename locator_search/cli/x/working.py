"""Work on a session from the command line: its cost beforehand, its progress, its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locator_search.cli.shared.output import error_console
from locator_search.cli.x.report import report, texts_of
from locator_search.core.errors import LocatorError
from locator_search.x_search.messages import Sentences, small_budget
from locator_search.x_search.phases import seconds_left

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.x.texts import XTexts
    from locator_search.ports.x.sessions import Session
    from locator_search.x_search.claimed import OnSession
    from locator_search.x_search.rechecking import Recheck


def announce_cost(locator: Locator, budget: float | None, model: str | None) -> None:
    """Print what a session may cost, before anything is bought."""
    x, say = locator.x_search, texts_of(locator)
    if x.post_search.source == "sample":
        error_console.print(say.sample, style="yellow")
        return
    estimate = x.estimate(budget)
    line = say.estimate.format(
        at_most=f"{estimate.at_most:.2f}",
        posts=estimate.posts,
        full=f"{estimate.full:.2f}",
        month=f"{x.meter.this_month():.2f}",
        cap=f"{x.monthly_cap:.2f}",
    )
    error_console.print(line)
    if estimate.too_small:
        error_console.print(small_budget(estimate, locator.settings.locator_language), style="yellow")
    if not (model or x.models[0]).startswith("offline-"):
        error_console.print(say.model_extra)


def announce_recheck(plan: Recheck, say: XTexts) -> None:
    """Print how many posts will be asked for and what that costs, before anything is sent."""
    lines = [say.nothing_to_recheck]
    if plan.post_ids:
        cost = say.recheck_cost.format(at_most=f"{plan.at_most:.2f}")
        lines = [say.to_recheck.format(count=len(plan.post_ids)), cost]
    for line in lines:
        error_console.print(line, highlight=False)


def carry_out(locator: Locator, session: Session, *, wait: bool, show: int, json_output: bool) -> None:
    """Work on a session to its end, with its progress, and print what it came to."""
    try:
        with _progress_bar(locator, quiet=json_output) as on_session:
            session = locator.x_search.work(session.session_id, on_session=on_session, wait=wait)
    except KeyboardInterrupt:
        error_console.print(texts_of(locator).resume_with.format(session_id=session.session_id), highlight=False)
        raise
    except LocatorError:  # what was paid for is shown all the same
        report(locator, locator.x_search.get(session.session_id), show=show, json_output=json_output)
        raise
    report(locator, session, show=show, json_output=json_output)


@contextmanager
def _progress_bar(locator: Locator, *, quiet: bool) -> Iterator[OnSession]:
    """A bar on a terminal, nothing elsewhere."""
    if quiet or not error_console.is_terminal:
        yield lambda _session: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=error_console, transient=True) as progress:
        task = progress.add_task("", total=1.0, left="")

        def show(session: Session) -> None:
            line, left = _status_line(session, locator)
            progress.update(task, completed=session.progress, description=line, left=left)

        yield show


def _status_line(session: Session, locator: Locator) -> tuple[str, str]:
    line = Sentences.of(session.language).phases[session.phase]
    if session.status == "paused":
        line = session.reason
    pause = (session.resume_after - locator.clock.now()).total_seconds() if session.resume_after else 0.0
    left = seconds_left(sum(session.seconds.values()), session.progress, max(0.0, pause))
    return line, texts_of(locator).time_left.format(
        seconds=max(1, round(left))
    ) if left and session.status != "done" else ""
