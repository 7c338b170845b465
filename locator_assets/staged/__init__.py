"""The parts that both families of assets share: specs by stage, workers, and the events of a pass."""
