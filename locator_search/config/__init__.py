"""What is set: settings, folders, logging, synonyms, bundled files."""
