"""Threads that compute do so one at a time.

Python runs one of them at a time anyway, and `regex` gives up Python's own lock at each match: several that compute
hand it to each other thousands of times a file, which costs more than a quarter of the processor time of a crawl.
Threads that wait for a model, a disk or the database are not meant; neither is a question, for which somebody waits.
"""

from __future__ import annotations

from threading import Lock

COMPUTING = Lock()
"""Held while the text of a file is worked on, never while something is waited for."""
