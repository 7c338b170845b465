"""The parts that all pages share."""
