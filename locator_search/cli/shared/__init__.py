"""What all commands print and catch."""
