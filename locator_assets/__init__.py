"""The Dagster code location: files become assets, one partition per file."""
