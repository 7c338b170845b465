"""Live search in a terminal."""
