"""`servers.yaml`: every service as data. Unknown keys are refused, so a misspelt one is not silently without effect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from locator_search.adapters.mcp_services.templates import checked_template
from locator_search.adapters.mcp_services.texts import ServersTexts
from locator_search.core.errors import ConfigurationError, ServiceMisconfigured
from locator_search.core.reader import principal
from locator_search.core.service_faults import ServiceFault
from locator_search.locales import Language
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import ServiceSearch

DEFAULT_SERVERS = Path(__file__).with_name("servers.yaml")
"""The configuration that comes with the product."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")

Seconds = Annotated[float, Field(gt=0, le=600)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
Template = Annotated[str, AfterValidator(checked_template)]
Scalar = Template | int | float | bool
Arguments = dict[str, Scalar | list[Scalar]]


def _checked_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} cannot be read: {error}") from None
    return pattern


Pattern = Annotated[str, AfterValidator(_checked_pattern)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Transport(_Model):
    """A program that speaks MCP over stdin and stdout, or the address of a server that speaks it over HTTP."""

    command: str = Field("", description="The program; ${PYTHON} is the Python this product runs in.")
    url: str = Field("", description="An address, https but on this machine. It is signed in to where it asks for it.")
    headers: dict[str, str] = Field({}, description="Of every request to the address; write secrets as ${NAME}.")
    args: list[str] = []
    env: dict[str, str] = Field({}, description="Its environment. What is empty in the end is not passed on.")
    cwd: str | None = None
    install: str = Field("", description="How to get the program: told where it is not found.")

    @model_validator(mode="after")
    def _one_way(self) -> Transport:
        if bool(self.command) == bool(self.url):
            raise ValueError("exactly one of `command` and `url` is needed")
        if self.url and not _is_safe(self.url):
            raise ValueError("`url` must begin with https:// (http:// is for this machine alone)")
        return self


def _is_safe(url: str) -> bool:
    """Whether tokens may travel there; an address that is a variable is judged when it is known."""
    try:
        parts = urlsplit(url)
        return (
            url.startswith("${") or parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        )
    except ValueError:
        return False


class Syntax(_Model):
    """How queries are written. Several sources are joined; those of the live server are read when it starts."""

    text: str = ""
    tool_description: bool = Field(False, description="The description of the search tool.")
    resource: str | None = Field(None, description="The URI of a resource of the server.")


class Rows(_Model):
    """How the rows of an answer are told apart."""

    format: Literal["any", "json", "csv", "regex", "text"] = Field(
        "text",
        description="text: the whole answer is one row with the field `text`. any: rows are found in whatever comes,"
        " each with `title`, `snippet`, `uri`, `modified` and `text`.",
    )
    items: str = Field("", description="json: the path of the list, e.g. `data.items`. A single object is one row.")
    pattern: Pattern = Field("", description="regex: its named groups are the fields; every match is a row.")

    @model_validator(mode="after")
    def _pattern_fits(self) -> Rows:
        if (self.format == "regex") != bool(self.pattern):
            raise ValueError("`pattern` is needed by the format regex, and only there")
        return self


class Result(Rows):
    """The parts of a hit. Each is a template (Jinja2) over `item`, the fields of a row, and `query`."""

    skip_if: Template = Field(
        "", description="Rows for which this gives anything but nothing, false or 0 are left out."
    )
    nothing: Template = Field("", description="The answer of a search that found nothing; numbers in it do not count.")
    kind: Template = Field(
        "", description="Of the hit, where one search finds several kinds. Else the kind of the search."
    )
    title: Template
    snippet: Template = ""
    uri: Template = Field(description="The link, or path, that a person opens.")
    modified: Template = Field("", description="When it was changed last, in ISO 8601; compared with what is indexed.")


class Search(_Model):
    """A tool that searches for one kind of thing."""

    tool: str
    args: Arguments = Field(description="Templates over `query` and `max_results`.")
    syntax: Syntax = Syntax()
    understands_or: bool = Field(False, description="Whether alternatives may be joined with OR.")
    operators: dict[Literal["repository", "channel", "person"], str] = Field(
        {},
        description="What is written directly before such a name. Without any, and without OR, the search is taken to"
        " look for one piece of text, and the stand-in of the model puts the words of a question one by one.",
    )
    addresses: Pattern = Field(
        "", description="Links and names the search finds as they are: those of a question or a text that was found."
    )
    result: Result

    def offered(self, kind: str, syntax: str) -> ServiceSearch:
        """The search of this kind, as callers know it."""
        return ServiceSearch(kind, syntax, self.understands_or, dict(self.operators.items()), self.addresses)


class Text(Rows):
    """The body out of the answer: every row through the template, joined."""

    template: Template = "{{ item.text }}"
    join: str = "\n"


class Fetch(_Model):
    """How the body of a hit is read: by a tool, or as a resource."""

    tool: str | None = None
    args: Arguments = Field({}, description="Templates over `item`, the row of the hit.")
    read_resource: Template | None = Field(None, description="A template that gives the URI of the resource.")
    text: Text = Text()

    @model_validator(mode="after")
    def _one_way(self) -> Fetch:
        if (self.tool is None) == (self.read_resource is None):
            raise ValueError("exactly one of `tool` and `read_resource` is needed")
        return self


class Limits(_Model):
    """Times in seconds, sizes in characters."""

    start_seconds: Seconds = 30
    search_seconds: Seconds = 10
    fetch_seconds: Seconds = 10
    max_chars: Annotated[int, Field(ge=100, le=200_000)] = Field(8000, description="Of one body.")
    calls_at_once: Annotated[int, Field(ge=1, le=32)] = 4


class ServerEntry(_Model):
    """One service."""

    label: str
    enabled: bool = True
    readers: list[Annotated[str, AfterValidator(principal)]] = Field(
        [],
        description="With LOCATOR_PERMISSIONS, who is shown what it finds: mail address, group:MAIL, @DOMAIN, anyone.",
    )
    added: bool = Field(False, description="Whether `live add` described it, and can do so again.")
    credentials: list[list[str]] = Field(
        [],
        description="Sets of variables; with none of them complete it is off, or a mock where no service is real.",
    )
    transport: Transport
    mock: Transport | None = Field(None, description="A server with made-up data that has the same tools.")
    syntax: Syntax = Field(Syntax(), description="For all its searches.")
    searches: dict[Name, Search] = Field(min_length=1)
    fetch: dict[Name, Fetch | Literal["snippet"]] = Field(
        {}, description="By kind of hit. For other kinds the snippet is all there is."
    )
    rate_limit: list[Pattern] = Field([], description="Further patterns that mean: asked too often.")
    limits: dict[Literal["start_seconds", "search_seconds", "fetch_seconds", "max_chars", "calls_at_once"], float] = {}


class ServersFile(_Model):
    """The whole file. Keys of the top level that begin with `x-` are for YAML anchors."""

    version: Literal[1]
    question_seconds: Seconds = Field(20, description="One search, or one reading of bodies, of all services together.")
    patience_seconds: Annotated[float, Field(ge=0, le=600)] = Field(
        3, description="So long are servers waited for that still start when another is ready."
    )
    defaults: Limits = Limits()
    servers: dict[Name, ServerEntry]

    @model_validator(mode="before")
    @classmethod
    def _without_anchors(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        return {key: value for key, value in values.items() if not str(key).startswith("x-")}

    def limits_of(self, entry: ServerEntry) -> Limits:
        """The limits of one server. Raises ValidationError."""
        return Limits.model_validate({**self.defaults.model_dump(), **entry.limits})

    @model_validator(mode="after")
    def _limits_fit(self) -> ServersFile:
        for entry in self.servers.values():
            self.limits_of(entry)
        return self


def load_servers(path: Path | None = None, language: Language = "ja") -> ServersFile:
    """A configuration, by default the one of the product. Raises ConfigurationError with everything wrong in it."""
    path = path or DEFAULT_SERVERS
    try:
        return _checked(path, _tree(path))
    except ServiceMisconfigured as error:
        hint = ServersTexts.of(language).like_that_of_the_program.format(path=DEFAULT_SERVERS)
        raise ConfigurationError(fault_sentence(error.fault, language), hint) from None


def added_servers(folder: Path) -> tuple[dict[str, ServerEntry], dict[str, ServiceFault]]:
    """The services that the `*.yaml` of a folder describe, and the fault of each that cannot be used.

    A file that cannot be read at all counts as one service, of the name of the file.
    """
    entries: dict[str, ServerEntry] = {}
    broken: dict[str, ServiceFault] = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            parts = _one_by_one(path)
        except ServiceMisconfigured as error:
            parts, broken[path.stem] = {}, error.fault
        for name, tree in parts.items():
            try:
                entries |= _checked(path, tree).servers
            except ServiceMisconfigured as error:
                broken[name] = error.fault
    return entries, {name: ServiceFault("file_left_out", {"name": name, "problem": broken[name]}) for name in broken}


def _one_by_one(path: Path) -> dict[str, dict[str, Any]]:
    """A configuration for each service of a file. Raises ServiceMisconfigured."""
    tree = _tree(path)
    servers = tree.get("servers") if isinstance(tree, Mapping) else None
    if not isinstance(servers, Mapping):
        _checked(path, tree)
        return {}
    return {str(name): {**tree, "servers": {name: entry}} for name, entry in servers.items()}


def _tree(path: Path) -> Any:
    """The content of a file. Raises ServiceMisconfigured."""
    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise ServiceMisconfigured("file_unread", path=str(path), detail=str(error.strerror)) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ServiceMisconfigured("file_no_yaml", path=f"{path}:{line}", detail=str(error.problem)) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ServiceMisconfigured("file_no_yaml", path=str(path), detail=" ".join(str(error).split())) from None


def _checked(path: Path, tree: Any) -> ServersFile:
    """Raises ServiceMisconfigured with everything that is wrong."""
    try:
        return ServersFile.model_validate(tree)
    except ValidationError as error:
        raise ServiceMisconfigured("file_wrong", path=str(path), detail=problems_in(error)) from None


def problems_in(error: ValidationError) -> str:
    """Everything that is wrong, each with its place and without its value, which may be a secret."""
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'file'}: {each['msg']}" for each in error.errors())
