"""What stands in front of the pages."""
