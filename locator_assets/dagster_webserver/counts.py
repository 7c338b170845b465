"""Keeps Dagster's counts of partitions ready: a first look would count those of 100,000 files for many seconds."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from dagster import AssetKey, DagsterError
from dagster._core.storage.partition_status_cache import get_and_update_asset_status_cache_value
from sqlalchemy.exc import SQLAlchemyError

from locator_assets.partitions import drive_files
from locator_search.indexing.stages import STAGES

if TYPE_CHECKING:
    from dagster import DagsterInstance

LOOKS_EVERY_SECONDS = 30.0
LONGEST_END_SECONDS = 10.0

logger = logging.getLogger(__name__)


@contextmanager
def counting_ahead(instance: DagsterInstance) -> Iterator[None]:
    """As long as the block lasts, partitions are counted whenever there are new events."""
    ended = Event()
    thread = Thread(target=_count, args=(instance, ended), name="partition counts", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(LONGEST_END_SECONDS)


def _count(instance: DagsterInstance, ended: Event) -> None:
    counted: int | None = None
    while not ended.is_set():
        try:
            newest = instance.event_log_storage.get_maximum_record_id()
            if newest != counted:
                for stage in STAGES:
                    get_and_update_asset_status_cache_value(instance, AssetKey(stage), drive_files)
                counted = newest
        except (DagsterError, SQLAlchemyError) as error:  # whoever looks counts for themselves
            logger.warning("Partitions were not counted ahead: %s.", type(error).__name__)
        ended.wait(LOOKS_EVERY_SECONDS)
