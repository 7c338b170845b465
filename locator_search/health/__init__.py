"""The state of each part of the product, for doctor, status and the pages."""
