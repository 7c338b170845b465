"""`document-locator calibrate`: what similarities mean on this index."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, for_operators

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.quality.texts import MeasuringTexts
    from locator_search.evaluation.calibrate import Measurement
    from locator_search.ports import MeasuredCalibration
    from locator_search.retrieval.calibration import Calibration


@for_operators
def calibrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure and show, and keep nothing.")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Return to the calibration shipped with the model.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Measure what similarities mean on your index, so that thresholds mean what they say.

    Questions are made of the indexed texts, some with a known answer and some without one. No chat model is called.
    Repeat it when the index has doubled; `status` says when.

    Example: document-locator calibrate --dry-run
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.quality.texts import MeasuringTexts
    from locator_search.config.settings import load_settings
    from locator_search.core.errors import ConfigurationError

    settings = load_settings()
    say = MeasuringTexts.of(settings.locator_language)
    if reset and dry_run:
        raise ConfigurationError(say.reset_or_measure)
    with open_locator(settings) as locator:
        if reset:
            _reset(locator, say, json_output)
        else:
            _calibrate(locator, say, json_output, keep=not dry_run)


def _reset(locator: Locator, say: MeasuringTexts, json_output: bool) -> None:
    forgotten = locator.calibration_store.forget()
    if json_output:
        emit_json({"reset": forgotten})
    else:
        console.print(say.forgotten if forgotten else say.nothing_to_forget)


def _calibrate(locator: Locator, say: MeasuringTexts, json_output: bool, *, keep: bool) -> None:
    from locator_search.cli.quality.progress import say_what_embeds
    from locator_search.core.errors import LocatorError
    from locator_search.ports import MeasuredCalibration
    from locator_search.retrieval.calibration import Calibration
    from locator_search.retrieval.calibration_fit import NotToldApart

    say_what_embeds(locator, say)
    measurement = _measure(locator, say)
    before = Calibration(locator.calibration_store.anchors_in_use())
    try:
        calibration = measurement.calibration
    except NotToldApart as error:
        sentence = say.not_told_apart.format(by_chance=error.by_chance, right=error.right)
        raise LocatorError(sentence, hint=say.not_told_apart_hint) from None
    measured = MeasuredCalibration(calibration.anchors, measurement.files, locator.clock.now())
    if keep:
        locator.calibration_store.keep(measured)
    if json_output:
        emit_json(_as_json(measurement, measured, before, locator.embedder.model_name, kept=keep))
    else:
        _show(calibration, before, say)
        console.print(say.kept if keep else say.not_kept)


def _measure(locator: Locator, say: MeasuringTexts) -> Measurement:
    from locator_search.cli.quality.progress import progress_bar
    from locator_search.core.errors import LocatorError
    from locator_search.core.reader import PROGRAM, reading_as
    from locator_search.evaluation.calibrate import FEWEST_FILES, QUESTIONS, TooFewFiles, measure

    started = perf_counter()
    with progress_bar() as progress:
        task = progress.add_task(say.measuring, total=QUESTIONS)
        try:
            with reading_as(PROGRAM):  # what it means for all, of which no text is shown
                measurement = measure(
                    locator.calibration_store,
                    locator.index,
                    locator.bare_embedder,
                    lambda asked: progress.update(task, completed=asked),
                )
        except TooFewFiles as error:
            sentence = say.too_few_files.format(fewest=FEWEST_FILES, count=error.count)
            raise LocatorError(sentence, hint=say.too_few_files_hint) from None
    error_console.print(say.measured.format(files=measurement.files, seconds=perf_counter() - started))
    return measurement


def _as_json(
    measurement: Measurement, measured: MeasuredCalibration, before: Calibration, embedding_model: str, *, kept: bool
) -> dict[str, object]:
    return {
        "kept": kept,
        "embedding_model": embedding_model,
        "files": measured.files,
        "measured_at": measured.measured_at,
        "anchors": measured.anchors,
        "anchors_before": before.anchors,
        "quantiles": {
            "unrelated": measurement.quantiles(measurement.unrelated),
            "unanswerable": measurement.quantiles(measurement.unanswerable),
            "answerable": measurement.quantiles(measurement.answerable),
        },
    }


def _show(now: Calibration, before: Calibration, say: MeasuringTexts) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in (say.similarity, say.cosine_before, say.cosine_after):
        table.add_column(title, justify="right")
    table.add_column(say.meaning)
    for similarity, meaning in say.meanings.items():
        cosines = (f"{calibration.raw_at(float(similarity)):.3f}" for calibration in (before, now))
        table.add_row(similarity, *cosines, meaning)
    console.print(table)
