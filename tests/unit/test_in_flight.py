"""What several threads ask for at the same time is asked for once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock

import pytest

from locator_search.indexing.in_flight import InFlight


class Service:
    """Answers each key with itself, when `open`; notes who was asked for what."""

    def __init__(self) -> None:
        self.open = Event()
        self.asked: list[str] = []
        self.began = Event()
        self._lock = Lock()

    def ask(self, keys: Sequence[str]) -> Mapping[str, str]:
        with self._lock:
            self.asked += keys
        self.began.set()
        assert self.open.wait(60)
        return {key: key.upper() for key in keys}


def test_who_comes_second_waits_for_the_answer_of_the_first() -> None:
    flight, service = InFlight[str](), Service()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flight.get, ["a", "footer"], service.ask)
        assert service.began.wait(60)
        second = threads.submit(flight.get, ["footer", "b", "b"], service.ask)
        service.open.set()
        assert first.result(60) == {"a": "A", "footer": "FOOTER"}
        assert second.result(60) == {"b": "B", "footer": "FOOTER"}
    assert sorted(service.asked) == ["a", "b", "footer"]


def test_no_two_wait_for_each_other() -> None:
    flight, together = InFlight[str](), Barrier(2)

    def ask(keys: Sequence[str]) -> Mapping[str, str]:
        together.wait(60)  # both have asked for something by then
        return {key: key for key in keys}

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(flight.get, [own, "footer", "name"], ask) for own in ("a", "b")]
        assert [len(one.result(60)) for one in both] == [3, 3]


def test_a_failure_is_its_own_and_the_others_ask_again() -> None:
    flight, service = InFlight[str](), Service()
    refused = Event()

    def refuse(_keys: Sequence[str]) -> Mapping[str, str]:
        refused.set()
        assert service.began.wait(60)
        raise ValueError("too long")

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flight.get, ["bad", "footer"], refuse)
        assert refused.wait(60)
        second = threads.submit(flight.get, ["good", "footer"], service.ask)
        service.open.set()
        with pytest.raises(ValueError, match="too long"):
            first.result(60)
        assert second.result(60) == {"good": "GOOD", "footer": "FOOTER"}
    assert sorted(service.asked) == ["footer", "good"]
    assert flight.get(["bad"], service.ask) == {"bad": "BAD"}, "nothing is remembered here"
