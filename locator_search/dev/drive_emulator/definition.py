"""The Drive v3 API as Google defines it: methods, parameters and the fields of every answer.

Read from the definition that google-api-python-client brings along, so that the emulator knows exactly the
parameters, defaults and field names the client knows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from locator_search.core.errors import ConfigurationError

Schema = dict[str, Any]


@dataclass(frozen=True)
class ApiMethod:
    """One method, `files.list` for instance."""

    id: str
    http_method: str
    path: re.Pattern[str]
    parameters: dict[str, Schema]
    response: str | None


class ApiDefinition:
    """Finds methods by request and fields by schema."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.schemas: dict[str, Schema] = document["schemas"]
        # `files/generateIds` must be tried before `files/{fileId}`.
        self._methods = sorted(_methods(document), key=lambda method: method.path.groups)

    def match(self, http_method: str, path: str) -> tuple[ApiMethod, dict[str, str]] | None:
        """The method that a request below `/drive/v3/` means, with the values in its path."""
        for method in self._methods:
            found = method.path.fullmatch(path)
            if found and method.http_method == http_method:
                return method, found.groupdict()
        return None

    def field(self, schema: Schema, name: str) -> Schema | None:
        """The schema of a field, lists seen through to their elements; None where there is no such field."""
        if "additionalProperties" in schema:
            return self._resolve(schema["additionalProperties"])
        found = schema.get("properties", {}).get(name)
        return None if found is None else self._resolve(found)

    def _resolve(self, schema: Schema) -> Schema:
        if "items" in schema:
            return self._resolve(schema["items"])
        return self.schemas[schema["$ref"]] if "$ref" in schema else schema


def _methods(resource: dict[str, Any]) -> Iterator[ApiMethod]:
    for method in resource.get("methods", {}).values():
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(method["path"]))
        yield ApiMethod(
            id=method["id"].removeprefix("drive."),
            http_method=method["httpMethod"],
            path=re.compile(pattern),
            parameters=method.get("parameters", {}),
            response=method.get("response", {}).get("$ref"),
        )
    for below in resource.get("resources", {}).values():
        yield from _methods(below)


@cache
def drive_api() -> ApiDefinition:
    """The definition of the installed client library."""
    try:
        document = files("googleapiclient") / "discovery_cache" / "documents" / "drive.v3.json"
        return ApiDefinition(json.loads(document.read_text(encoding="utf-8")))
    except (ImportError, OSError):
        raise ConfigurationError(
            "The Drive emulator needs google-api-python-client, which is not installed.",
            hint="Install it with: pip install google-api-python-client",
        ) from None
