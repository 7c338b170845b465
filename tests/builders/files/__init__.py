"""Small real files, made by our own code, each showing one thing an extractor must get right."""
