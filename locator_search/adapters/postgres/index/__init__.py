"""The index: its rows, their statistics, the registry of files and their upkeep."""
