"""Sessions of X search."""
