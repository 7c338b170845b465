"""Runs keep the errors they end with, and the UI shows them: no secret may be among their words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

import dagster as dg

from locator_search.core.masking import mask

P = ParamSpec("P")
Made = TypeVar("Made")


def without_secrets(compute: Callable[P, Iterator[Made]]) -> Callable[P, Iterator[Made]]:
    """Wrap the body of an asset so that an error whose words hold a secret is raised without it."""

    @functools.wraps(compute)
    def computing(*args: P.args, **kwargs: P.kwargs) -> Iterator[Made]:
        try:
            yield from compute(*args, **kwargs)
        except dg.Failure:
            raise
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            if mask(message) == message:
                raise
            raise RuntimeError(mask(message)) from None  # its traceback would quote the first one

    return computing
