"""Phrases of several words, and the one word that each of them is read as."""
