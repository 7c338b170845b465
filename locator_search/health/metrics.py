"""`/metrics`: figures in the text format of Prometheus. None holds a name of a file or person, a question or a text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from locator_search.locales.reasons import Reasons
from locator_search.ports import Sample

PREFIX = "document_locator_"
HELP = {
    "files": "Listed files by state.",
    "files_left_out": "Files without text in the index by state and kind of reason.",
    "crawl_age_seconds": "Seconds since the last crawl ended.",
    "read_seconds_last_hour": "Mean seconds that reading a file took, of those read within an hour.",
    "model_calls_total": "Calls of models by task and model.",
    "model_tokens_total": "Tokens of models by task and model.",
    "model_cost_usd_total": "US dollars paid for models by task and model.",
    "model_refusals": "Questions that a model has not answered, by task and model.",
    "model_seconds_total": "Seconds that models took to answer, by task and model.",
    "files_waiting_for_model": "Indexed files in which something stands in for what a model will make, by why.",
    "searches_total": "Searches by surface and outcome.",
    "search_seconds": "Seconds from a question, or the last answer, to the results, by surface.",
    "search_step_seconds": "Seconds of the steps of searches, those of a kind together, by kind.",
    "contributions": "Contributions by state.",
    "x_sessions": "Sessions of X search by status.",
    "request_slots": "Requests that may be in flight to one service at once (LOCATOR_REQUEST_SLOTS).",
    "request_slots_in_use": "Requests in flight to Drive and to models, over all machines.",
    "runs": "Runs of Dagster that are queued or under way, by job and status.",
    "queue_age_seconds": "Seconds that the oldest queued run has waited.",
    "runs_ended_last_hour": "Runs that ended within an hour, by job and status.",
    "run_seconds_last_hour": "Mean seconds of the runs that ended within an hour, by job.",
    "tick_age_seconds": "Seconds since the last tick, by kind: sensor or schedule.",
    "tick_seconds_last_hour": "Mean seconds of the ticks that ended within an hour, by kind.",
    "ticks_failed_last_hour": "Ticks that failed within an hour.",
    "daemon_heartbeat_age_seconds": "Seconds since the daemon was heard of.",
    "crawl_slots": "Batches of files that may be worked on at once (LOCATOR_CRAWL_SLOTS).",
    "crawl_slots_in_use": "Batches of files that are worked on.",
}
_PART_OF_HISTOGRAM = re.compile("_(bucket|sum|count)$")
_KINDS = {"": "gauge", "_bucket": "histogram"}
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def exposition(samples: Iterable[Sample]) -> str:
    """The samples as Prometheus reads them, those of one name together.

    A reason that is no code of ours is counted as `other`: it might be somebody's words.
    """
    known = Reasons.of("en").words
    by_name: dict[str, dict[str, float]] = {name: defaultdict(float) for name in HELP}
    for sample in samples:
        labels = dict(sample.labels)
        if "reason" in labels and labels["reason"] not in known:
            labels["reason"] = "other"
        key = ",".join(f'{name}="{_escaped(value)}"' for name, value in sorted(labels.items()))
        by_name[_PART_OF_HISTOGRAM.sub("", sample.name)][f"{sample.name}{{{key}}}"] += sample.value
    return "".join(_lines(name, values) for name, values in by_name.items() if values)


def _lines(name: str, values: dict[str, float]) -> str:
    first = next(iter(values)).partition("{")[0]
    kind = "counter" if name.endswith("_total") else _KINDS.get(first.removeprefix(name), "summary")
    head = f"# HELP {PREFIX}{name} {HELP[name]}\n# TYPE {PREFIX}{name} {kind}\n"
    return head + "".join(f"{PREFIX}{line} {value:.12g}\n" for line, value in values.items())


def _escaped(value: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "?", value).translate(_ESCAPED)
