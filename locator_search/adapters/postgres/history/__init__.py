"""The history: searches, feedback, usage, batches, remembered answers."""
