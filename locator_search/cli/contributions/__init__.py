"""Commands of contributions."""
