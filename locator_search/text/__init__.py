"""Text as such: normalisation, terms, dates, snippets. Pure."""
