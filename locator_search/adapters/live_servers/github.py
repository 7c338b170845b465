"""GitHub as an MCP server: issues, pull requests and code, searched and read with the tool names of GitHub's own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from locator_search.adapters.live_servers.github_client import API, JSON, TEXT_MATCHES, GitHubClient
from locator_search.adapters.live_servers.serving import READS_ONLY, errors_as_answers, new_server, serve
from locator_search.adapters.live_servers.syntaxes import GITHUB_SYNTAX
from locator_search.core.errors import ConfigurationError, FileGone

MOST_COMMENTS = 30
MOST_FILES = 50
LONGEST_TEXT, LONGEST_EXCERPT = 60_000, 600
"""Characters."""

_PLACE = r"([\w-]+/[\w.-]+)"
_ADDRESS = re.compile(rf"(?:https?://[\w.-]+/)?{_PLACE}(?:#|/issues/|/pull/)(\d+)\b", re.ASCII)
_IN_REPOSITORY = re.compile(rf"(?=.*\brepo:{_PLACE}).*(?<!\S)#(\d+)\b", re.ASCII)

Json = Mapping[str, Any]
Query = Annotated[str, Field(description="In GitHub's search syntax; see syntax://issue and syntax://code.")]
PerPage = Annotated[int, Field(ge=1, le=100)]


def make_server(client: GitHubClient) -> MCPServer[Any]:
    """A server that asks this client."""
    server = new_server("document-locator-github", GITHUB_SYNTAX)
    _add_searches(server, client)
    _add_readers(server, client)
    return server


def _add_searches(server: MCPServer[Any], client: GitHubClient) -> None:
    @server.tool(description="Search issues.", annotations=READS_ONLY)
    def search_issues(query: Query, perPage: PerPage = 3) -> dict[str, Any]:
        return issues(f"{query} is:issue", perPage)

    @server.tool(description="Search pull requests.", annotations=READS_ONLY)
    def search_pull_requests(query: Query, perPage: PerPage = 3) -> dict[str, Any]:
        return issues(f"{query} is:pr", perPage)

    @server.tool(description="Search code and other files.", annotations=READS_ONLY)
    def search_code(query: Query, perPage: PerPage = 3) -> dict[str, Any]:
        with errors_as_answers():
            found = client.get("search/code", TEXT_MATCHES, q=query, per_page=perPage)
            return _listed(found, _code_row)

    def issues(query: str, most: int) -> dict[str, Any]:
        with errors_as_answers():
            if named := _ADDRESS.match(query) or _IN_REPOSITORY.match(query):
                return _one(client, query, f"repos/{named[1]}/issues/{named[2]}")
            # Parentheses and OR are understood by the advanced search only.
            found = client.get("search/issues", JSON, q=query, per_page=most, advanced_search="true")
            return _listed(found, _issue_row)


def _add_readers(server: MCPServer[Any], client: GitHubClient) -> None:
    @server.tool(description="Read an issue with its comments.", annotations=READS_ONLY)
    def issue_read(owner: str, repo: str, issue_number: int, method: str = "get") -> dict[str, Any]:
        with errors_as_answers():
            return _thread(client, f"repos/{owner}/{repo}/issues/{issue_number}")

    @server.tool(description="Read a pull request with its comments and the files it changes.", annotations=READS_ONLY)
    def pull_request_read(owner: str, repo: str, pullNumber: int, method: str = "get") -> dict[str, Any]:
        with errors_as_answers():
            changed = client.get(f"repos/{owner}/{repo}/pulls/{pullNumber}/files", per_page=MOST_FILES)
            thread = _thread(client, f"repos/{owner}/{repo}/issues/{pullNumber}")
            return {**thread, "files": [str(each.get("filename", "")) for each in changed]}

    @server.tool(description="Read a text file of a repository.", annotations=READS_ONLY)
    def get_file_contents(owner: str, repo: str, path: str, ref: str = "") -> dict[str, Any]:
        with errors_as_answers():
            at = {"ref": ref} if ref else {}
            text = client.text(f"repos/{owner}/{repo}/contents/{path.lstrip('/')}", **at)
            return {"path": path, "text": text[:LONGEST_TEXT]}


def _one(client: GitHubClient, query: str, path: str) -> dict[str, Any]:
    """The issue or pull request that a query names; nothing where it names one of the other kind, or none there is."""
    try:
        issue = client.get(path)
    except FileGone:
        return {"total_count": 0, "items": []}
    is_wanted = ("pull_request" in issue) == query.endswith("is:pr")
    return {"total_count": int(is_wanted), "items": [_issue_row(issue)] * is_wanted}


def _listed(found: Json, row: Any) -> dict[str, Any]:
    return {"total_count": found.get("total_count", 0), "items": [row(item) for item in found.get("items") or ()]}


def _issue_row(item: Json) -> dict[str, Any]:
    return {
        "number": item["number"],
        "title": item.get("title") or "",
        "state": item.get("state") or "",
        "updated_at": item.get("updated_at") or "",
        "html_url": item["html_url"],
        "body": (item.get("body") or "")[:LONGEST_EXCERPT],
    }


def _code_row(item: Json) -> dict[str, Any]:
    fragments = [str(match.get("fragment", "")) for match in item.get("text_matches") or ()]
    return {
        "path": item["path"],
        "html_url": item["html_url"],
        "repository": {"full_name": item["repository"]["full_name"]},
        "fragment": " … ".join(fragments)[:LONGEST_EXCERPT],
    }


def _thread(client: GitHubClient, path: str) -> dict[str, Any]:
    issue = client.get(path)
    comments = client.get(f"{path}/comments", per_page=MOST_COMMENTS) if issue.get("comments") else ()
    return {
        **_issue_row(issue),
        "body": (issue.get("body") or "")[:LONGEST_TEXT],
        "comments": [
            {"user": (each.get("user") or {}).get("login", ""), "body": (each.get("body") or "")[:LONGEST_TEXT]}
            for each in comments
        ],
    }


def main() -> None:
    """Serve with the token and address of the environment."""
    token = os.environ.get("GITHUB_PERSONAL_ACCESS_TOKEN", "")
    if not token:
        sys.exit("GITHUB_PERSONAL_ACCESS_TOKEN is not set.")
    try:
        client = GitHubClient(token, os.environ.get("GITHUB_API_URL") or API)
    except ConfigurationError as error:
        sys.exit(error.message)
    serve(make_server(client))


if __name__ == "__main__":
    main()
