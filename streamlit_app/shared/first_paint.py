"""The document that a browser opens a page with: Streamlit's own, with our style in it.

Streamlit sends styles when a script has run; until then everything would stand, and then move, where Streamlit has it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

STYLE = Path(__file__).with_name("style.css")
DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
PAGES = ("/", "/live", "/x", "/contributions", "/status")


def document(_request: Request) -> HTMLResponse:
    """Streamlit's document with the style of the pages; a new response each time, because what compresses it changes
    its headers."""
    style = f"<style>{STYLE.read_text(encoding='utf-8')}</style></head>"
    html = DOCUMENT.read_text(encoding="utf-8").replace("</head>", style, 1)
    return HTMLResponse(html, headers={"Cache-Control": "no-cache"})


ROUTES = [Route(path, document, methods=["GET"]) for path in PAGES]
