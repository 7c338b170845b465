"""Writers of the text formats: Markdown, plain text, CSV, HTML."""

import csv
import io
from html import escape

from tests.builders.sample_company.markup import Block, Bullet, Heading, PageBreak, Paragraph, Table


def markdown(blocks: list[Block]) -> bytes:
    """Markdown with pipe tables."""
    parts: list[str] = []
    for previous, block in zip([None, *blocks], blocks, strict=False):
        match block:
            case Heading(level, text):
                part = f"{'#' * level} {text}"
            case Paragraph(text):
                part = text
            case Bullet(text):
                part = f"- {text}"
            case Table(rows):
                lines = [f"| {' | '.join(row)} |" for row in rows]
                part = "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])
            case PageBreak():
                part = "---"
        tight = isinstance(block, Bullet) and isinstance(previous, Bullet)
        parts.append(("\n" if tight else "\n\n") * bool(parts) + part)
    return ("".join(parts) + "\n").encode()


def plain_text(blocks: list[Block], encoding: str) -> bytes:
    """Plain text the way people type it: marks before headings, tabs between cells, CRLF outside UTF-8."""
    lines: list[str] = []
    for block in blocks:
        match block:
            case Heading(level, text):
                lines += ["", f"{'■◆・'[level - 1]}{text}"] if lines else [text, ""]
            case Paragraph(text):
                lines.append(text)
            case Bullet(text):
                lines.append(f"・{text}")
            case Table(rows):
                lines += ["\t".join(row) for row in rows]
            case PageBreak():
                lines.append("-" * 40)
    end = "\n" if encoding == "utf-8" else "\r\n"
    return (end.join(lines) + end).encode(encoding)


def comma_separated(blocks: list[Block], encoding: str) -> bytes:
    """The tables as CSV with CRLF line ends; paragraphs become title rows of one cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    for block in blocks:
        match block:
            case Table(rows):
                writer.writerows(rows)
            case Heading(_, text) | Paragraph(text) | Bullet(text):
                writer.writerow([text])
            case PageBreak():
                pass
    return out.getvalue().encode(encoding)


def html(blocks: list[Block]) -> bytes:
    """A page of an intranet: title, headings, paragraphs, lists, tables, and a script that is not text."""
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(_element(block) for block in blocks)
    return (
        f'<!DOCTYPE html>\n<html lang="ja">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        "<style>body { font-family: sans-serif; margin: 2em; }</style>\n"
        "<script>document.documentElement.dataset.opened = 'yes';</script>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    ).encode()


def _element(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Bullet(text):
            return f"<ul><li>{escape(text)}</li></ul>"
        case Table(rows):
            head, *rest = rows
            lines = ["".join(f"<th>{escape(cell)}</th>" for cell in head)]
            lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rest]
            return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
        case PageBreak():
            return "<hr>"
