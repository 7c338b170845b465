"""The BatchService port over the batch endpoints: a file of requests goes up, a file of answers comes down."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from openai._legacy_response import HttpxBinaryResponseContent
from openai.types import Batch, FileObject
from openai.types.chat import ChatCompletion

from locator_search.adapters.openai_models.chat_model import OpenAiChatModel, read_answer, usage_of
from locator_search.adapters.openai_models.client import OpenAiClient
from locator_search.core.errors import ConfigurationError, LocatorError, UnknownModel
from locator_search.core.usage import NOTHING_USED
from locator_search.ports import Answer, BatchAnswer, BatchedQuestion, BatchProgress, Prompt

BATCH_DISCOUNT = 0.5
TRANSFER_SECONDS = 600.0
TOKEN = "document_locator"  # noqa: S105 - a label in the metadata of a batch
LOOKED_THROUGH = 1000
ENDINGS = ("completed", "expired", "cancelled", "failed")

logger = logging.getLogger(__name__)


class OpenAiBatches:
    """Sends the same requests as the live model, and accepts the same answers."""

    def __init__(self, client: OpenAiClient, model_name: str) -> None:
        self._client = client
        self._chat = OpenAiChatModel(client, model_name)
        self._api = client.api.with_options(timeout=TRANSFER_SECONDS)

    def question(self, key: str, prompt: Prompt[Answer]) -> BatchedQuestion:
        """The line that asks `prompt`; its answer comes back under `key`."""
        body = self._chat.request(prompt)
        line = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": body}
        tokens = self._chat.tokens_at_most(body["messages"], prompt.max_tokens)
        price = self._client.price(self._chat.model_name, *tokens)
        at_most = None if price is None else price * BATCH_DISCOUNT
        return BatchedQuestion(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n", at_most)

    def submit(self, file: Path, token: str) -> str:
        """Hand over a file of lines; returns the id of the batch. With a token used before: the batch made then."""
        known = self.find(token)
        if known is not None:
            return known
        try:
            uploaded = self._client.ask_for_free(lambda: self._api.files.create(file=file, purpose="batch"), FileObject)
            # An answer that is lost on its way is no reason to pay twice: every further try looks first.
            tried: list[bool] = []

            def create() -> str:
                before = _with_token(self._newest(), token) if tried else None
                tried.append(True)
                return before or self._create(uploaded.id, token)

            return self._client.ask_for_free(create, str)
        except UnknownModel:
            raise _no_batches() from None

    def _create(self, file_id: str, token: str) -> str:
        batch = self._api.batches.create(
            input_file_id=file_id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={TOKEN: token},
        )
        return batch.id

    def find(self, token: str) -> str | None:
        """The id of the batch that was submitted with a token, None where there is none."""
        try:
            return _with_token(self._client.ask_for_free(self._newest, list), token)
        except UnknownModel:
            raise _no_batches() from None

    def _newest(self) -> list[Batch]:
        return list(islice(self._api.batches.list(limit=100), LOOKED_THROUGH))

    def progress(self, batch_id: str) -> BatchProgress | None:
        """How far a batch has come; None where the service knows of none."""
        try:
            batch = self._retrieve(batch_id)
        except UnknownModel:
            return None
        codes = {error.code or "unknown" for error in (batch.errors.data or [])} if batch.errors else set()
        return BatchProgress(
            ending=batch.status if batch.status in ENDINGS else "",
            done=batch.request_counts.completed if batch.request_counts else 0,
            problem=", ".join(sorted(codes)),
        )

    def answers(self, batch_id: str, model: str, output_model: type[Answer]) -> list[BatchAnswer]:
        """The answers and errors of an ended batch, in any order."""
        batch = self._retrieve(batch_id)
        return [
            answer
            for file_id in (batch.output_file_id, batch.error_file_id)
            if file_id
            for line in self._lines(file_id)
            if (answer := self._answer(line, model, output_model)) is not None
        ]

    def forget(self, batch_id: str) -> None:
        """Delete the files of a batch at the service. Never fails."""
        try:
            batch = self._retrieve(batch_id)
            for file_id in filter(None, (batch.input_file_id, batch.output_file_id, batch.error_file_id)):
                self._api.files.delete(file_id)
        except Exception as error:  # the service deletes them itself one day
            logger.debug("The files of a batch could not be deleted: %s", type(error).__name__)

    def _retrieve(self, batch_id: str) -> Batch:
        return self._client.ask_for_free(lambda: self._api.batches.retrieve(batch_id), Batch)

    def _lines(self, file_id: str) -> Iterator[str]:
        content = self._client.ask_for_free(lambda: self._api.files.content(file_id), HttpxBinaryResponseContent)
        return iter(content.content.decode("utf-8", "replace").split("\n"))

    def _answer(self, line: str, model: str, output_model: type[Answer]) -> BatchAnswer | None:
        """The answer in a line; None for a line that names no question."""
        try:
            answered = json.loads(line)
            key = str(answered["custom_id"])
        except (ValueError, TypeError, KeyError):
            return None
        error, response = answered.get("error"), answered.get("response")
        if isinstance(error, dict) and error:
            code = str(error.get("code"))
            return BatchAnswer(key, None, NOTHING_USED, f"failed ({code})", expired=code == "batch_expired")
        try:
            if response["status_code"] != 200:
                return BatchAnswer(key, None, NOTHING_USED, f"was refused ({response['status_code']})")
            completion = ChatCompletion.construct(**response["body"])  # as lenient as the vendor's client is
            used = usage_of(completion, model, self._client)
            answer, complaint = read_answer(completion, output_model)
        except (TypeError, KeyError, AttributeError, ValueError):
            return BatchAnswer(key, None, NOTHING_USED, "is no completion")
        usage = replace(used, cost_usd=used.cost_usd * BATCH_DISCOUNT)
        return BatchAnswer(key, answer.model_dump_json() if answer is not None else None, usage, complaint)


def _with_token(batches: list[Batch], token: str) -> str | None:
    labels = ((batch.id, batch.metadata or {}) for batch in batches if isinstance(batch, Batch))
    return next((batch_id for batch_id, metadata in labels if metadata.get(TOKEN) == token), None)


def _no_batches() -> LocatorError:
    return ConfigurationError(
        "The model server has no Batch API.", hint="Run the crawl without --batch, or check OPENAI_BASE_URL."
    )
