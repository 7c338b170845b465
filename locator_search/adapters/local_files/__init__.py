"""A plain folder as a source, and files that the product keeps in its home."""
