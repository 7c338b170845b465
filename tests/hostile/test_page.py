"""Attacks in a real browser: no foreign request, no script, no element and no link made of anybody's text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog

from tests.builders.recording_browser import recording_browser
from tests.surfaces.test_page_browser import _free_port, _wait_until_healthy, chromium

pytestmark = pytest.mark.browser
__all__ = ["chromium"]

PAGE = Path(__file__).with_name("page.py")
MADE_OF_TEXT = "img, iframe, script, object, embed, form, video, audio, style, link, math, .katex, [onerror], [onload]"


@pytest.fixture(scope="module")
def attacked(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root, port = tmp_path_factory.mktemp("hostile"), _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(PAGE), f"--server.port={port}"]
    with (root / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--server.headless=true", "--server.address=127.0.0.1", "--browser.gatherUsageStats=false"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(PAGE.parents[2])},
            stdout=log,
            stderr=log,
        )
        try:
            _wait_until_healthy(server, port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(100)


def test_nothing_of_anybodys_text_becomes_active_on_a_page(chromium: str, attacked: str) -> None:
    with recording_browser(chromium) as browser:
        tab = browser.new_page()
        dialogs: list[str] = []

        def dismiss(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        tab.on("dialog", dismiss)
        tab.goto(attacked)
        tab.get_by_text("done", exact=True).wait_for()
        tab.wait_for_timeout(1500)
        parts = ", ".join(f".st-key-{part}" for part in ("answers", "files", "labels"))
        assert tab.locator(".st-key-answers .dl-answer").count() > 1000
        assert browser.foreign == []
        assert dialogs == []
        assert tab.evaluate("window.__pwned") is None
        found = tab.evaluate(
            """([parts, active]) => [...document.querySelectorAll(parts)].flatMap(part =>
                [...part.querySelectorAll(active)].map(one => one.outerHTML.slice(0, 200)))""",
            [parts, MADE_OF_TEXT],
        )
        assert found == []
        links = tab.evaluate(
            """parts => [...document.querySelectorAll(parts)].flatMap(part =>
                [...part.querySelectorAll('a')].map(one => one.getAttribute('href')))""",
            parts,
        )
        own = ("https://evidence.example/1", "https://drive.example/")
        assert {link for link in links if not link.startswith(own)} <= {"https://evil.example/a.png?q=secret"}
