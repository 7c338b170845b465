"""A server that nobody described becomes a service."""
