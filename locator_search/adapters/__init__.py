"""The outside world, one file or folder per system."""
