"""The page that tells how things stand."""
