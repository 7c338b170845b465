"""X search: sessions of at least six queries over posts on X, scored, resumable, answered with cited posts."""
