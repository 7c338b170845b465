"""Text out of files: a room per family of formats, a module per format.

A module of a format has `read(data, notes) -> Iterator[Block]`: it yields the blocks in reading order, writes what it
cannot say in blocks into `notes`, and raises `CannotExtract` when no (more) text can be had. A new format is one such
module and one line in `formats.FORMATS`; if its first bytes are its own, also one line in `sniffing`.

File contents are hostile until proven otherwise, so all of it runs in the processes of `worker`; the rest of the
product imports limits, media types and the isolated extractor alone.
"""

VERSION = "extractors-21"
"""Part of the key under which extractions are remembered: raise it whenever the text of any file would change."""
