"""Flows: searches written as generators, which read like their specification and do no I/O of their own.

A flow yields effects (what it needs done) and receives their results. A `Run` is one flow in progress: it keeps the log
of every effect with its result, and replaying that log rebuilds it after a page reload or a crash. `drive` performs
effects until the flow ends or asks a person, which is the one effect that no program performs.

    def greet(name: str) -> Steps[str]:
        weather = yield from perform(LookUpWeather(name))
        return f"{name}: {weather}"
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from locator_search.core.errors import FlowLogRefused
from locator_search.core.usage import NOTHING_USED, Usage, metered

Inputs = TypeVar("Inputs")
Outcome = TypeVar("Outcome")
Result = TypeVar("Result")


class Effect(Generic[Result]):
    """Something a flow needs done. Subclasses are frozen dataclasses and name the type of their result once:
    `class Retrieve(Effect[Retrieval])`.
    """

    @classmethod
    def result_type(cls) -> Any:
        """The type argument the class was declared with."""
        for base in getattr(cls, "__orig_bases__", ()):
            return get_args(base)[0]
        raise TypeError(f"{cls.__name__} does not say what it results in")


class AskUser(Effect[str]):
    """An effect that a person performs: `drive` stops at it. Subclasses carry what the person is shown."""


Steps = Generator[Effect[Any], Any, Outcome]
"""A flow in progress: yields effects, receives their results, returns its outcome."""


def perform(effect: Effect[Result]) -> Generator[Effect[Any], Any, Result]:
    """`result = yield from perform(effect)`, with the type of the result known."""
    result: Result = yield effect
    return result


@dataclass(frozen=True)
class Flow(Generic[Inputs, Outcome]):
    """A kind of flow. A new `version` is due whenever the same results could lead to other effects than before."""

    name: str
    version: str
    inputs_type: Hashable
    start: Callable[[Inputs], Steps[Outcome]]


class _LoggedStep(BaseModel):
    effect: str
    digest: str
    result: Any
    usage: Usage = NOTHING_USED


class _Log(BaseModel):
    flow: str
    version: str
    inputs: Any
    steps: list[_LoggedStep] = []


class Run(Generic[Inputs, Outcome]):
    """One flow in progress: `pending` is the effect it waits for, `performed` are those before it, `outcome` is
    what it came to once it has ended.

    Every result passes through JSON before the flow sees it, so that a first run and its replay see the same values.
    """

    def __init__(self, flow: Flow[Inputs, Outcome], inputs: Inputs) -> None:
        self.flow = flow
        adapter = _adapter(flow.inputs_type)
        self._log = _Log(flow=flow.name, version=flow.version, inputs=adapter.dump_python(inputs, mode="json"))
        self.inputs: Inputs = adapter.validate_python(self._log.inputs)
        self.outcome: Outcome | None = None
        self.pending: Effect[Any] | None = None
        self.performed: list[Effect[Any]] = []
        self._steps = flow.start(self.inputs)
        self._advance(None)

    @classmethod
    def replay(cls, flow: Flow[Inputs, Outcome], log: str) -> Run[Inputs, Outcome]:
        """The run that wrote `log`, where it stood. Performs nothing.

        Raises FlowLogRefused when another flow or version wrote it, or when its effects are not those of this flow.
        """
        try:
            kept = _Log.model_validate_json(log)
            if (kept.flow, kept.version) != (flow.name, flow.version):
                raise FlowLogRefused(
                    f"This search was begun by {kept.flow} version {kept.version}; this program runs"
                    f" {flow.name} version {flow.version}.",
                    hint="Start the search again.",
                )
            run = cls(flow, _adapter(flow.inputs_type).validate_python(kept.inputs))
            for step in kept.steps:
                run._repeat(step)
        except ValidationError:
            raise FlowLogRefused("The log of this search cannot be read.", hint="Start the search again.") from None
        return run

    @property
    def log(self) -> str:
        """The inputs and every result so far, as JSON: all that has to be kept of a run."""
        return self._log.model_dump_json()

    @property
    def usage(self) -> Usage:
        """Tokens, cost and seconds of models for the results so far. A replay adds nothing."""
        return sum((step.usage for step in self._log.steps), NOTHING_USED)

    def results(self, kind: type[Effect[Result]], *, since: type[Effect[Any]] | None = None) -> list[Result]:
        """The results of the effects of this class so far, in their order; of those after the last of another class,
        where that was performed."""
        adapter, names = _adapter(kind.result_type()), [step.effect for step in self._log.steps]
        before = len(names) - names[::-1].index(since.__name__) if since and since.__name__ in names else 0
        steps = self._log.steps[before:]
        return [adapter.validate_python(step.result) for step in steps if step.effect == kind.__name__]

    def last_result(self, kind: type[Effect[Result]]) -> Result | None:
        """The result of the last effect of this class; None when there was none yet."""
        for step in reversed(self._log.steps):
            if step.effect == kind.__name__:
                result: Result = _adapter(kind.result_type()).validate_python(step.result)
                return result
        return None

    def feed(self, result: object, usage: Usage = NOTHING_USED) -> None:
        """Give the pending effect its result, and what models took for it, and run on to the next effect or the end.

        Raises TypeError when nothing is pending or the result is not of the effect's type.
        """
        if self.pending is None:
            raise TypeError("this run waits for nothing")
        adapter = _adapter(self.pending.result_type())
        try:
            value = adapter.dump_python(result, mode="json", warnings="error")
        except PydanticSerializationError as error:
            raise TypeError(f"{type(self.pending).__name__} got a result of another type: {error}") from None
        self._take(self.pending, value, usage)

    def _repeat(self, step: _LoggedStep) -> None:
        pending = self.pending
        if pending is None or (step.effect, step.digest) != (type(pending).__name__, _digest(pending)):
            raise FlowLogRefused(
                "The log of this search does not fit this program: its steps differ.", hint="Start the search again."
            )
        self._take(pending, step.result, step.usage)

    def _take(self, effect: Effect[Any], value: object, usage: Usage) -> None:
        result = _adapter(effect.result_type()).validate_python(value)
        step = _LoggedStep(effect=type(effect).__name__, digest=_digest(effect), result=value, usage=usage)
        self._log.steps.append(step)
        self.performed.append(effect)
        self._advance(result)

    def _advance(self, result: object) -> None:
        try:
            self.pending = self._steps.send(result)
        except StopIteration as end:
            self.pending, self.outcome = None, end.value


Handlers = Mapping[type[Effect[Any]], Callable[[Any], object]]
"""The function that performs each class of effect."""


def drive(
    run: Run[Any, Any],
    handlers: Handlers,
    *,
    announce: Callable[[Effect[Any]], None] | None = None,
    checkpoint: Callable[[str], None] | None = None,
) -> None:
    """Perform the run's effects until it ends or asks a person.

    Each effect is announced before it is performed; after each one `checkpoint` receives the log. A handler that
    raises leaves the run where it was: driving it again repeats that one effect.
    """
    while run.pending is not None and not isinstance(run.pending, AskUser):
        if announce is not None:
            announce(run.pending)
        with metered() as meter:
            result = handlers[type(run.pending)](run.pending)
        run.feed(result, meter.total)
        if checkpoint is not None:
            checkpoint(run.log)


@cache
def _adapter(kind: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, kind))


def _digest(effect: Effect[Any]) -> str:
    return hashlib.sha256(to_json(effect)).hexdigest()[:16]
