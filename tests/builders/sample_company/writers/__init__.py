"""One writer per format: blocks in, the bytes of a file out."""
