"""How long an application waits for the MCP server: `python benchmarks/mcp_start.py --runs 5`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMPORT = (sys.executable, "-c", "import mcp.server.mcpserver")
SERVER = (sys.executable, "-m", "locator_search.cli.main", "mcp", "--directory")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def seconds_to_import() -> float:
    """A bare process that imports the SDK and ends."""
    begun = time.perf_counter()
    subprocess.run(IMPORT, check=True)
    return time.perf_counter() - begun


def seconds_to_greet(folder: Path) -> float:
    """From the start of the server to its answer to `initialize`."""
    begun = time.perf_counter()
    with subprocess.Popen([*SERVER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        taken = time.perf_counter() - begun
        process.stdin.close()
    assert answer["result"]["serverInfo"]["name"] == "document-locator"
    return taken


def main() -> None:
    """Both in turns, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        pairs = [(seconds_to_import(), seconds_to_greet(Path(name))) for _ in range(runs)]
    bare, ready = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(greet / imported for imported, greet in pairs)
    print(f"import of the SDK {bare:.2f} s, handshake answered after {ready:.2f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
