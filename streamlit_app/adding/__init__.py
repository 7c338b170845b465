"""The page on which a person adds a folder or connects Google Drive."""
