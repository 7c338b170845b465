"""Word, Excel and PowerPoint since 2007, and OpenDocument."""
