"""Markdown of others, parsed to what is allowed and written anew from that: nothing in it can become active."""
