"""Files that hold files: ZIP archives, messages and EPUB books."""
