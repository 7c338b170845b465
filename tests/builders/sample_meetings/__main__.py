"""``python -m tests.builders.sample_meetings OUT_DIR`` writes the sample meetings; .doc files need LibreOffice."""

import sys
from pathlib import Path

from tests.builders.sample_meetings.archive import write_archive


def main(arguments: list[str]) -> int:
    """Write the sample meetings into the one directory named in ``arguments``; return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.builders.sample_meetings OUT_DIR\n")
        return 2
    for path in write_archive(Path(arguments[0])):
        sys.stdout.write(f"{path}\n")
    return 0


sys.exit(main(sys.argv[1:]))
