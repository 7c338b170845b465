"""One call of an API method, with its parameters read by the API definition; and the answers to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from locator_search.dev.drive_emulator.definition import ApiMethod, Schema, drive_api
from locator_search.dev.drive_emulator.errors import invalid_parameter, required
from locator_search.dev.drive_emulator.fields import Mask, check_mask, parse_mask

JSON_TYPE = "application/json; charset=UTF-8"

# Names from before "team drives" were renamed, which are still accepted.
_OLD_NAMES = {
    "driveId": "teamDriveId",
    "supportsAllDrives": "supportsTeamDrives",
    "includeItemsFromAllDrives": "includeTeamDriveItems",
}
# "The maximum value is 1000; values above 1000 will be coerced to 1000": so for page sizes only.
_COERCED = "pageSize"


@dataclass(frozen=True)
class JsonAnswer:
    """A JSON document, of which the client sees what its mask lets through."""

    document: dict[str, Any]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BytesAnswer:
    """Bytes from `start` up to and not including `end`, of a memory or a file."""

    content: bytes | Path
    mime_type: str
    start: int
    end: int
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Answer = JsonAnswer | BytesAnswer


@dataclass(frozen=True)
class Call:
    """A method with the parameters of one request, and its headers by their names in lower case.

    Errors in parameters are raised as ApiError where they are read.
    """

    method: ApiMethod
    values: Mapping[str, str]
    headers: Mapping[str, str]

    def text(self, name: str) -> str | None:
        """A parameter, None where it was not given or is blank."""
        return self.values.get(name) or self.values.get(_OLD_NAMES.get(name, "")) or None

    def required_text(self, name: str) -> str:
        """A parameter that must be given."""
        if (value := self.text(name)) is None:
            raise required(name)
        return value

    def flag(self, name: str) -> bool:
        """A boolean parameter, with the default of the definition."""
        value = self.text(name) or str(self._schema(name).get("default", "false"))
        if value.lower() not in ("true", "false"):
            raise invalid_parameter(name, f"Invalid boolean value: '{value}'.")
        return value.lower() == "true"

    def number(self, name: str) -> int:
        """An integer parameter within its range, with the default of the definition."""
        schema = self._schema(name)
        value = self.values.get(name, str(schema["default"]))
        low, high = int(schema["minimum"]), int(schema["maximum"])
        try:
            number = int(value)
        except ValueError:
            raise invalid_parameter(name, f"Invalid value '{value}'. It must be an integer.") from None
        if number > high and name == _COERCED:
            return high
        if not low <= number <= high:
            raise invalid_parameter(name, f"Invalid value '{number}'. Values must be within the range: [{low}, {high}]")
        return number

    def mask(self, default: Mask) -> Mask:
        """The fields asked for, checked against the schema of the answer."""
        selector = self.values.get("fields")
        if selector is None:
            return default
        mask = parse_mask(selector)
        check_mask(mask, drive_api().schemas[self.method.response or ""])
        return mask

    def _schema(self, name: str) -> Schema:
        return self.method.parameters[name]
