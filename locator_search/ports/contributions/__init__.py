"""Seams of contributions."""
