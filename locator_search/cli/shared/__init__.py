"""Output, texts and signals of all commands."""
