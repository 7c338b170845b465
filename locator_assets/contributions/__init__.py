"""The asset group of contributions: one partition per contribution."""
