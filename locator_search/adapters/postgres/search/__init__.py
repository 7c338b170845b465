"""How an index is searched: by words, by vectors, and by both."""
