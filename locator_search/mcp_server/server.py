"""The tools, the resource and the prompt, registered with the SDK. Every failure becomes one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError

from locator_search.core.errors import LocatorError
from locator_search.drive_search.questions import MAX_QUESTION_LENGTH
from locator_search.mcp_server import texts
from locator_search.mcp_server.callers import Callers
from locator_search.mcp_server.index_tools import FOUND_DOCUMENTS, IndexTools, UnknownDocument
from locator_search.mcp_server.schemas import EvidenceAnswer, EvidenceFilters, FetchedDocument, SearchAnswer

NAME = "document-locator"

READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Query = Annotated[str, Field(description=texts.QUERY.format(longest=MAX_QUESTION_LENGTH))]
ErrorWording = Callable[[LocatorError], str]
Reading = Callable[[], AbstractContextManager[None]]


class LocatorServer(MCPServer[Any]):
    """An MCP server whose tools refuse in one sentence: the SDK puts its own words before ours, and many lines about
    arguments that do not fit."""

    def __init__(self, wrong_arguments: str, callers: Callers | None) -> None:
        super().__init__(
            NAME,
            title="Document Locator",
            instructions=texts.INSTRUCTIONS,
            version=version("document-locator"),
            token_verifier=callers,
            auth=callers.auth if callers else None,
        )
        self._wrong_arguments = wrong_arguments

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(self._wrong_arguments.format(problems=_problems(cause))) from cause
            if isinstance(cause, ToolError):
                raise cause from None
            raise


def make_server(
    tools: IndexTools, wording: ErrorWording, wrong_arguments: str, callers: Callers | None = None
) -> MCPServer[Any]:
    """An MCP server that registers these tools. `wording` words an error so that it may leave this machine. With
    `callers`, each call over HTTP is answered for the person who makes it; else, all for whoever reads already."""
    server = LocatorServer(wrong_arguments, callers)
    reading = callers.reading if callers else nullcontext
    _add_tools(server, tools, wording, reading)
    _add_documents(server, tools, wording, reading)
    _add_prompt(server)
    return server


def _add_tools(server: MCPServer[Any], tools: IndexTools, wording: ErrorWording, reading: Reading) -> None:
    @contextmanager
    def errors_as_answers() -> Iterator[None]:
        try:
            with reading():
                yield
        except LocatorError as error:
            raise ToolError(wording(error)) from error

    @server.tool(
        title="Search documents",
        description=texts.SEARCH.format(limit=FOUND_DOCUMENTS),
        annotations=READS_ONLY,
    )
    def search(query: Query) -> SearchAnswer:
        with errors_as_answers():
            return tools.search(query)

    @server.tool(title="Read a document", description=texts.FETCH, annotations=READS_ONLY)
    def fetch(id: Annotated[str, Field(description=texts.ID)]) -> FetchedDocument:
        with errors_as_answers():
            return tools.fetch(id)

    @server.tool(title="Find evidence", description=texts.GET_EVIDENCE, annotations=READS_ONLY)
    def get_evidence(
        query: Query,
        top_k: Annotated[int, Field(ge=1, le=20, description=texts.TOP_K)] = 8,
        document_ids: Annotated[
            list[str] | None, Field(min_length=1, max_length=100, description=texts.DOCUMENT_IDS)
        ] = None,
        filters: Annotated[EvidenceFilters | None, Field(description=texts.FILTERS)] = None,
    ) -> EvidenceAnswer:
        with errors_as_answers():
            return tools.get_evidence(query, top_k, document_ids, filters)


def _add_documents(server: MCPServer[Any], tools: IndexTools, wording: ErrorWording, reading: Reading) -> None:
    @server.resource(
        "locator://document/{id}{?part}",
        name="document",
        title="Document text",
        description=texts.DOCUMENT,
        mime_type="text/plain",
    )
    def document(id: str, part: str = "") -> str:
        try:
            with reading():
                return tools.fetch(f"{id}#part={part}" if part else id).text
        except UnknownDocument as error:
            raise ResourceNotFoundError(wording(error)) from error
        except LocatorError as error:
            raise ResourceError(wording(error)) from error


def _add_prompt(server: MCPServer[Any]) -> None:
    @server.prompt(title="Find the document that answers a question", description=texts.FIND_DOCUMENT)
    def find_document(question: Annotated[str, Field(description=texts.QUESTION)]) -> str:
        return texts.FIND_DOCUMENT_PROMPT.format(question=question)


def _problems(error: ValidationError) -> str:
    found = (f"{'.'.join(str(name) for name in each['loc'])}: {each['msg']}" for each in error.errors())
    return "; ".join(found)
