"""Contribution numbers and meeting names, as folders and files really spell them. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(
    r"""(?<![a-z0-9])
    (?P<group>[a-z]p|[a-z]\d[a-z]?)   # SP, S1, C4, s3i (lawful interception)
    [-_]?
    (?P<digits>\d{5,7})
    (?:(?!(?-i:[-_ ]R[1-9]\d))         # S2-2210570_R18_...: of release 18
       [-_ ]?r(?:ev)?_?(?P<revision>\d{1,2})(?!\d))?""",
    re.IGNORECASE | re.VERBOSE,
)
_MEETING_FOLDER = re.compile(
    r"""^TSG(?P<tsg>[A-Z]+?)(?P<wg>\d?)_(?P<number>\d+\w*?(?:-?(?:bis|ter|e))*)(?=[_\s]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN_MEETING = re.compile(r"^(?P<group>(?:SA|CT|RAN|GERAN|T)\d?)\s*[#_ -]\s*(?P<number>\d+\w*(?:-e)?)", re.IGNORECASE)
_TSG = {
    "S": "SA",
    "C": "CT",
    "R": "RAN",
    "G": "GERAN",
    "SA": "SA",
    "CT": "CT",
    "RAN": "RAN",
    "GERAN": "GERAN",
    "T": "T",
}


class ContributionNumber(NamedTuple):
    """`base` in one spelling (S1-254001, S3I-230123) and the revision the archive appends to it, 0 for none."""

    base: str
    revision: int = 0

    def __str__(self) -> str:
        return f"{self.base}r{self.revision:02d}" if self.revision else self.base


class MeetingName(NamedTuple):
    """A group and the number of its meeting: SA1, 111."""

    group: str
    number: str

    def __str__(self) -> str:
        return f"{self.group}#{self.number}"


def contribution_number(file_name: str) -> ContributionNumber | None:
    """The number a file name begins with or holds: `S1-254001.zip`, `s3i230123.doc`, `SP_231234 r1 clean.docx`.

    Of several (`S1-254002_was_S1-254001`) the first counts. None where there is none.
    """
    found = _NUMBER.search(file_name)
    if found is None:
        return None
    return ContributionNumber(f"{found['group'].upper()}-{found['digits']}", int(found["revision"] or 0))


def meeting_name(folder_name: str) -> MeetingName | None:
    """The meeting a folder is named after: `TSGS1_111_Goteborg` is SA1#111, `TSG_SA1#111`... None where it is none."""
    name = folder_name.strip()
    found = _MEETING_FOLDER.match(name.replace("TSG_", "TSG", 1))
    if found is not None and found["tsg"].upper() in _TSG:
        return MeetingName(_TSG[found["tsg"].upper()] + found["wg"], found["number"])
    plain = _PLAIN_MEETING.match(name.removeprefix("TSG_"))
    return MeetingName(plain["group"].upper(), plain["number"]) if plain else None


def meeting_id_of(name: str) -> str:
    """The id of a meeting as people write it; a name of another form as it is."""
    return str(meeting_name(name) or name)
