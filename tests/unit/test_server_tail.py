"""What a server wrote last: the line that explains its end is found among what stands around it."""

from __future__ import annotations

import pytest

from locator_search.adapters.mcp_services.transport.tail import KEPT_LINES, Tail

NODE = """node:child_process:930
    throw err;
    ^

Error: Command failed: slack-mcp-server
    at genericNodeError (node:internal/errors:984:15)
    at Object.<anonymous> (/srv/index.js:64:14) {
  status: 1,
  output: [ null, null, null ],
  stderr: null
}

Node.js v20.20.2
"""


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ('{"level":"fatal","message":"Authentication failed","error":"invalid_auth"}\n' + NODE,
         "Authentication failed: invalid_auth"),
        ('{"level":"info","message":"Starting"}\n' + NODE, "Error: Command failed: slack-mcp-server"),
        ("Traceback (most recent call last):\n  File \"x.py\", line 1\nValueError: no token\n", "ValueError: no token"),
        ("listening\nthe disk is full", "the disk is full"),
        ("panic: no route\n\ngoroutine 1 [running]:\nexit status 2\n", "panic: no route"),
        ('{"level": "fatal"\n{"level": ["error"]}\nodd\n', "odd"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_line_that_explains_the_end_is_told(written: str, reason: str) -> None:
    tail = Tail(mask=str)
    for start in range(0, len(written), 7):
        tail.take(written[start : start + 7].encode())
    assert tail.reason == reason


def test_no_more_is_kept_than_the_end_and_secrets_are_blotted_out() -> None:
    tail = Tail(mask=lambda text: text.replace("xoxp-1", "***"))
    tail.take(b"x" * 100_000 + b"\n" + b"line\n" * 1000 + b"refused: xoxp-1\n")
    assert len(tail.lines) == KEPT_LINES
    assert tail.reason == "refused: ***"
