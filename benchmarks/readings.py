"""How much of what LibreOffice reads do we read, per format and part of a file? `python -m benchmarks.readings`."""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from benchmarks.office_samples import OFFICE_SAMPLES
from benchmarks.other_samples import OTHER_SAMPLES
from benchmarks.samples import written
from locator_search.adapters.extractors.reading import read_file
from locator_search.model import Block

BAR = 0.97
FLAT = {"docx": "fodt", "doc": "fodt", "rtf": "fodt", "odt": "fodt", "xlsx": "fods", "xls": "fods", "ods": "fods",
         "pptx": "fodp", "ppt": "fodp", "odp": "fodp"}  # fmt: skip
_WRITTEN_ANEW = {"docx": ("doc", "rtf", "odt"), "xlsx": ("xls", "ods"), "pptx": ("ppt", "odp")}
_MADE_UP = re.compile(r"(?:Column|Row|Series) ?[A-Z0-9]+")  # names that LibreOffice gives to series without one
_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[.,][0-9]+)*|(?=([぀-ヿ㐀-鿿]{2}))")
_PARTS_WORDS = ("p", "h", "line-break", "tab", "s")
_NOT_TEXT = (
    "tracked-changes",
    "binary-data",
    "note-citation",
    "creator",
    "creator-initials",
    "date",
    "meta",
    "page-number",
    "file-name",
    "settings",
)


class Sample(NamedTuple):
    """A file and the text put into it; where LibreOffice wrote it `anew`, it may have lost some."""

    suffix: str
    part: str
    path: Path
    given: str
    anew: bool = False


def tokens(text: str) -> set[str]:
    """Words, numbers and pairs of neighbouring CJK characters."""
    plain = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    return {found[1] or found[0] for found in _TOKEN.finditer(plain)}


def ours(path: Path) -> str:
    """The text of all blocks."""
    return "\n".join(item.text for item in read_file(path) if isinstance(item, Block))


class LibreOffice:
    """One installation, asked with a profile of its own."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder

    def converted(self, paths: Sequence[Path], target: str, room: str) -> Path:
        """A folder with the files in another format, many made by one process."""
        folder = self._folder / room
        folder.mkdir(exist_ok=True)
        profile = f"-env:UserInstallation={(self._folder / 'profile').as_uri()}"
        command = [
            self._program,
            profile,
            "--headless",
            "--convert-to",
            target,
            "--outdir",
            *map(str, [folder, *paths]),
        ]
        subprocess.run(command, check=False, capture_output=True, timeout=900)
        return folder

    def readings(self, samples: Sequence[Sample]) -> dict[Path, str]:
        """Its text of each file that it can open."""
        texts: dict[Path, str] = {}
        for suffix, flat in FLAT.items():
            paths = [sample.path for sample in samples if sample.suffix == suffix]
            folder = self.converted(paths, flat, f"read-{suffix}")
            texts |= {path: flat_text(found) for path in paths if (found := folder / f"{path.stem}.{flat}").exists()}
        return texts


def flat_text(flat: Path) -> str:
    """All paragraphs of a flat OpenDocument file: those of notes, comments, charts and hidden sheets, too."""
    root = etree.parse(flat, etree.XMLParser(huge_tree=True)).getroot()
    if flat.suffix == ".fodp":
        _removed(root, "master-styles")  # invitations to click and write
    for table in [node for node in root.iter("{*}table") if node.find("{*}table-source") is not None]:
        table.clear()  # cells of another workbook, kept by a link to it
    _removed(root, *_NOT_TEXT)
    sheets = (sheet for book in root.iter("{*}spreadsheet") for sheet in book.iterchildren("{*}table"))
    names = [str(value) for sheet in sheets for key, value in sheet.items() if str(key).endswith("}name")]
    texts = map(_own_text, root.iter("{*}p", "{*}h"))
    return "\n".join([*names, *(text for text in texts if not _MADE_UP.fullmatch(text))])


def _removed(root: etree._Element, *names: str) -> None:
    for node in list(root.iter(*(f"{{*}}{name}" for name in names))):
        tail = node.tail
        node.clear()
        node.tail = tail


def _own_text(node: etree._Element) -> str:
    """The text of a paragraph without the paragraphs inside it, which come by themselves."""
    inside = (
        _own_text(child) if isinstance(child.tag, str) and etree.QName(child).localname not in _PARTS_WORDS else " "
        for child in node
    )
    tails = (child.tail or "" for child in node)
    return (node.text or "") + "".join(map("".join, zip(inside, tails, strict=True)))


def _written_anew(office: LibreOffice, samples: Sequence[Sample]) -> list[Sample]:
    made: list[Sample] = []
    for suffix, targets in _WRITTEN_ANEW.items():
        of_suffix = [sample for sample in samples if sample.suffix == suffix]
        for target in targets:
            folder = office.converted([sample.path for sample in of_suffix], target, target)
            made += [
                Sample(target, sample.part, folder / f"{sample.path.stem}.{target}", sample.given, True)
                for sample in of_suffix
            ]
    return [sample for sample in made if sample.path.exists()]


def _share(some: set[str], of: set[str]) -> float:
    return len(some & of) / len(of) if of else float("nan")


def main() -> None:
    """A line per format and part: recall of LibreOffice's reading, recall of what was put in, precision."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=3, help="files per format and part")
    parser.add_argument("--soffice", default="soffice", help="LibreOffice with Writer, Calc and Impress")
    parser.add_argument("--keep", type=Path, help="an empty folder for the files, else they are deleted")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        office = LibreOffice(arguments.soffice, folder)
        samples = [Sample(*each) for each in written(OFFICE_SAMPLES, folder, arguments.copies)]
        samples += _written_anew(office, samples)
        samples += [Sample(*each) for each in written(OTHER_SAMPLES, folder, arguments.copies)]
        readings = office.readings(samples)
        mine, theirs, given = (defaultdict[tuple[str, str], set[str]](set) for _ in range(3))
        for number, (suffix, part, path, put_in, _) in enumerate(samples):
            for found, text in ((mine, ours(path)), (theirs, readings.get(path, "")), (given, put_in)):
                found[suffix, part] |= {f"{number} {token}" for token in tokens(text)}
    print(f"{'format':6} {'part':26} {'of LibreOffice':>14} {'of what was put in':>18} {'precision':>9}")
    for line, anew in {(sample.suffix, sample.part): sample.anew for sample in samples}.items():
        of_theirs, of_given = _share(mine[line], theirs[line]), _share(mine[line], set() if anew else given[line])
        precision = _share(theirs[line] | given[line], mine[line])
        low = "  below the bar" if of_theirs < BAR or of_given < BAR else ""
        print(f"{line[0]:6} {line[1]:26} {of_theirs:14.3f} {of_given:18.3f} {precision:9.3f}{low}")


if __name__ == "__main__":
    main()
