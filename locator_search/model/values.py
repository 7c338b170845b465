"""Values that have no shape of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

# A string, so that commands that compute nothing need not import NumPy.
Vector: TypeAlias = "NDArray[float32]"
