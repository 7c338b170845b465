"""The processes that read files, apart from the product and under limits."""
