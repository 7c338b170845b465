"""Commands that answer one question each with a number."""
