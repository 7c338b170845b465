"""One of the searchable services as an MCP server over stdio. Run as a program: SERVICE FILE.

FILE says how the next calls fail: `hang`, `die`, `429`, `nonsense`, `huge`; it is empty where they do not.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from tests.builders.live_questions import THINGS
from tests.fakes.searchable_services import SEARCHES

SERVICE, FAULT = sys.argv[1], Path(sys.argv[2])


def tool(name: str, required: list[str]) -> dict[str, Any]:
    properties = {each: {"type": "string"} for each in required}
    return {"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}}


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}], **more}


def called(name: str, arguments: dict[str, str]) -> dict[str, Any]:
    fault = FAULT.read_text()
    if fault == "hang":
        time.sleep(600)
    if fault == "die":
        os._exit(1)
    if fault == "429":
        return text("429 Too Many Requests", isError=True)
    if fault == "nonsense":
        return {"content": "nonsense"}
    if fault == "huge":
        return text("x" * 6 * 2**20)
    own = [one for one in THINGS if one.service == SERVICE]
    if name == "read":
        return text(next(one.text for one in own if one.uri == arguments["uri"]))
    of_kind = [one for one in own if one.kind == arguments["kind"] and SEARCHES[SERVICE](one, arguments["query"])]
    return text(json.dumps([{"title": one.title, "uri": one.uri, "snippet": one.text[:80]} for one in of_kind]))


def replied(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": SERVICE, "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [tool("search", ["kind", "query"]), tool("read", ["uri"])]}
    return called(params["name"], params["arguments"])


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        known = message["method"] in ("initialize", "tools/list", "tools/call")
        said = {"result": replied(message["method"], message.get("params", {}))} if known else {
            "error": {"code": -32601, "message": "unknown"}
        }  # fmt: skip
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}), flush=True)
