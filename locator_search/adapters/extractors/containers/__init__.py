"""Files that hold files: ZIP archives and e-mail messages."""
