"""From a query to evidence."""
