"""One request to an OpenAI-compatible server: a slot, a time-out, our own retries, errors in one sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import TypeVar

import openai

from locator_search.errors import ConfigurationError, LocatorError, ModelError, ModelUnavailable
from locator_search.ports import Clock, RequestSlots
from locator_search.retry import parse_retry_after, with_retries

Response = TypeVar("Response")

TIMEOUT_SECONDS = 60.0
SERVICE = "model"

logger = logging.getLogger(__name__)


class OpenAiClient:
    """The vendor's client with its own retries off, because ours are the only ones."""

    def __init__(
        self,
        *,
        api_key: str,
        slots: RequestSlots,
        clock: Clock,
        base_url: str | None = None,
        organization: str | None = None,
    ) -> None:
        self.own_server = base_url is not None
        self._slots = slots
        self._clock = clock
        self.api = openai.OpenAI(
            api_key=api_key,
            base_url=base_url,
            organization=organization,
            timeout=TIMEOUT_SECONDS,
            max_retries=0,
        )

    def send(self, request: Callable[[], Response], expected: type[Response]) -> Response:
        """What `request` returns, tried up to six times, at most five at once over the whole deployment.

        Raises ModelUnavailable when the service keeps failing, ModelError or ConfigurationError when it refuses.
        """

        def attempt() -> Response:
            with self._slots.slot(SERVICE):
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

        return with_retries(attempt, self._clock)

    def _translated(self, error: openai.OpenAIError) -> LocatorError:
        if isinstance(error, openai.APITimeoutError):
            return ModelUnavailable(f"The model service did not answer within {TIMEOUT_SECONDS:.0f} s.")
        if isinstance(error, openai.APIConnectionError):
            return ModelUnavailable(
                "The model service cannot be reached.", hint="Check the network and OPENAI_BASE_URL."
            )
        if isinstance(error, openai.APIStatusError):
            return self._translated_status(error)
        return ModelError(f"The model service failed: {type(error).__name__}.")

    def _translated_status(self, error: openai.APIStatusError) -> LocatorError:
        if error.code == "insufficient_quota":
            return ModelError("The model account has no credit left.", hint="Add credit or another OPENAI_API_KEY.")
        if error.status_code in (408, 409, 429) or error.status_code >= 500:
            unavailable = ModelUnavailable(f"The model service answered {error.status_code}.")
            asked = error.response.headers.get("retry-after")
            if asked:
                unavailable.retry_after = parse_retry_after(asked, self._clock.now())
            return unavailable
        if error.status_code in (401, 403):
            return ConfigurationError("The model service refused the key.", hint="Check OPENAI_API_KEY and OPENAI_ORG.")
        if error.status_code == 404:
            return ConfigurationError(
                "The model service does not know this model or address.",
                hint="Check OPENAI_CHAT_MODEL, OPENAI_EMBEDDING_MODEL and OPENAI_BASE_URL.",
            )
        parameter = f" because of `{error.param}`" if error.param else ""
        return ModelError(
            f"The model service refused the request{parameter} (status {error.status_code}).",
            hint="Another model may accept it: see OPENAI_CHAT_MODEL.",
        )
