"""Document Locator: finds the one document a person needs."""
