"""The embedded server: its programs, who may run them, its locks, and what a database is saved to and restored from."""
