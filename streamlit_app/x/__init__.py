"""The page of X search."""
