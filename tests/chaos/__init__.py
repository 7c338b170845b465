"""Finds the next fault before a user does: real crawls and servers are struck, and what is left is held to account.

    make chaos ARGS="--seeds 50"

A seed chooses the fault, the folder and the moment. The scenario is played with real processes, a real PostgreSQL and a
real Dagster over a generated folder and a home of its own; after at most one further crawl the index has to be the one
that a crawl without faults makes. `docs/operations.md` says how to read the table.
"""
