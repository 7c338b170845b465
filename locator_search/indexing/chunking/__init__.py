"""Documents cut into chunks: at headings, and by the strategies for contributions."""
