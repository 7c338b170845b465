"""`document-locator evaluate`: how good the retrieval is on a data set, or on what people thought of its results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal, TextIO, TypeAlias

import typer

from locator_search.cli.quality.progress import progress_bar, say_what_embeds, watched
from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.quality.texts import MeasuringTexts
    from locator_search.evaluation.dataset import JudgedQuery
    from locator_search.evaluation.evaluate import Evaluation
    from locator_search.model import Fusion, RetrievalMode
    from locator_search.ports import IndexStore, VersionReader

Subject: TypeAlias = "tuple[IndexStore, int, list[JudgedQuery]]"
"""The subject of a measurement: an index, how many documents it has, and the judged questions."""


@reports_errors
def evaluate(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A data set in BEIR form.")] = None,
    mode: Annotated[
        Literal["hybrid", "vector", "keyword"], typer.Option(help="What searches: words, vectors or both.")
    ] = "hybrid",
    fusion: Annotated[Literal["scores", "ranks"], typer.Option(help="How both become one ranking.")] = "scores",
    run: Annotated[Path | None, typer.Option(help="Write what was found as a TREC run.")] = None,
    from_feedback: Annotated[
        bool, typer.Option("--from-feedback", help="Measure your own index by what people opened and thought useful.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="With --from-feedback: write questions, judgements and files as a data set.")
    ] = None,
    flow: Annotated[
        bool, typer.Option("--flow", help="Ask the whole search: DIR holds files/, queries.jsonl and qrels.tsv.")
    ] = False,
    half: Annotated[
        int | None, typer.Option(min=1, max=2, help="With --flow: one half of the questions, by their ids.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Measure the retrieval: recall, reciprocal rank, nDCG and time per question.

    DIR holds corpus.jsonl, queries.jsonl and qrels.tsv. They are loaded into an index of their own, which is dropped
    afterwards; yours is not touched. No chat model is called.

    With --flow, the files of DIR/files are indexed and every question goes through the whole search, with a simulated
    person who answers what it asks; by kind of question, how often the right file is shown. Models that are set are
    called.

    Example: document-locator evaluate data/scifact --mode hybrid --run scifact.run
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.quality.texts import MeasuringTexts
    from locator_search.config.settings import load_settings
    from locator_search.core.errors import ConfigurationError

    settings = load_settings()
    say = MeasuringTexts.of(settings.locator_language)
    if (folder is None) is not from_feedback or (out and not from_feedback):
        raise ConfigurationError(say.one_of_two, hint=say.one_of_two_hint)
    if flow and folder:
        from locator_search.cli.quality.flow import evaluate_flow

        evaluate_flow(folder, half, settings, say, as_json=json_output)
        return
    with ExitStack() as open_until_the_end:
        written = open_until_the_end.enter_context(_written(run, say)) if run else None
        locator = open_until_the_end.enter_context(open_locator(settings))
        subject = _feedback(locator, fusion, out, say) if folder is None else _data_set(folder, locator, fusion, say)
        index, documents, queries = open_until_the_end.enter_context(subject)
        versions = locator.versions if folder is None else None
        measured = _measure(queries, index, locator, mode, fusion, versions, written, say)
    if run:
        error_console.print(say.run_written.format(path=run))
    if json_output:
        emit_json(_as_json(measured, documents, mode, fusion, locator.embedder.model_name))
    else:
        _show(measured, say)


@contextmanager
def _data_set(folder: Path, locator: Locator, fusion: Fusion, say: MeasuringTexts) -> Iterator[Subject]:
    """A data set in an index of its own."""
    from locator_search.evaluation.dataset import read_queries

    queries = read_queries(folder)
    say_what_embeds(locator, say)
    with locator.scratch_index(fusion) as index:
        yield index, _load(folder, index, locator, say), queries


@contextmanager
def _feedback(locator: Locator, fusion: Fusion, out: Path | None, say: MeasuringTexts) -> Iterator[Subject]:
    """The person's own index, and what people thought of its results."""
    from locator_search.core.errors import LocatorError
    from locator_search.evaluation.dataset import write_dataset
    from locator_search.evaluation.feedback import as_corpus, judged_queries

    reader = locator.feedback_reader
    queries = judged_queries(reader.judgements())
    if not queries:
        raise LocatorError(say.no_feedback, hint=say.no_feedback_hint)
    say_what_embeds(locator, say)
    if out:
        documents = write_dataset(out, as_corpus(reader.texts()), queries)
        error_console.print(say.data_set_written.format(path=out, documents=documents, queries=len(queries)))
    yield locator.index_fused_by(fusion), locator.calibration_store.files(), queries


def _load(folder: Path, index: IndexStore, locator: Locator, say: MeasuringTexts) -> int:
    from locator_search.evaluation.dataset import read_corpus
    from locator_search.evaluation.loading import load_corpus

    started = perf_counter()
    with progress_bar() as progress:
        task = progress.add_task(say.loading, total=None)
        documents = load_corpus(
            read_corpus(folder),
            index,
            locator.chunker,
            locator.embedder,
            lambda count: progress.update(task, completed=count),
        )
    error_console.print(say.loaded.format(documents, seconds=perf_counter() - started))
    return documents


def _measure(
    queries: list[JudgedQuery],
    index: IndexStore,
    locator: Locator,
    mode: RetrievalMode,
    fusion: Fusion,
    versions: VersionReader | None,
    run: TextIO | None,
    say: MeasuringTexts,
) -> Evaluation:
    """With `versions`, files of one document are put together before they are measured."""
    from locator_search.config.synonyms import matching_of
    from locator_search.evaluation.evaluate import ask_all
    from locator_search.evaluation.evaluate import evaluate as measure
    from locator_search.evaluation.feedback import as_shown
    from locator_search.retrieval.evidence import IndexEvidenceProvider

    # A remembered embedding would cost no time, and a question is new when somebody asks it.
    provider = IndexEvidenceProvider(index, locator.bare_embedder, mode, partial(matching_of, locator.settings))
    started = perf_counter()
    with progress_bar() as progress:
        answers = ask_all(queries, provider)
        shown = answers if versions is None else as_shown(answers, versions)
        measured = measure(watched(shown, progress, say.asking, len(queries)), run)
    seconds = perf_counter() - started
    error_console.print(say.asked.format(measured.queries, seconds=seconds, mode=mode, fusion=fusion))
    return measured


@contextmanager
def _written(path: Path, say: MeasuringTexts) -> Iterator[TextIO]:
    """The file of the run, opened before the work begins, so that a wrong path costs nothing."""
    from locator_search.core.errors import ConfigurationError

    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(say.bad_run_file.format(path=path, reason=error.strerror)) from None
    with file:
        yield file


def _as_json(
    measured: Evaluation, documents: int, mode: RetrievalMode, fusion: Fusion, embedding_model: str
) -> dict[str, object]:
    return {
        **measured.quality.as_dict(),
        "p50_ms": round(measured.p50_ms, 3),
        "p95_ms": round(measured.p95_ms, 3),
        "documents": documents,
        "queries": measured.queries,
        "mode": mode,
        "fusion": fusion,
        "embedding_model": embedding_model,
    }


def _show(measured: Evaluation, say: MeasuringTexts) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(say.measure)
    table.add_column(say.value, justify="right")
    for name, value in measured.quality.as_dict().items():
        table.add_row(name, f"{value:.4f}")
    table.add_row("p50", say.milliseconds.format(value=measured.p50_ms))
    table.add_row("p95", say.milliseconds.format(value=measured.p95_ms))
    console.print(table)
