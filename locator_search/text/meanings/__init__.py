"""What words mean, however they are written: numbers, years, quarters, company forms."""
