"""``python -m tests.builders.sample_company OUT_DIR`` writes the sample folder."""

import sys
from pathlib import Path

from tests.builders.sample_company.folder import write_folder


def main(arguments: list[str]) -> int:
    """Write the sample folder into the one directory named in ``arguments``; return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.builders.sample_company OUT_DIR\n")
        return 2
    written = write_folder(Path(arguments[0]))
    sys.stdout.write(f"{len(written)} files, {sum(written.values()):,} bytes\n")
    return 0


sys.exit(main(sys.argv[1:]))
