"""`python -m tests.chaos`: play seeds, print the table, and the command that repeats what went wrong."""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from tests.chaos.cluster import cluster
from tests.chaos.faults import FAULTS
from tests.chaos.models import model_service
from tests.chaos.scenario import SIZES, Fault, Outcome, Scenarios
from tests.chaos.table import sentences, table
from tests.chaos.world import descendants, neutral_environment

FEWEST = 24
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


def main() -> int:
    """Exit status 0 when every promise was kept, 1 when one was broken, 2 for wrong usage."""
    options = _options()
    faults = [FAULTS[name] for name in options.faults]
    seeds = [options.seed] if options.seed is not None else range(1, (options.seeds or len(faults)) + 1)
    # Whatever is orphaned comes back to us, so that what is left behind is seen.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    environment = neutral_environment()
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    scratch = Path(tempfile.mkdtemp(prefix="chaos-"))
    os.chdir(scratch)  # no .env of anybody
    scratch.chmod(0o755)  # the account that root runs PostgreSQL as has to pass
    try:
        with cluster(scratch) as databases, model_service() as models:
            scenarios = Scenarios(scratch, databases, models, options.files)
            outcomes = [_play(scenarios, faults[(seed - 1) % len(faults)], seed) for seed in seeds]
    except KeyboardInterrupt:
        return 130
    finally:
        for process in descendants(os.getpid()):  # all of them were started here
            with suppress(psutil.NoSuchProcess):
                process.kill()
        shutil.rmtree(scratch, ignore_errors=True)
    print("\n" + "\n".join(table(outcomes)))
    for outcome in outcomes:
        if outcome.skipped:
            print(f"not played: {outcome.fault}, {outcome.skipped}")
        if not outcome.good:
            print(f'seed {outcome.seed}: make chaos ARGS="--seed {outcome.seed} --faults {outcome.fault}"')
    return 0 if all(outcome.good for outcome in outcomes) else 1


def _play(scenarios: Scenarios, fault: Fault, seed: int) -> Outcome:
    began = time.monotonic()
    outcome = scenarios.play(fault, seed)
    verdict = f"not played, {outcome.skipped}" if outcome.skipped else "good" if outcome.good else "BROKEN"
    print(
        f"seed {seed}  {fault.name}  struck {outcome.struck}  {time.monotonic() - began:.0f} s  {verdict}", flush=True
    )
    for sentence in sentences(outcome):
        print(f"    {sentence}", flush=True)
    return outcome


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--seeds", type=int, help="play seeds 1 to N (default: each of the faults once)")
    parser.add_argument("--seed", type=int, help="play this seed alone")
    parser.add_argument(
        "--files", type=_size, default=SIZES, help="about so many files per folder (default: 60 to 110)"
    )
    parser.add_argument("--faults", type=_names, default=list(FAULTS), help="only these, comma-separated")
    parser.epilog = f"Faults: {', '.join(FAULTS)}."
    return parser.parse_args()


def _size(word: str) -> Sequence[int]:
    if int(word) < FEWEST:
        raise argparse.ArgumentTypeError(f"at least {FEWEST}, for a fault needs time to strike")
    return (int(word),)


def _names(words: str) -> Sequence[str]:
    names = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [name for name in names if name not in FAULTS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"no such fault: {', '.join(unknown) or 'none named'}")
    return names


if __name__ == "__main__":
    sys.exit(main())
