"""Text out of files, one module per format.

A module has `read(data, notes) -> Iterator[Block]`: it yields the blocks in reading order, writes what it cannot say in
blocks into `notes`, and raises `CannotExtract` when no (more) text can be had. A new format is one such module and
one line in `formats.FORMATS`; if its first bytes are its own, also one line in `sniffing`.

Everything here runs inside the worker processes of `adapters.isolated_extractor`, because file contents are hostile
until proven otherwise. Nothing here is imported by the rest of the product.
"""

VERSION = "extractors-9"
"""Part of the key under which extractions are remembered: raise it whenever the text of any file would change."""
