"""Mock services: the tools of the real ones, by name and form of answer, over a few made-up things."""

from __future__ import annotations

import csv
import io
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from locator_search.adapters.live_servers import mock_data as data
from locator_search.adapters.live_servers.serving import READS_ONLY, new_server, serve
from locator_search.adapters.live_servers.syntaxes import DRIVE_SYNTAX, GITHUB_SYNTAX

_WORD = re.compile(r"[a-z0-9_]{2,}|[\u3400-\u9fff々]{2,}|[ァ-ヺー]{2,}")
_QUALIFIER = re.compile(r"\b(?:is|in|repo|path|from|after|before|type|state|language|during|on|org|user):\S+")
_OPERATORS = {"or", "and", "not", "contains", "fulltext", "name", "mimetype", "modifiedtime", "true", "false"}


def matching(rows: Iterable[data.Row], query: str, most: int) -> list[data.Row]:
    """The rows that hold a word of the query."""
    wanted = set(_WORD.findall(_QUALIFIER.sub(" ", _folded(query)))) - _OPERATORS
    return [row for row in rows if any(word in _folded(str(row)) for word in wanted)][:most]


def drive_server() -> MCPServer[Any]:
    """The tools of `live_servers.drive`."""
    server = new_server("mock-drive", {"file": DRIVE_SYNTAX})

    @server.tool(description="Search made-up files.", annotations=READS_ONLY)
    def search_files(query: str, max_results: int = 3) -> dict[str, Any]:
        found = matching(data.DRIVE_FILES, query, max_results)
        return {"files": [{name: value for name, value in row.items() if name != "text"} for row in found]}

    @server.tool(description="Read a made-up file.", annotations=READS_ONLY)
    def read_file(id: str, resource_key: str = "") -> dict[str, Any]:
        row = _the(data.DRIVE_FILES, lambda row: row["id"] == id)
        return {"id": id, "name": row["name"], "text": row["text"]}

    return server


def slack_server() -> MCPServer[Any]:
    """The tools of slack-mcp-server: CSV, and threads by channel and time."""
    server = new_server("mock-slack", {})

    @server.tool(description="Search made-up messages.", annotations=READS_ONLY, structured_output=False)
    def conversations_search_messages(search_query: str, limit: int = 20) -> str:
        found = matching(data.SLACK_MESSAGES, search_query, limit)
        return _csv([_message(row, row["RealName"], row["Text"]) for row in found])

    @server.tool(description="Read a made-up thread.", annotations=READS_ONLY, structured_output=False)
    def conversations_replies(channel_id: str, thread_ts: str, limit: str = "1d") -> str:
        row = _the(data.SLACK_MESSAGES, lambda row: row["MsgID"] == thread_ts and row["Channel"].startswith(channel_id))
        thread = [(row["RealName"], row["Text"]), *row["replies"]]
        return _csv([_message(row, name, text) for name, text in thread])

    return server


def github_server() -> MCPServer[Any]:
    """The tools of `live_servers.github`."""
    server = new_server("mock-github", GITHUB_SYNTAX)
    home = f"https://github.com/{data.GITHUB_REPOSITORY}"

    def found(rows: Iterable[data.Row], query: str, most: int, place: str) -> dict[str, Any]:
        items = matching(rows, query, most)
        return {"items": [{**row, "html_url": f"{home}/{place}/{row['number']}"} for row in items]}

    @server.tool(description="Search made-up issues.", annotations=READS_ONLY)
    def search_issues(query: str, perPage: int = 3) -> dict[str, Any]:
        return found(data.GITHUB_ISSUES, query, perPage, "issues")

    @server.tool(description="Search made-up pull requests.", annotations=READS_ONLY)
    def search_pull_requests(query: str, perPage: int = 3) -> dict[str, Any]:
        return found(data.GITHUB_PULL_REQUESTS, query, perPage, "pull")

    @server.tool(description="Search made-up files.", annotations=READS_ONLY)
    def search_code(query: str, perPage: int = 3) -> dict[str, Any]:
        items = matching(data.GITHUB_FILES, query, perPage)
        base = {"repository": {"full_name": data.GITHUB_REPOSITORY}}
        return {
            "items": [
                {**base, "path": row["path"], "html_url": f"{home}/blob/main/{row['path']}", "fragment": row["text"]}
                for row in items
            ]
        }

    @server.tool(description="Read a made-up issue.", annotations=READS_ONLY)
    def issue_read(owner: str, repo: str, issue_number: int, method: str = "get") -> dict[str, Any]:
        return _the(data.GITHUB_ISSUES, lambda row: row["number"] == issue_number)

    @server.tool(description="Read a made-up pull request.", annotations=READS_ONLY)
    def pull_request_read(owner: str, repo: str, pullNumber: int, method: str = "get") -> dict[str, Any]:
        return _the(data.GITHUB_PULL_REQUESTS, lambda row: row["number"] == pullNumber)

    @server.tool(description="Read a made-up file.", annotations=READS_ONLY)
    def get_file_contents(owner: str, repo: str, path: str, ref: str = "") -> dict[str, Any]:
        return {"path": path, "text": _the(data.GITHUB_FILES, lambda row: row["path"] == path)["text"]}

    return server


SERVERS: dict[str, Callable[[], MCPServer[Any]]] = {
    "drive": drive_server,
    "slack": slack_server,
    "github": github_server,
}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _the(rows: Iterable[data.Row], is_it: Callable[[data.Row], bool]) -> data.Row:
    for row in rows:
        if is_it(row):
            return row
    raise ToolError("There is no such thing among the made-up data.")


def _message(row: data.Row, name: str, text: str) -> dict[str, str]:
    channel = str(row["Channel"]).split()[0]
    link = f"https://example.slack.com/archives/{channel}/p{str(row['MsgID']).replace('.', '')}"
    return {
        "MsgID": row["MsgID"], "UserID": "U000", "UserName": row["UserName"], "RealName": name,
        "Channel": row["Channel"], "ThreadTs": row["MsgID"] if row["replies"] else "", "Text": text,
        "Time": row["Time"], "Permalink": link, "Reactions": "", "Cursor": "",
    }  # fmt: skip


def _csv(rows: list[dict[str, str]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(_message(data.SLACK_MESSAGES[0], "", "")))
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


if __name__ == "__main__":
    serve(SERVERS[sys.argv[1]]())
