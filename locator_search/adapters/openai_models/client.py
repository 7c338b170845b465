"""One request to an OpenAI-compatible server: a slot, a time-out for the whole of it, our own retries, errors in one
sentence."""

from __future__ import annotations

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

import httpx2
import openai
from openai.pagination import SyncPage
from openai.types import Model

from locator_search.adapters.http.bounded import BoundedTransport
from locator_search.adapters.openai_models.prices import cost_usd
from locator_search.adapters.openai_models.resting import REST_SECONDS, RestingModels
from locator_search.core.errors import (
    BudgetExhausted,
    DeadlinePassed,
    KeyRefused,
    LocatorError,
    ModelError,
    ModelTimedOut,
    ModelUnavailable,
    UnknownModel,
)
from locator_search.core.refusals import Refusals
from locator_search.core.retry import parse_retry_after, with_retries
from locator_search.core.usage import Usage
from locator_search.llm.budget import Budget
from locator_search.ports import Clock, RequestSlots

Response = TypeVar("Response")

OPENAI_URL = "https://api.openai.com/v1"
TIMEOUT_SECONDS = 60.0
LOOK_UP_SECONDS = 10.0
SERVICE = "model"
NO_KEY = "none"
"""The key for servers that ask for none, because the vendor's client insists on one."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Bill(Generic[Response]):
    """The task and model that a call is charged to, the most tokens it may take, and how to read its usage."""

    task: str
    model: str
    input_tokens: int
    output_tokens: int
    usage: Callable[[Response], Usage]


class OpenAiClient:
    """The vendor's client with its own retries off, because ours are the only ones."""

    def __init__(
        self,
        *,
        api_key: str | None,
        slots: RequestSlots,
        clock: Clock,
        budget: Budget,
        base_url: str | None = None,
        organization: str | None = None,
    ) -> None:
        self.own_server = base_url is not None
        self.has_key = api_key is not None
        self.under_way: Counter[str] = Counter()
        """Calls of this process by task that have not ended, those that wait for a slot among them."""
        self._counting = Lock()
        self._slots = slots
        self._clock = clock
        self._budget = budget
        self._resting = RestingModels()
        self._refusals = defaultdict[str, Refusals](lambda: Refusals(REST_SECONDS))
        self.api = openai.OpenAI(
            api_key=api_key or NO_KEY,
            base_url=base_url or OPENAI_URL,  # or the SDK would read the variable itself, blank or not
            organization=organization,
            timeout=TIMEOUT_SECONDS,
            max_retries=0,
            http_client=httpx2.Client(transport=BoundedTransport(), timeout=TIMEOUT_SECONDS),
        )

    def close(self) -> None:
        """Close the connections that are kept."""
        self.api.close()

    def send(self, request: Callable[[], Response], expected: type[Response], bill: Bill[Response]) -> Response:
        """Call `request` up to six times and return its result; at most five run at once over the whole deployment.

        A question tries as often as its deadline allows, and not while the model rests because it failed another.

        Raises ModelUnavailable when the service keeps failing, ModelError or ConfigurationError when it refuses, and
        BudgetExhausted when nothing more may be paid.
        """
        self._resting.refuse(bill.model)
        at_most = self.price(bill.model, bill.input_tokens, bill.output_tokens)
        with self._counting:
            self.under_way[bill.task] += 1
            refusals = self._refusals[bill.model]  # a key may be good for one model and not for another
        waiting_since = monotonic()

        def attempt() -> Response:
            with self._slots.slot(SERVICE), self._budget.reserved(bill.model, at_most):
                refusals.check(waiting_since)
                began = monotonic()
                try:
                    response = self._asked(request, expected)
                except (KeyRefused, BudgetExhausted) as error:
                    refusals.note(error)
                    raise
                usage = replace(bill.usage(response), seconds=monotonic() - began)
                self._budget.paid(bill.task, bill.model, usage)
                return response

        try:
            response = with_retries(attempt, self._clock)
        except DeadlinePassed:
            raise ModelTimedOut("The model service has too much to do: it was never our turn.") from None
        except (ModelUnavailable, KeyRefused, UnknownModel) as error:
            self._resting.failed(bill.model, error)
            raise
        else:
            self._resting.answered(bill.model)
            return response
        finally:
            with self._counting:
                self.under_way[bill.task] -= 1

    def ask_for_free(self, request: Callable[[], Response], expected: type[Response]) -> Response:
        """Send a request that costs nothing, with the same retries and slots as `send`."""

        def attempt() -> Response:
            with self._slots.slot(SERVICE):
                return self._asked(request, expected)

        return with_retries(attempt, self._clock)

    def look_up(self, model: str) -> Model | None:
        """The service's description of a model, for free; None where a server of one's own has none.

        Raises ModelUnavailable or ConfigurationError.
        """
        api = self.api.with_options(timeout=LOOK_UP_SECONDS)
        with self._slots.slot(SERVICE):
            try:
                return self._asked(lambda: api.models.retrieve(model), Model)
            except UnknownModel:
                listed = self._listed(api) if self.own_server else set()
                if not self.own_server or (listed and not listed & {model, f"{model}:latest"}):
                    raise
                return None

    def _listed(self, api: openai.OpenAI) -> set[str]:
        """The models of a server that cannot tell about one; none when it cannot list them either."""
        try:
            return {each.id for each in self._asked(api.models.list, SyncPage).data}
        except LocatorError:
            return set()

    def price(self, model: str, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float | None:
        """The price of a call in US dollars. A model without a listed price is free on a server of one's own; elsewhere
        its price is unknown (None)."""
        cost = cost_usd(model, input_tokens, output_tokens, cached_tokens)
        return 0.0 if cost is None and self.own_server else cost

    def _asked(self, request: Callable[[], Response], expected: type[Response]) -> Response:
        try:
            response = request()
        except openai.OpenAIError as error:
            raise self._translated(error) from None
        except json.JSONDecodeError:
            raise ModelUnavailable("The model service answered with broken JSON.") from None
        if not isinstance(response, expected):
            # A proxy's login page comes back as a string with status 200.
            raise ModelUnavailable(
                "The model service answered with something that is not an answer.",
                hint="Check OPENAI_BASE_URL and the proxy settings.",
            )
        return response

    def _translated(self, error: openai.OpenAIError) -> LocatorError:
        if isinstance(error, openai.APITimeoutError):
            return ModelTimedOut("The model service did not answer in time.")
        if isinstance(error, openai.APIConnectionError):
            return self._unreachable()
        if isinstance(error, openai.APIStatusError):
            return self._translated_status(error)
        return ModelError(f"The model service failed: {type(error).__name__}.")

    def _unreachable(self) -> LocatorError:
        if not self.own_server:
            return ModelUnavailable("The model service cannot be reached.", hint="Check the network.")
        address = self.api.base_url
        where = f"{address.host}:{address.port}" if address.port else address.host
        return ModelUnavailable(
            f"The model service at {where} cannot be reached.", hint="Check that it runs there, and the address."
        )

    def _translated_status(self, error: openai.APIStatusError) -> LocatorError:
        if error.code == "insufficient_quota":
            return BudgetExhausted("The model account has no credit left.", "Add credit or another OPENAI_API_KEY.")
        if error.status_code in (408, 409, 429) or error.status_code >= 500:
            unavailable = ModelUnavailable(f"The model service answered {error.status_code}.")
            asked = error.response.headers.get("retry-after")
            if asked:
                unavailable.retry_after = parse_retry_after(asked, self._clock.now())
            return unavailable
        if error.status_code in (401, 403):
            return KeyRefused("The model service refused the key.", hint="Check OPENAI_API_KEY and OPENAI_ORG.")
        if error.status_code == 404:
            return UnknownModel(
                "The model service does not know this model or address.",
                hint="Check OPENAI_CHAT_MODEL, OPENAI_EMBEDDING_MODEL and OPENAI_BASE_URL.",
            )
        parameter = f" because of `{error.param}`" if error.param else ""
        return ModelError(
            f"The model service refused the request{parameter} (status {error.status_code}).",
            hint="Another model may accept it: see OPENAI_CHAT_MODEL.",
        )
