"""How long an application waits for the MCP server: `python benchmarks/mcp_start.py --runs 5`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

BARE = (sys.executable, "-c", "import mcp.server.mcpserver; print('{}', flush=True)")
SERVER = (sys.executable, "-m", "locator_search.cli.main", "mcp", "--directory")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "we", "version": "1"}},
}


@dataclass(frozen=True)
class Start:
    """Seconds from the start of a process to its first line: by the clock, and of computing."""

    wall: float
    cpu: float


def first_line(words: Sequence[str]) -> Start:
    """Start a process, greet it as an application greets a server, and wait for its first line."""
    begun = time.perf_counter()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        json.loads(process.stdout.readline())
        taken = Start(time.perf_counter() - begun, sum(psutil.Process(process.pid).cpu_times()[:2]))
        process.communicate()
    return taken


def main() -> None:
    """Both in turns; the ratio is one of computing, which a busy machine changes less."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(first_line(BARE), first_line([*SERVER, folder])) for _ in range(runs)]
    bare, server = (statistics.median(start.wall for start in starts) for starts in zip(*pairs, strict=True))
    ratio = statistics.median(ours.cpu / least.cpu for least, ours in pairs)
    print(f"import of the SDK {bare:.2f} s, handshake answered after {server:.2f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
