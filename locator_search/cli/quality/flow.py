"""`document-locator evaluate DIR --flow`: how often the whole search shows, asks and refuses what it should."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from locator_search.cli.quality.progress import progress_bar, say_what_embeds, watched
from locator_search.cli.shared.output import console, emit_json, error_console

if TYPE_CHECKING:
    from locator_search.cli.quality.texts import MeasuringTexts
    from locator_search.config.settings import Settings


def evaluate_flow(folder: Path, half: int | None, settings: Settings, say: MeasuringTexts, *, as_json: bool) -> None:
    """Index `folder/files`, ask its questions, print the figures by kind. Raises ConfigurationError."""
    from locator_search.app.flow_evaluation import ask_index, index_folder, scratch_locator
    from locator_search.evaluation.flow import flow_figures
    from locator_search.evaluation.flow_dataset import FILES, read_flow_questions

    questions = read_flow_questions(folder, half)
    with scratch_locator(settings, folder / FILES) as locator:
        say_what_embeds(locator, say)
        started = perf_counter()
        with progress_bar() as progress:
            task = progress.add_task(say.loading, total=None)
            files = index_folder(locator, lambda count: progress.update(task, completed=count))
        error_console.print(say.loaded.format(len(files), seconds=perf_counter() - started))
        with progress_bar() as progress:
            asked = ask_index(locator, files, questions)
            figures = flow_figures(watched(asked, progress, say.asking, len(questions)))
        models = {"embedding_model": locator.embedder.model_name, "chat_model": locator.chat_model.model_name}
    if as_json:
        emit_json({"kinds": figures, "documents": len(files), "queries": len(questions), **models})
    else:
        _show(figures)


def _show(figures: dict[str, dict[str, float]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in next(iter(figures.values())):
        table.add_column(name.replace("_", " "), justify="right", overflow="fold")
    for kind, own in figures.items():
        questions, *shares = own.values()
        table.add_row(kind, f"{questions:.0f}", *(f"{share:.2f}" for share in shares))
    console.print(table)
