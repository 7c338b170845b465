"""The jobs a crawl by command runs, without all else that the code location loads. To the UI they are the same jobs."""

from __future__ import annotations

import dagster as dg

from locator_assets.drive.assets import index_files, index_files_job
from locator_assets.drive.checks import ALL_CHECKS, health_job
from locator_assets.drive.purge import purge_files_job
from locator_assets.resources import RESOURCES

crawl_defs = dg.Definitions(
    assets=[index_files],
    asset_checks=ALL_CHECKS,
    jobs=[index_files_job, purge_files_job, health_job],
    resources=RESOURCES,
    executor=dg.in_process_executor,
)
