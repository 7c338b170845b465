"""The `document-locator` command."""
