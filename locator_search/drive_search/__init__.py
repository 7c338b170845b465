"""The branching search over the index."""
