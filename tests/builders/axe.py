"""axe-core looks at a page (WCAG 2.2 AA and its advice); `make node-servers` fetches it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / ".node-servers" / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = """
  axe.run({ rules: { region: { enabled: false } } }) // Streamlit puts the lists that open outside all regions
    .then(({ violations }) => violations.flatMap(({ nodes }) => nodes))
    .then((nodes) => nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary))
"""


def axe_findings(page: Page) -> list[str]:
    """Each element it finds fault with, and why."""
    page.evaluate(AXE.read_text("utf-8"))
    return [str(finding) for finding in page.evaluate(FINDINGS)]
