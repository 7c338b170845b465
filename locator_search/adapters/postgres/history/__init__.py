"""What was done and paid: searches, feedback, usage, batches, remembered answers."""
