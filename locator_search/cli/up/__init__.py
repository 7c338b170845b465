"""The local start, and what watches over it."""
