"""An MCP server over stdio as strangers write them. Run as a program: foreign_mcp_server.py FORM [TOOL].

FORM is the form of its answers: `structured`, `json`, `links`, `markdown`, `lines`, `records`, `python`, `vault`
(relative paths), `listing` (a tool that takes no words), `useless` (nothing to search), `secret` (needs the variable
WIKI_KEY). TOOL names its search. It knows two documents.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

FORM, SEARCH = sys.argv[1], (sys.argv[2:] or ["find_pages"])[0]
PAGES = {
    "alpha": ("Alpha design", "The retry limit of project Alpha is 5."),
    "beta": ("Beta storage", "Project Beta moves its storage in May."),
}


VAULT = ["plans/alpha.md", "../beta.md", "gone.md"]


def tool(name: str, required: list[str], **more: Any) -> dict[str, Any]:
    properties = {each: {"type": "string"} for each in required}
    return {"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}, **more}


TOOLS = {
    "listing": [tool("delete_log", []), tool("page_log", ["repo_path"])],
    "useless": [tool("get_current_time", ["timezone"]), tool("run_sql_query", ["query"], description="Runs SQL.")],
}.get(FORM) or [
    tool("create_page", ["text"]),
    tool("list_pages", []),
    tool(SEARCH, ["query"]),
    tool("read_page", ["id"]),
]


def found(query: str) -> list[str]:
    return [key for key, page in PAGES.items() if query.lower() in " ".join(page).lower()]


def answer(query: str) -> dict[str, Any]:
    keys = found(query)
    rows = [{"id": key, "title": PAGES[key][0], "url": f"https://wiki.example/{key}"} for key in keys]
    if FORM == "structured":
        return {"content": [], "structuredContent": {"total": len(rows), "pages": rows}}
    if FORM == "vault":
        return {"content": [], "structuredContent": {"files": [{"path": path} for path in VAULT]}}
    if FORM == "links":
        links = [{"type": "resource_link", "uri": f"wiki://{key}", "name": PAGES[key][0]} for key in keys]
        return {"content": links}
    texts = {
        "json": json.dumps({"results": rows}),
        "secret": json.dumps({"results": rows}),
        "python": str(rows),
        "markdown": "Search results\n\n"
        + "\n".join(f"- [{r['title']}]({r['url']}): {PAGES[r['id']][1]}" for r in rows),
        "lines": "\n".join(f"/wiki/{key}.md" for key in keys),
        "records": "\n\n".join(f"Title: {r['title']}\nUrl: {r['url']}\nText: {PAGES[r['id']][1]}" for r in rows),
        "listing": "\n\n".join(f"Title: {title}\nText: {text}" for title, text in PAGES.values()),
    }
    text = texts[FORM] if keys else f"Nothing for '{query}' in 2 pages"
    return {"content": [{"type": "text", "text": text}]}


def replied(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": "foreign", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "resources/read":
        key = params["uri"].removeprefix("wiki://")
        return {"contents": [{"uri": params["uri"], "text": PAGES[key][1]}]}
    arguments = params["arguments"]
    if params["name"] == "read_page":
        text = PAGES.get(arguments["id"], ("", "No such page: " + arguments["id"]))[1]
        return {"content": [{"type": "text", "text": text}]}
    return answer(arguments.get("query", "alpha"))


if FORM == "secret" and not os.environ.get("WIKI_KEY"):
    sys.exit("WIKI_KEY is not set")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    known = message["method"] in ("initialize", "tools/list", "tools/call", "resources/read")
    said = {"result": replied(message["method"], message.get("params", {}))} if known else {
        "error": {"code": -32601, "message": "unknown"}
    }  # fmt: skip
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}), flush=True)
