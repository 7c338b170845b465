"""What both families of assets share: specs by stage, workers, and what Dagster is told of a pass."""
