"""Shows, while something is measured, the embedding model and the progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from locator_search.cli.shared.output import error_console

if TYPE_CHECKING:
    from rich.progress import Progress

    from locator_search.app.locator import Locator
    from locator_search.cli.quality.texts import MeasuringTexts

Item = TypeVar("Item")


def say_what_embeds(locator: Locator, say: MeasuringTexts) -> None:
    """Which embedding model stands behind the figures, on stderr."""
    name = locator.embedder.model_name
    stand_in = say.stand_in if name.startswith("offline-") else ""
    error_console.print(say.embedding_model.format(model=name) + stand_in)


def watched(items: Iterable[Item], progress: Progress, title: str, total: int) -> Iterator[Item]:
    """The items, counted on the bar as they come."""
    task = progress.add_task(title, total=total)
    for item in items:
        yield item
        progress.advance(task)


def progress_bar() -> Progress:
    """Progress on stderr, for a person who watches."""
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=error_console, transient=True, disable=not error_console.is_terminal)
