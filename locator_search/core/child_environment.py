"""The environment of child processes that handle what others wrote: where things are, and nothing else.

A list of what is allowed, so that a key nobody thought of stays out.
"""

from __future__ import annotations

import os

ALLOWED = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


def bare_environment(*also: str, **more: str) -> dict[str, str]:
    """The variables of this process that any child may see and those named in `also`, and `more`."""
    return {name: os.environ[name] for name in (*ALLOWED, *also) if name in os.environ} | more
