"""Comparisons of a claim with a sentence near it: bounds, conditions, opposites, partners, whether it is settled."""
