"""One extractor per kind of file, run in isolated worker processes."""
