"""The file index as Dagster assets: one partition per file, five stages."""
