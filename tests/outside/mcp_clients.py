"""Clients written by others, against our MCP server: `make mcp-conformance`. Needs Node 22 or newer and a registry.

Runs the conformance suite over HTTP and the Inspector over stdio, on a small index of its own. Left out are the
scenarios of the suite that call tools of its reference server, and those of what we do not offer (completion, logging,
sampling, subscriptions).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from tests.builders.registry import all_known
from tests.builders.report_folder import index_everything, write_files

CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
SCENARIOS = (
    "server-initialize", "ping", "tools-list", "tools-call-error", "resources-list", "prompts-list",
    "dns-rebinding-protection",
)  # fmt: skip
SERVER = (sys.executable, "-m", "locator_search.cli.main", "mcp", "--directory")
SECONDS = 180
OLDEST_NODE = 22


def main() -> int:
    """Run every check and print one line for each. Returns how many failed."""
    npx = shutil.which("npx")
    if npx is None or node_version() < OLDEST_NODE:
        print(f"npx of Node {OLDEST_NODE} or newer was not found on the PATH.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="locator-mcp-") as name:
        folder = Path(name)
        document_id = prepare(folder)
        failed = 0
        with serving(folder) as url:
            for scenario in SCENARIOS:
                words = [npx, "--yes", CONFORMANCE, "server", "--url", url, "--scenario", scenario]
                failed += not told(f"conformance  {scenario}", run(words), 0)
        for arguments, status in inspections(document_id):
            words = [npx, "--yes", INSPECTOR, "--cli", *SERVER, str(folder), *arguments]
            failed += not told(f"inspector    {' '.join(arguments)}", run(words), status)
    return failed


def node_version() -> int:
    """The major version of the Node that npx will run; 0 without one."""
    node = shutil.which("node")
    written = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout if node else ""
    major = written.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdecimal() else 0


def inspections(document_id: str) -> Iterator[tuple[Sequence[str], int]]:
    """Calls of the Inspector with the exit status each should end with: 5 for a tool that answers with an error."""
    yield ("--method", "tools/list", "--strict"), 0
    yield ("--method", "resources/templates/list"), 0
    yield ("--method", "prompts/list"), 0
    yield ("--method", "prompts/get", "--prompt-name", "find_document", "--prompt-args", "question=予算は？"), 0
    yield ("--method", "resources/read", "--uri", f"locator://document/{document_id}"), 0
    for tool, argument, status in (
        ("search", "query=椿計画の予算", 0),
        ("fetch", f"id={document_id}", 0),
        ("get_evidence", "query=椿計画の予算", 0),
        ("fetch", "id=../../etc/passwd", 5),
    ):
        yield ("--method", "tools/call", "--tool-name", tool, "--tool-arg", argument), status


def prepare(folder: Path) -> str:
    """An index of one document; returns its id."""
    write_files(folder / "文書", {"椿計画の議事録.md": "# 椿計画の議事録\n\n予算は三百万円と決まった。\n"})
    (folder / ".env").write_text("LOCATOR_HOME=home\nLOCATOR_FOLDERS=文書\n", "utf-8")
    settings = load_settings(locator_home=folder / "home", locator_folders=(str(folder / "文書"),))
    with open_locator(settings) as locator:
        index_everything(locator)
        (file_id,) = all_known(locator.registry)
    return file_id


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The URL of a server over HTTP."""
    words = [*SERVER, str(folder), "--http", "--port", "0", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads("".join(process.stdout.readline() for _ in range(3)))["url"]
        finally:
            process.terminate()


def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def told(name: str, result: subprocess.CompletedProcess[str], status: int) -> bool:
    """Print how a check ended; returns whether it ended as it should."""
    passed = result.returncode == status
    print(f"{'ok    ' if passed else 'FAILED'} {name}", flush=True)
    if not passed:
        print(result.stdout[-2_000:], result.stderr[-2_000:], sep="\n", file=sys.stderr)
    return passed


if __name__ == "__main__":
    sys.exit(min(main(), 1))
