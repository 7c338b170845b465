"""Review sheets as Markdown. Text of contributions and of models stays text: what could be markup is escaped."""

from __future__ import annotations

from locator_search.ports.contributions.review_sheets import ReviewSheet, SheetLine
from locator_search.text.markdown.writing import text_as_markdown as escaped


class MarkdownSheetWriter:
    """A SheetWriter."""

    suffix = ".md"
    mime_type = "text/markdown"

    def write(self, sheet: ReviewSheet) -> bytes:
        """UTF-8 with a line end at the end."""
        lines = [f"# {escaped(sheet.title)}", ""]
        lines += [f"- **{escaped(name)}**: {escaped(value)}" for name, value in sheet.facts]
        for section in sheet.sections:
            lines += ["", f"## {escaped(section.title)}", ""]
            lines += [written for line in section.lines for written in _written(line)]
        return ("\n".join(lines) + "\n").encode()


def _written(line: SheetLine) -> list[str]:
    text = escaped(line.text)
    if line.inserted:
        text = f"**{text}**"
    if line.deleted:
        text = f"~~{text}~~"
    if line.marked:
        text = f"⚠ {text}"
    return [f"- {text}", *(f"  - {escaped(source)}" for source in line.sources)]
