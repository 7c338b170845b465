"""Meetings, their contributions, and the analyses of them."""
