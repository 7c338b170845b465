"""Live services: what they can do, what is asked of them, what they answer or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from locator_search.core.errors import ServiceFailureReason
from locator_search.core.service_faults import ServiceFault

Age = Literal["same", "live_newer", "index_newer", "unknown"]
"""How a document of a service compares with its copy in the index."""


ServiceScope = Literal["everything", "indexed", "nothing"]
"""How far a service is open to whoever asks: `indexed`, for files alone that the index knows and lets them read."""


@dataclass(frozen=True, slots=True)
class ServiceFailure:
    """Why a service, or one call of it, gave nothing: the sort of thing, and the thing itself, without secrets."""

    reason: ServiceFailureReason
    fault: ServiceFault


@dataclass(frozen=True, slots=True)
class ServiceSearch:
    """One kind of thing a service is searched for, e.g. file, message, issue, pull_request, code.

    `syntax` says how its queries are written, in the words of the live server where it has some. `understands_or` is
    whether alternatives may be joined with OR. `operators` are what is written directly before the name of a
    repository, a channel or a person. `addresses` is a pattern of links and names that are a query as they stand.
    """

    kind: str
    syntax: str
    understands_or: bool = False
    operators: Mapping[str, str] = field(default_factory=dict)
    addresses: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """A live system behind an MCP server, as it stands now: it can be searched unless there is a `failure`.

    With `mock`, made-up data answer; `missing` names the settings for want of which they do (empty where they were
    asked for). `problems` is what of its configuration its server does not offer: those kinds are not among the
    `searches`, or have no bodies. `program` is what its server is started with, without arguments. `readers` are whom
    an administrator opens it to where people have permissions, `scope` is how far that is for whoever asks.
    """

    name: str
    label: str
    searches: tuple[ServiceSearch, ...]
    mock: bool = False
    missing: tuple[str, ...] = ()
    failure: ServiceFailure | None = None
    problems: tuple[ServiceFault, ...] = ()
    program: str = ""
    readers: tuple[str, ...] = ()
    scope: ServiceScope = "everything"


@dataclass(frozen=True, slots=True)
class ServiceQuery:
    """A query to a service, for one kind of thing."""

    service: str
    kind: str
    query: str


@dataclass(frozen=True, slots=True)
class ServiceHit:
    """One thing a service found, from parsed fields of its answer only.

    `uri` is the link (http, https) or path a person opens; empty where there is none, and `name` is then what its
    service knows it by. `fetch` is what the gateway needs to read the body. `modified` is when it was changed last, in
    ISO 8601, where the service says so.
    """

    service: str
    kind: str
    title: str
    snippet: str
    uri: str
    fetch: Mapping[str, Any] = field(default_factory=dict)
    modified: str = ""
    name: str = ""

    @property
    def place(self) -> str:
        """The mark that tells it from all other hits; empty for one that nobody could find again."""
        return self.uri or (f"{self.service}:{self.name}" if self.name else "")


@dataclass(frozen=True, slots=True)
class SearchReply:
    """The answer to one query: hits in the order of the service, or a failure."""

    query: ServiceQuery
    hits: tuple[ServiceHit, ...] = ()
    failure: ServiceFailure | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FetchReply:
    """The body of one hit, empty where the service has none for its kind, or why it could not be read."""

    hit: ServiceHit
    text: str = ""
    failure: ServiceFailure | None = None
    seconds: float = 0.0
