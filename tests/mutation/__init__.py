"""Breaks the rules of money, deletion, branching and escaping one line at a time and expects a test to notice."""
