"""X: its search, and the recorded sample that stands in for it."""
