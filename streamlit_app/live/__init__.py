"""The page of the live search."""
