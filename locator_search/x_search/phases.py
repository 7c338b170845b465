"""The progress of a session: six phases with the weights of the design, and an estimate of the time left. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from locator_search.ports.x.sessions import Phase

PHASE_WEIGHTS: Mapping[Phase, float] = {
    "query_generation": 0.10,
    "searching": 0.30,
    "embedding": 0.20,
    "ranking": 0.15,
    "reranking": 0.15,
    "saving": 0.10,
}
PHASES: tuple[Phase, ...] = tuple(PHASE_WEIGHTS)


def total_progress(phase: Phase, share: float) -> float:
    """Progress in [0, 1] of a whole session: the weights of the phases before, and the share done of this one."""
    before = sum(PHASE_WEIGHTS[earlier] for earlier in PHASES[: PHASES.index(phase)])
    return min(1.0, before + PHASE_WEIGHTS[phase] * min(max(share, 0.0), 1.0))


def seconds_left(worked: float, progress: float, pause: float = 0.0) -> float | None:
    """About how many seconds more: as fast as so far, and the pause X asked for. None before anything can be said."""
    if progress <= 0 or worked <= 0:
        return pause or None
    return worked * (1 - progress) / progress + pause
