"""Who answers for what Dagster shows."""

import warnings

import dagster as dg

OWNERS = ["team:document-locator"]

# Owners of jobs, sensors and schedules are new in Dagster: it would say so of each, at every start of a process.
warnings.filterwarnings("ignore", "Parameter `owners`", dg.BetaWarning)
