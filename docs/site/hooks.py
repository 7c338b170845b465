"""The files of docs/ as pages of a site: for readers who have no repository beside them and a language of their own."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
LANGUAGES = ("日本語", "English")
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
ITEM_AFTER_TEXT = re.compile(r"^((?![-\s|#<]|\d+\. ).+\n(?=(?:-|1\.) )| {3}.+\n(?=\d+\. ))", re.MULTILINE)
BROKEN_JAPANESE = re.compile(r"(?<=[^\x00-\x7f])\n {0,4}(?=[^\x00-\x7f]|[*\[])|(?<=[)*])\n {0,4}(?=[^\x00-\x7f])")
IN_NUMBERED_ITEM = re.compile(r"^ {3}(?=\S)", re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The text of a page with links the site can follow, laid out as Python-Markdown reads it."""
    parts = FENCED.split(markdown)
    parts[::2] = [laid_out(LINK.sub(lambda link: followed(link, page.file.src_uri), part)) for part in parts[::2]]
    return "".join(parts)


def laid_out(text: str) -> str:
    """A text whose lists Python-Markdown knows as such, and without the spaces that ends of lines are in Japanese."""
    return BROKEN_JAPANESE.sub("", IN_NUMBERED_ITEM.sub("    ", ITEM_AFTER_TEXT.sub(r"\1\n", text)))


def followed(link: re.Match[str], page: str) -> str:
    """A link as the site has it: what lies outside docs/ is named, and the other language is a switch of every page."""
    words, target = link.groups()
    if words in LANGUAGES:
        return ""
    outside = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)).startswith("../")
    return words if outside else link[0]


def on_post_build(*, config: Any, **_: Any) -> None:
    """The switch of languages looks for the site map beside the first page of each folder."""
    site = Path(config.site_dir)
    for start in site.rglob("*/index.html"):
        (start.parent / "sitemap.xml").write_bytes((site / "sitemap.xml").read_bytes())
