"""X search in a terminal."""
