"""The Dagster code location: everything `workspace.yaml` loads."""

from __future__ import annotations

import dagster as dg

from locator_assets.contributions.assets import index_contributions, index_contributions_job
from locator_assets.contributions.sensors import contribution_requests
from locator_assets.contributions.sync import sync_meetings_job
from locator_assets.drive.assets import index_files, index_files_job
from locator_assets.drive.checks import ALL_CHECKS, health_job, health_schedule
from locator_assets.drive.purge import purge_files_job
from locator_assets.drive.reconciliation import reconcile_job, reconcile_schedule
from locator_assets.drive.sensors import drive_changes
from locator_assets.resources import RESOURCES
from locator_assets.retention import retention_job, retention_schedule
from locator_assets.x_sessions import abandoned_x_sessions, expired_x_sessions, take_up_x_session_job

defs = dg.Definitions(
    assets=[index_files, index_contributions],
    asset_checks=ALL_CHECKS,
    jobs=[
        index_files_job,
        purge_files_job,
        reconcile_job,
        health_job,
        retention_job,
        index_contributions_job,
        sync_meetings_job,
        take_up_x_session_job,
    ],
    sensors=[drive_changes, contribution_requests, expired_x_sessions, abandoned_x_sessions],
    schedules=[reconcile_schedule, health_schedule, retention_schedule],
    resources=RESOURCES,
    executor=dg.in_process_executor,  # or the UI's own runs would start a process per step
)
