"""Rerankers: a service over HTTP, the language model, or the words themselves."""
