"""A sample before it becomes a file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """A document to write: its place below the sample folder, and its text in the markup of ``markup.parse``.

    The suffix of ``path`` chooses the format. ``encoding`` counts for txt and csv, ``password`` for pdf.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    password: str = ""
