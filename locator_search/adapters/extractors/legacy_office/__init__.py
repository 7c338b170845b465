"""Word, Excel and PowerPoint 97-2003, and Rich Text."""
