"""The document that a browser opens a page with: Streamlit's own, with our style in it.

Streamlit sends styles when a script has run; until then everything would stand, and then move, where Streamlit has it.
It fetches what draws a kind of element when one comes, and keeps too little or too much room for it meanwhile.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

STYLE = Path(__file__).with_name("style.css")
DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
ELEMENTS = ("Html", "TextInput", "Button", "Selectbox", "Multiselect", "ButtonGroup", "LinkButton", "PageLink")
"""Kinds of elements whose scripts are fetched along with the document."""
SERVER = "<script>window.__streamlit = { BACKEND_BASE_URL: new URL('.', location.href).href };</script>"
"""Where the server is. A browser that is not told looks for it below the page first, and reports an error."""
PAGES = ("/", "/live", "/x", "/contributions", "/add", "/status", "/usage")


def document(_request: Request) -> HTMLResponse:
    """Streamlit's document with the style of the pages. One response for each: compression changes its headers."""
    return HTMLResponse(_styled(), headers={"Cache-Control": "no-cache"})


@cache
def _styled() -> str:
    scripts = [path for kind in ELEMENTS for path in DOCUMENT.parent.glob(f"static/js/{kind}.*.js")]
    links = "".join(f'<link rel="modulepreload" href="./static/js/{path.name}">' for path in scripts)
    head = f"{SERVER}{links}<style>{STYLE.read_text(encoding='utf-8')}</style></head>"
    return DOCUMENT.read_text(encoding="utf-8").replace("</head>", head, 1)


ROUTES = [Route(path, document, methods=["GET"]) for path in PAGES]
