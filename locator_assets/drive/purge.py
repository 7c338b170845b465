"""Forgets files that are gone from their source: index, state, partition.

No `from __future__ import annotations` here: Dagster reads the config class from the signature.
"""

import dagster as dg

from locator_assets.drive.assets import Files
from locator_assets.ownership import OWNERS
from locator_assets.partitions import remove_partitions
from locator_assets.resources import CrawlParts
from locator_search.indexing.stages import STAGES
from locator_search.ports import CrawlRun


@dg.op(description="Removes the partitions of files, then the files from index and registry")
def purge_files(context: dg.OpExecutionContext, config: Files, parts: dg.ResourceParam[CrawlParts]) -> None:
    """The registry, which has the keys, goes last: after a crash this is repeated. A file that came back stays."""
    known = parts.registry.known(file_ids=config.file_ids)
    gone = [file_id for file_id in config.file_ids if file_id not in known or known[file_id].state == "out_of_scope"]
    keys = list(parts.registry.partition_keys(gone).values())
    for key in keys:
        context.log_event(dg.AssetObservation(STAGES[-1], partition=key, metadata={"state": "gone from the source"}))
    remove_partitions(context.instance, keys)
    started_at = parts.clock.now()
    removed = parts.index.delete(gone)
    states = parts.registry.coverage().by_state
    parts.status_reader.record_run(CrawlRun(context.run_id, started_at, parts.clock.now(), states, removed=removed))
    context.log.info(f"{removed} of {len(config.file_ids)} files removed.")


@dg.job(executor_def=dg.in_process_executor, owners=OWNERS, description="Forgets files that are gone from their source")
def purge_files_job() -> None:
    """Started by the sensor and by the crawl command."""
    purge_files()
