"""What PostgreSQL is told about the statements of a retrieval, because its planner cannot know what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from locator_search.adapters.postgres.server.database import Connection

# The planner takes a vector comparison for as cheap as that of two numbers; told that workers are cheap, it lets
# several of them share a large scan. Hash joins of workers need more shared memory than small containers have.
PLANNING = """
SET LOCAL jit = off;
SET LOCAL work_mem = '64MB';
SET LOCAL parallel_setup_cost = 100;
SET LOCAL parallel_tuple_cost = 0.001
"""


@contextmanager
def by_index(connection: Connection) -> Iterator[None]:
    """For statements that look for terms: they do so by their indexes.

    To compare the terms of one text costs ten thousand times what the planner takes it for (35 microseconds): left to
    itself it compares those of all texts of a small index, or of one that was just filled, in 0.3 s instead of 0.01.
    """
    connection.execute("SET LOCAL enable_seqscan = off")
    yield
    connection.execute("SET LOCAL enable_seqscan TO DEFAULT")


@contextmanager
def without_workers(connection: Connection) -> Iterator[None]:
    """For statements that are done before a worker has started, which takes 4 ms."""
    connection.execute("SET LOCAL max_parallel_workers_per_gather = 0")
    yield
    connection.execute("SET LOCAL max_parallel_workers_per_gather TO DEFAULT")
