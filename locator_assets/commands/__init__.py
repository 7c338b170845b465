"""Commands that stand for a click in the Dagster UI."""
