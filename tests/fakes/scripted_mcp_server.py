"""An MCP server over stdio that misbehaves to order. Run as a program; it imports little, so that it starts at once.

    scripted_mcp_server.py [START] [--log FILE] [--pid FILE]

START is how it begins: `well`, `crash` (a reason on stderr, then exit 3), `hang` (never answers), `late` (answers after
a second), `deaf` (ignores the end of stdin and SIGTERM), `family` (has a child in a session of its own). The tool
`search` does what its query says:

    N hits          that many results (`3 hits`)
    wait S          one result after S seconds
    meet N FOLDER   one result once so many servers have been asked so
    hang            no answer
    die             the process ends
    429 as error    an error of the tool
    429 as text     a good answer that is none
    429 as rpc      an error of JSON-RPC
    huge N          one line of N MB;  flood N  the same with the number of the request at its end
    missing         an error that says 429 and means no rate limit
    garbage         lines that are no JSON, then one result
    nonsense        an answer that is no answer of a tool
    say NAME        the value of a variable of its environment, on stderr, then an error
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

TOOLS: list[dict[str, Any]] = [
    {
        "name": "search",
        "description": "Words, without operators.",
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["query"],
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "read",
        "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    },
    {
        "name": "delete",
        "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        "annotations": {"readOnlyHint": False},
    },
]
_writing = threading.Lock()


def say(message: str) -> None:
    with _writing:
        sys.stdout.write(message + "\n")
        sys.stdout.flush()


def answer(number: Any, result: dict[str, Any]) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}, ensure_ascii=False))


def error(number: Any, code: int, message: str) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}))


def text(number: Any, said: str, *, is_error: bool = False) -> None:
    answer(number, {"content": [{"type": "text", "text": said}], "isError": is_error})


def hits(number: Any, count: int) -> None:
    rows = [{"id": f"h{n}", "title": f"hit {n}", "url": f"https://example.com/{n}", "n": n} for n in range(count)]
    text(number, json.dumps({"results": rows, "pid": os.getpid()}))


def search(number: Any, query: str) -> None:
    verb, _, rest = query.partition(" ")
    if rest == "hits":
        return hits(number, int(verb))
    if verb == "wait":
        return threading.Timer(float(rest), hits, (number, 1)).start()
    if verb == "meet":
        count, _, folder = rest.partition(" ")
        return threading.Thread(target=meet, args=(number, int(count), Path(folder))).start()
    if query == "hang":
        return None
    if query == "die":
        sys.stderr.write("the disk is full\n")
        sys.stderr.flush()
        os._exit(9)
    if query == "429 as error":
        return text(number, "slack: rate limited, retry after 30s (429)", is_error=True)
    if query == "429 as text":
        return text(number, "Too Many Requests. Try again later.")
    if query == "429 as rpc":
        return error(number, -32603, "googleapi: Error 403: Quota exceeded for quota metric")
    if verb == "huge":
        return text(number, "x" * (int(rest) * 2**20))
    if verb == "flood":
        result = {"content": [{"type": "text", "text": "x" * (int(rest) * 2**20)}]}
        return say(json.dumps({"result": result, "jsonrpc": "2.0", "id": number}))
    if query == "missing":
        return text(number, "issues/429: not found, see #429", is_error=True)
    if query == "garbage":
        for line in ("Debug: connected", "{{{", "[1, 2", "", "\x00\xff", '{"jsonrpc": "2.0"}'):
            say(line)
        return hits(number, 1)
    if query == "nonsense":
        return answer(number, {"content": "none", "isError": 7})
    if verb == "say":
        sys.stderr.write(f"the token is {os.environ.get(rest)}\n")
        sys.stderr.flush()
        return text(number, f"refused for {os.environ.get(rest)}", is_error=True)
    return text(number, json.dumps({"results": []}))


def meet(number: Any, count: int, folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < count:
        time.sleep(0.01)
    hits(number, 1)


def handle(message: dict[str, Any]) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if method == "initialize":
        answer(
            number,
            {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "scripted", "version": "1"},
            },
        )
    elif method == "tools/list":
        answer(number, {"tools": TOOLS})
    elif method == "resources/read" and params["uri"].startswith("thing://h"):
        content = {"uri": params["uri"], "mimeType": "text/plain", "text": f"the resource {params['uri']}"}
        answer(number, {"contents": [content]})
    elif method == "tools/call" and params["name"] == "search":
        search(number, params["arguments"]["query"])
    elif method == "tools/call" and params["name"] == "read":
        wanted = params["arguments"]["id"]
        if wanted.startswith("h"):
            text(number, f"the body of {wanted}")
        else:
            search(number, wanted)
    elif number is not None:
        error(number, -32601, "Method not found")


def note(path: str, what: object) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(f"{what}\n")


def main(start: str, log: str, pid: str) -> None:
    note(pid, os.getpid())
    if start == "crash":
        sys.exit("invalid_auth: the token was revoked")
    if start == "late":
        time.sleep(1)
    if start == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if start == "family":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=subprocess.DEVNULL)
        note(pid, child.pid)
    for line in sys.stdin:
        note(log, json.loads(line).get("method"))
        if start != "hang":
            handle(json.loads(line))
    while start == "deaf":
        time.sleep(60)
    os._exit(0)


if __name__ == "__main__":
    words = sys.argv[1:]
    given = dict(zip(words[1::2], words[2::2], strict=True))
    main(words[0] if words else "well", given.get("--log", ""), given.get("--pid", ""))
