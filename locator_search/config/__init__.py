"""Configuration: settings, folders, logging, synonyms, bundled files."""
