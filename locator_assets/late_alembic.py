"""Alembic makes and upgrades Dagster's tables. Dagster imports it with every start, at the price of a tenth of that
start; a command that finds the tables as they should be never calls it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_MODULES = (
    "alembic",
    "alembic.command",
    "alembic.config",
    "alembic.runtime",
    "alembic.runtime.environment",
    "alembic.runtime.migration",
    "alembic.script",
)
"""What Dagster's storages import of it, and the packages they are in."""


class _StandIn(ModuleType):
    """In the place of a module of Alembic until something of it is called."""

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self.__name__, name)


class _Later:
    """A class or function of Alembic, which is imported when this is called or looked into."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._imported()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._imported(), name)

    def _imported(self) -> Any:
        module, name = self._place
        for each in _MODULES:
            if isinstance(sys.modules.get(each), _StandIn):
                del sys.modules[each]
        return getattr(import_module(module), name)


def put_off_alembic() -> None:
    """Have it imported when it is called. Before Dagster is imported; afterwards nothing is gained."""
    if "alembic" in sys.modules:
        return
    for name in _MODULES:
        sys.modules[name] = module = _StandIn(name)
        package, _, short = name.rpartition(".")
        if package:
            setattr(sys.modules[package], short, module)
