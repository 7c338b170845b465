"""Seams of X search."""
