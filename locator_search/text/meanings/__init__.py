"""Meanings of words, however they are written: numbers, years, quarters, company forms."""
