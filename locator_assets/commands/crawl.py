"""One crawl of the command. Where nothing is to do it ends without Dagster, whose start costs more than the look."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING

from locator_assets.commands.crawl_report import CrawlReport, Tally
from locator_assets.commands.looking import Look, Mode
from locator_assets.late_imports import put_off_imports
from locator_search.core.errors import ConfigurationError
from locator_search.core.temporary import remove_left_over
from locator_search.core.usage import Usage
from locator_search.ports import OnProgress

if TYPE_CHECKING:
    from locator_search.app.locator import Locator


def run_crawl(
    locator: Locator,
    mode: Mode = "auto",
    limit: int | None = None,
    on_progress: OnProgress = lambda _line: None,
    *,
    batch: bool = False,
    confirmed: Collection[str] = (),
) -> CrawlReport:
    """List the source, index what is new or changed, forget what is gone.

    `full` hashes every listed file anew; `diff` trusts revisions; `auto` is full as long as no crawl has come to its
    end. `limit` bounds the files worked on; the others wait for the next crawl. A second crawl joins the first: each
    takes the next batch of what is left, and ends when nothing is left to do for either.
    `batch` hands the summaries over to the Batch API of the model service: their files wait, and a later crawl, with it
    or without, collects the answers and indexes them. Of the roots whose ids are `confirmed`, any number of files may
    be gone: a person vouches for it, and everything is listed.
    When nothing more may be paid it ends early, and says so. Raises SourceError when nothing can be listed, StoreError
    and ConfigurationError when no work is possible.
    """
    if batch and locator.summary_batches is None:
        raise ConfigurationError(
            "--batch needs a model with a Batch API, and none is chosen.", hint="Set OPENAI_API_KEY, or leave it out."
        )
    remove_left_over()  # also where no file is read that needs a temporary folder
    look = Look(locator, mode, confirmed, on_progress)
    locator.indexer.refuse_another_model()
    with ExitStack() as listing:
        snapshot = None
        if not batch and look.is_enough():
            listing.enter_context(look.alone())
            snapshot = look.observe()
            if not snapshot.plan.to_index and not snapshot.plan.gone:
                if snapshot.listing.complete:
                    look.finish()
                return look.report(snapshot, Tally(), Usage())
        put_off_imports()
        from locator_assets.commands.crawling import Crawl
        from locator_assets.instance import open_instance

        with warnings.catch_warnings(), open_instance(locator) as instance:
            warnings.simplefilter("ignore")  # Dagster's notices about features in beta
            return Crawl(locator, instance, look, limit, on_progress, batch=batch).run(snapshot, listing)
