"""The page of the search."""
