"""SQL statements by name, out of the `.sql` file beside the module that runs them.

A statement begins with `-- name: NAME`; the comment below says what it does and returns. Values are named: `%(key)s`.
"""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

HEADER = re.compile(r"^-- name: (\w+)\n(?:--.*\n)*", re.MULTILINE)


class Statements:
    """The statements of one file as attributes. Raises AttributeError for a name that is not there."""

    def __init__(self, file_name: str, text: str) -> None:
        _, *parts = HEADER.split(text)
        if twice := [name for name, count in Counter(parts[::2]).items() if count > 1]:
            raise ValueError(f"{file_name} names a statement twice: {', '.join(twice)}.")
        self.file_name = file_name
        self.by_name = {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
        vars(self).update(self.by_name)

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"{self.file_name} has no statement named {name!r}.")


def statements(module: str) -> Statements:
    """Those of a module, by its `__name__`: the file beside it with the same name."""
    package, _, name = module.rpartition(".")
    return Statements(f"{name}.sql", files(package).joinpath(f"{name}.sql").read_text("utf-8"))
