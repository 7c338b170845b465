"""Flows in general: logs, replay, refusal, progress, checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import pytest

from locator_search.core.errors import FlowLogRefused
from locator_search.drive_search.flow import AskUser, Effect, Flow, Run, Steps, drive, perform


@dataclass(frozen=True)
class Trip:
    day: date
    town: str


@dataclass(frozen=True)
class LookUpWeather(Effect[tuple[str, float]]):
    trip: Trip


@dataclass(frozen=True)
class AskWhetherToGo(AskUser):
    forecast: str


def plan(trip: Trip) -> Steps[str]:
    weather, degrees = yield from perform(LookUpWeather(trip))
    answer = yield from perform(AskWhetherToGo(f"{weather}, {degrees}"))
    return f"{trip.town} {trip.day}: {answer}"


PLAN = Flow("plan", "1", Trip, plan)
TRIP = Trip(date(2026, 11, 21), "京都")


def rain(effect: LookUpWeather) -> tuple[str, float]:
    return "雨", 12.5


def test_a_run_performs_effects_until_it_asks_a_person() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    assert run.pending == AskWhetherToGo("雨, 12.5")
    assert run.outcome is None


def test_a_run_ends_with_its_outcome() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    run.feed("行く")
    assert (run.pending, run.outcome) == (None, "京都 2026-11-21: 行く")


def test_replaying_a_log_rebuilds_the_run_without_performing_anything() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    replayed = Run.replay(PLAN, run.log)
    assert replayed.pending == run.pending
    assert replayed.log == run.log
    run.feed("行かない")
    assert Run.replay(PLAN, run.log).outcome == run.outcome


def test_a_log_of_another_version_is_refused() -> None:
    log = Run(PLAN, TRIP).log
    with pytest.raises(FlowLogRefused, match="version 1"):
        Run.replay(replace(PLAN, version="2"), log)


def test_a_log_of_another_flow_is_refused() -> None:
    with pytest.raises(FlowLogRefused):
        Run.replay(replace(PLAN, name="pack"), Run(PLAN, TRIP).log)


def test_a_log_whose_effects_differ_is_refused() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    with pytest.raises(FlowLogRefused, match="steps differ"):
        Run.replay(PLAN, run.log.replace("京都", "奈良"))


def test_a_log_with_more_steps_than_the_flow_takes_is_refused() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    run.feed("行く")
    first_step = run.log.index('{"effect"')
    longer = run.log[:-2] + "," + run.log[first_step:]
    with pytest.raises(FlowLogRefused):
        Run.replay(PLAN, longer)


@pytest.mark.parametrize("log", ["", "not json", "{}", '{"flow": "plan", "version": "1", "inputs": {}}'])
def test_an_unreadable_log_is_refused_in_one_sentence(log: str) -> None:
    with pytest.raises(FlowLogRefused, match="cannot be read"):
        Run.replay(PLAN, log)


def test_each_effect_is_announced_before_and_checkpointed_after() -> None:
    told: list[str] = []
    run = Run(PLAN, TRIP)
    drive(
        run,
        {LookUpWeather: rain},
        announce=lambda effect: told.append(type(effect).__name__),
        checkpoint=lambda log: told.append("雨" if "雨" in log else "nothing yet"),
    )
    assert told == ["LookUpWeather", "雨"]


def test_a_failed_effect_can_be_tried_again() -> None:
    def fail(effect: LookUpWeather) -> tuple[str, float]:
        raise OSError("no network")

    run = Run(PLAN, TRIP)
    before = run.log
    with pytest.raises(OSError, match="no network"):
        drive(run, {LookUpWeather: fail})
    assert run.log == before
    drive(run, {LookUpWeather: rain})
    assert isinstance(run.pending, AskWhetherToGo)


def test_a_result_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match="LookUpWeather"):
        Run(PLAN, TRIP).feed("雨")


def test_a_run_that_has_ended_takes_no_more_results() -> None:
    run = Run(PLAN, TRIP)
    drive(run, {LookUpWeather: rain})
    run.feed("行く")
    with pytest.raises(TypeError):
        run.feed("行く")


def test_the_last_result_of_an_effect_can_be_read_back() -> None:
    run = Run(PLAN, TRIP)
    assert run.last_result(LookUpWeather) is None
    drive(run, {LookUpWeather: rain})
    assert run.last_result(LookUpWeather) == ("雨", 12.5)
