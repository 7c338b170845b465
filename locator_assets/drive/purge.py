"""Forgets files that are gone from their source: index, state, partition.

No `from __future__ import annotations` here: Dagster reads the config class from the signature.
"""

import dagster as dg

from locator_assets.drive.assets import Files
from locator_assets.partitions import DRIVE_FILES
from locator_assets.resources import CrawlParts
from locator_search.indexing.stages import STAGES


@dg.op(description="Removes files from index and registry, then their partitions")
def purge_files(context: dg.OpExecutionContext, config: Files, parts: dg.ResourceParam[CrawlParts]) -> None:
    """The partition goes last: after a crash in between the purge is simply repeated. A file that came back stays."""
    known = parts.registry.known(file_ids=config.file_ids)
    gone = [file_id for file_id in config.file_ids if file_id not in known or known[file_id].state == "out_of_scope"]
    removed = parts.index.delete(gone)
    for file_id in gone:
        if context.instance.has_dynamic_partition(DRIVE_FILES, file_id):
            context.log_event(
                dg.AssetObservation(STAGES[-1], partition=file_id, metadata={"state": "gone from the source"})
            )
            context.instance.delete_dynamic_partition(DRIVE_FILES, file_id)
    context.log.info(f"{removed} of {len(config.file_ids)} files removed.")


@dg.job(executor_def=dg.in_process_executor, description="Forgets files that are gone from their source")
def purge_files_job() -> None:
    """Started by the sensor and by the crawl command."""
    purge_files()
