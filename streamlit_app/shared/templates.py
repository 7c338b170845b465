"""Templates of the pages (`*.html.jinja` in their folders). Pure.

File names, snippets and what a model wrote are not trusted: every value is escaped, and shown without characters that
hide or reverse others. Nothing else writes into the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from locator_search.drive_search.file_types import type_name
from locator_search.locales.reasons import reason_text
from locator_search.locales.times import moment
from locator_search.text.languages import language_of
from streamlit_app.shared.escaping import escaped, highlighted, web_link

_DOT = Markup('<span class="dl-dot">&#8288;·</span> ')
"""A line breaks after a dot, never before: hence the word joiner."""


def render(template: str, macro: str, /, *values: object) -> Markup:
    """One macro of a template, which is named by its path below `streamlit_app` without the suffix, as HTML."""
    module = _environment().get_template(f"{template}.html.jinja").module
    return cast(Markup, getattr(module, macro)(*values))


def line_html(*lines: str, style: str = "muted") -> Markup:
    """Lines of text in one of the styles of a page (`dl-` in `style.css`)."""
    shown = Markup("<br>").join(_shown(line) for line in lines)
    heading = Markup(' role="heading" aria-level="2"') if style == "head" else ""
    return Markup('<div class="dl-{}"{}>{}</div>').format(style, heading, shown)


def heading_html(text: str) -> Markup:
    """A heading between the parts of a page."""
    return Markup('<h3 class="dl-aspect">{}</h3>').format(_shown(text))


def separated(pieces: Iterable[str]) -> Markup:
    """Pieces of text or HTML on one line with dots between; empty ones are left out."""
    return _DOT.join(_shown(piece) for piece in pieces if piece)


def percent(share: float) -> int:
    """A share of 0 to 1 as the length of a bar."""
    return round(100 * min(max(share, 0.0), 1.0))


def file_size(size: int) -> str:
    """Bytes as people say them: 0 B, 12 KB, 3.4 MB."""
    if size < 1024:
        return f"{size} B"
    amount = size / 1024
    for unit in ("KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:,.1f} GB"


def spoken(text: str) -> Markup:
    """The `lang` attribute of an element that holds a text of a file: a screen reader reads it in its own language."""
    language = language_of(text)
    return Markup(' lang="{}"').format(language) if language else Markup()


def _shown(value: Any) -> Any:
    return escaped(value) if type(value) is str else value  # HTML is of another type: it is escaped already


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parents[1]),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (separated, moment, percent, file_size, highlighted, spoken, web_link, type_name)
    environment.filters |= {function.__name__: function for function in filters}
    environment.globals["reason_text"] = reason_text
    return environment
