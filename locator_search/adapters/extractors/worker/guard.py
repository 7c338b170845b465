"""The process between this product and a worker that reads a suspected file: `python -P -m ...guard COMMAND...`.

What ends its reader and the process above it ends this one, and the crawl lives on to say so. The worker uses our pipes
as they are; its end, signals included, is passed on as our own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys


def main() -> None:
    """Run the command and end as it ended."""
    status = subprocess.run(sys.argv[1:], check=False).returncode  # noqa: S603 - our own worker
    if status >= 0:
        sys.exit(status)
    if -status != signal.SIGKILL:
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)


if __name__ == "__main__":
    main()
