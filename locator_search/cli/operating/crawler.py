"""`document-locator crawler`: one crawl, for a person or for cron."""

from __future__ import annotations

import logging
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locator_search.cli.operating.roots import own_root, show_warnings
from locator_search.cli.shared.output import JsonFlag, console, emit_json, for_operators
from locator_search.core.errors import ConfigurationError
from locator_search.locales import Language

if TYPE_CHECKING:
    from locator_assets.commands.crawl_report import CrawlReport
    from locator_search.ports import OnProgress

log = logging.getLogger(__name__)


@for_operators
def crawler(
    mode: Annotated[
        Literal["auto", "full", "diff"] | None,
        typer.Option(
            help="full: hash every file anew; diff: only what changed; auto: full until a crawl has come to its end,"
            " diff from then on. Default: CRAWLER_MODE, else auto."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Work on at most so many files; the others wait for the next crawl.")
    ] = None,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch",
            help="Ask for summaries through the model service's Batch API, at half price: the files wait for up to 24"
            " hours, and the next crawl collects the answers. Embeddings, a small part of the cost, are paid as usual.",
        ),
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="With --batch: look every minute, and index when the batches have ended.")
    ] = False,
    confirm_removal: Annotated[
        list[str] | None,
        typer.Option(
            "--confirm-removal",
            metavar="ROOT",
            help="List everything, and remove what is gone of this root, however much that is; may be given repeatedly."
            " ROOT is its name, as the warning says it.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Index what is new or changed at the source, and forget what is gone. / 取得元の変更を索引に反映します。

    Broken files are named and do not make the crawl fail, nor do folders that cannot be opened: exit status 1 means
    that no root could be listed, that the listing broke off, or that the database or a model is out of reach; 2 that a
    setting or an argument is wrong. More than half of a root (and more than 20 files) is removed only when a person
    confirms it, or when full listings an hour apart agree; a root that lists nothing needs a person.

    Example: document-locator crawler --mode diff --json

    A first crawl at half price: document-locator crawler --batch --wait

    Every ten minutes by cron: */10 * * * * document-locator crawler
    """
    from locator_assets.commands.crawl import run_crawl
    from locator_search.app.locator import open_locator
    from locator_search.cli.operating.watching import watched
    from locator_search.health.models import shutdown_warnings
    from locator_search.health.root_texts import notice
    from locator_search.locales.reasons import reason_text
    from locator_search.locales.said import told

    if wait and not batch:
        raise ConfigurationError("--wait belongs to --batch.")
    with open_locator() as locator:
        for warning in shutdown_warnings(locator):
            log.warning(warning)
        mode = mode or locator.settings.crawler_mode
        confirmed = [own_root(locator, name).root_id for name in confirm_removal or ()]
        language = locator.settings.locator_language
        with watched(locator, log.info) as say:
            tell = _in_language(say, language)
            report = run_crawl(locator, mode, limit, on_progress=tell, batch=batch, confirmed=confirmed)
        if wait and report.batches and locator.summary_batches is not None:
            tell = _in_language(log.info, language)
            locator.summary_batches.wait(tell)
            report = run_crawl(locator, mode, limit, on_progress=tell, batch=batch)
    warnings = [notice(warning, language) for warning in report.warnings]
    if as_json:
        emit_json({**{one.name: getattr(report, one.name) for one in fields(report)}, "warnings": warnings})
    else:
        console.print(_in_words(report, language), soft_wrap=True)
        show_warnings(warnings)
    for line in _model_problems(report, language):
        log.warning(line)
    for file in report.failed:
        why = reason_text(file.reason, language)
        log.warning("%s: %s", file.file_name, " / ".join(filter(None, why)))
    if report.problem:
        log.error(told(f"The listing broke off, nothing is deleted: {report.problem}", language))
    if report.stopped:
        log.error(
            told(f"The crawl ended early; what was paid for is indexed, the rest waits: {report.stopped}", language)
        )
    if report.problem or report.stopped:
        raise typer.Exit(1)


def _in_language(tell: OnProgress, language: Language) -> OnProgress:
    """Tells lines of the program in a language. None is put into words for a log that does not take it."""
    from locator_search.locales.said import told

    if tell == log.info and not log.isEnabledFor(logging.INFO):
        return lambda _line: None

    return lambda line: tell(told(line, language))


def _in_words(report: CrawlReport, language: Language) -> str:
    """The report as one line, which also fits the mail that cron sends."""
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.locales.reasons import counted

    texts = OperatingTexts.of(language)
    skipped = "".join(
        texts.crawl_skipped.format(reason=words, count=count) for words, count in counted(report.skipped, language)
    )
    waiting = texts.crawl_waiting.format(count=report.waiting) if report.waiting else ""
    figures = texts.crawl_report.format(
        mode=report.mode,
        seconds=report.seconds,
        listed=report.listed,
        indexed=report.indexed,
        unchanged=report.unchanged,
        failed=len(report.failed),
        deleted=report.deleted,
    )
    batches = "".join(texts.crawl_batch.format(id=batch.batch_id, files=batch.files) for batch in report.batches)
    return figures + skipped + waiting + batches


def _model_problems(report: CrawlReport, language: Language) -> list[str]:
    """A sentence for each thing that models owe the files of this crawl."""
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.locales.said import told

    if not report.stand_in_summaries and not report.without_embeddings:
        return []
    texts = OperatingTexts.of(language)
    owed = {texts.crawl_stand_ins: report.stand_in_summaries, texts.crawl_without_embeddings: report.without_embeddings}
    problem = told(report.model_problem, language).removesuffix("。")
    return [text.format(count=count, problem=problem) for text, count in owed.items() if count]
