"""The page of contributions."""
