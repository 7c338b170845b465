"""Parts of Dagster's start that a crawl by command never calls: Alembic, which makes and upgrades Dagster's tables, the
daemon, of which the storages need one module of types, and paths of file systems elsewhere, of which an instance makes
one for components. The first two are a tenth of that start each, the last is half as much.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_ALEMBIC = (
    "alembic",
    "alembic.command",
    "alembic.config",
    "alembic.runtime",
    "alembic.runtime.environment",
    "alembic.runtime.migration",
    "alembic.script",
)
"""What Dagster's storages import of it, and the packages they are in."""
_PATHS = "upath"
"""The package of the last, with fsspec behind it."""
_DAEMON = "dagster._daemon"
"""The package, which imports every daemon there is."""


class _StandIn(ModuleType):
    """In the place of a module until something of it is called."""

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self.__name__, name)


class _Later:
    """A class or function of such a module, which is imported when this is called or looked into."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._imported()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._imported(), name)

    def _imported(self) -> Any:
        module, name = self._place
        for each in (_PATHS,) if module == _PATHS else _ALEMBIC:
            if isinstance(sys.modules.get(each), _StandIn):
                del sys.modules[each]
        return getattr(import_module(module), name)


class _LaterPath(_Later):
    """The class of paths. One that is made is made when it is looked into, or another is made of it."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return _Path(lambda: self._imported()(*arguments, **named))


class _Path:
    """A path until it is used."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)

    def __truediv__(self, further: str) -> Any:
        return self._make() / further


class _Package(ModuleType):
    """A package whose modules can be imported, and which is itself imported when one of its names is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def put_off_imports() -> None:
    """Have them imported when they are called. Before Dagster is imported; afterwards nothing is gained."""
    if "dagster" in sys.modules:
        return
    for name in _ALEMBIC:
        sys.modules[name] = module = _StandIn(name)
        package, _, short = name.rpartition(".")
        if package:
            setattr(sys.modules[package], short, module)
    sys.modules[_PATHS] = paths = _StandIn(_PATHS)
    paths.UPath = _LaterPath(_PATHS, "UPath")  # type: ignore[attr-defined]
    dagster = find_spec("dagster")
    sys.modules[_DAEMON] = daemon = _Package(_DAEMON)
    daemon.__path__ = [f"{place}/_daemon" for place in (dagster and dagster.submodule_search_locations) or ()]
