"""A part of the composition root: made on first use, once, by one thread at a time."""

from __future__ import annotations

from functools import cached_property
from threading import RLock
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")

MAKING_PARTS = RLock()
"""Held while a part is made. Making one imports modules, and threads that import modules of one package from several
sides can break it for as long as the process lives: to avoid a deadlock, Python shows one of them a half-loaded one."""


class part(cached_property[T]):  # noqa: N801 - a decorator, named as `property` is
    """A `cached_property` that no two threads make at once, whichever parts they ask for."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T:
        """The part, made now unless it was before. Raises what making it raises."""
        with MAKING_PARTS:
            return super().__get__(instance, owner)
