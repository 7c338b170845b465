"""One sitting of live search: a question, or one after the other until the person leaves."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from locator_search.cli.live.results import live_progress, show_following, show_outcome
from locator_search.cli.live.texts import LiveTexts
from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import error_console, print_error
from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locator_search.cli.live.log import DebugLog
    from locator_search.config.settings import Settings
    from locator_search.live_search.outcome import LiveOutcome
    from locator_search.live_search.progress import OnStep, ProgressStep
    from locator_search.live_search.searcher import LiveSearch
    from locator_search.model import ServiceQuery

FOLLOWING = ("+", "＋")
"""Before a question over the evidence of the last answer."""
LEAVING = ("/exit", "/quit", "/q", "exit", "quit")


class LiveSession:
    """Asks one search again and again. What it found last can be asked otherwise, by number."""

    def __init__(self, search: LiveSearch, settings: Settings, log: DebugLog | None = None) -> None:
        self._search = search
        self._say = LiveTexts.of(settings.locator_language)
        self._zone = ZoneInfo(settings.locator_time_zone)
        self._log = log
        self._last: LiveOutcome | None = None

    def ask(self, question: str, queries: Sequence[ServiceQuery] = (), *, quiet: bool = False) -> LiveOutcome:
        """One question to its end. Raises LocatorError; a KeyboardInterrupt leaves the services running."""
        return self._asked(question, partial(self._search.ask, question, queries=queries), quiet=quiet)

    def follow(self, question: str, *, quiet: bool = False) -> LiveOutcome | None:
        """A question over the evidence of the last answer; None where there was none. Raises LocatorError."""
        if self._last is None:
            return None
        return self._asked(question, partial(self._search.follow, self._last, question), quiet=quiet)

    def _asked(self, question: str, search: Callable[..., LiveOutcome], *, quiet: bool) -> LiveOutcome:
        if self._log:
            self._log.asked(question)
        try:
            with nullcontext() if quiet else live_progress() as tell:
                outcome = search(on_step=partial(self._told, tell))
        except (LocatorError, KeyboardInterrupt) as error:
            if self._log:
                self._log.broke_off(type(error).__name__)
            raise
        if self._log:
            self._log.ended(outcome)
        self._last = outcome
        return outcome

    def show(self, outcome: LiveOutcome, *, may_choose: bool = False) -> None:
        """Print an outcome."""
        show_outcome(outcome, self._say, self._zone, may_choose=may_choose)

    def show_following(self, outcome: LiveOutcome) -> None:
        """Print the answer to a question that followed another."""
        show_following(outcome, self._say)

    def repeat(self) -> None:
        """Questions until the person leaves; Ctrl-C ends the one that is running and nothing else."""
        _with_line_editing()
        show_line((self._say.welcome, "dim"))
        while (line := self._next_line()) is not None:
            try:
                self._answer(line)
            except KeyboardInterrupt:
                error_console.print(self._say.interrupted, style="yellow")
            except LocatorError as error:
                print_error(error.message, error.hint)
        show_line((self._say.goodbye, "dim"))

    def _next_line(self) -> str | None:
        """The next line that the person types, None when they leave."""
        while True:
            try:
                line = input(self._say.prompt).strip()
            except EOFError:
                return None
            except KeyboardInterrupt:
                show_line("")
                show_line((self._say.how_to_leave, "dim"))
                continue
            if line.lower() in LEAVING:
                return None
            if line:
                return line

    def _answer(self, line: str) -> None:
        if line.lower() in ("/help", "/?"):
            show_line(self._say.help)
        elif line.isascii() and line.isdigit() and self._last and self._last.alternatives:
            self._try_alternative(int(line), self._last)
        elif line.startswith(FOLLOWING):
            self._follow(line.removeprefix("+").removeprefix("＋").strip())
        else:
            self.show(self.ask(line), may_choose=True)

    def _follow(self, question: str) -> None:
        if outcome := self.follow(question):
            self.show_following(outcome)
        else:
            show_line(self._say.nothing_to_follow_yet)

    def _try_alternative(self, number: int, last: LiveOutcome) -> None:
        if not 1 <= number <= len(last.alternatives):
            show_line(self._say.no_such_alternative)
            return
        outcome = self.ask(last.question, last.alternatives[number - 1].queries)
        self.show(outcome)
        if not outcome.evidence:
            self._last = last  # the other proposals stay on offer

    def _told(self, tell: OnStep | None, step: ProgressStep) -> None:
        if tell:
            tell(step)
        if self._log:
            self._log.step(step)


def _with_line_editing() -> None:
    """Arrow keys and history at the prompt, where the platform has them."""
    try:
        import readline  # noqa: F401 - importing it is what makes input() edit
    except ImportError:
        return
