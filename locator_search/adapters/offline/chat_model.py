"""A chat model without a model: each task is answered by rules over the words of its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from locator_search.core.errors import BadModelOutput
from locator_search.ports import Answer, Prompt


class OfflineChatModel:
    """A `ChatModel` that needs no key and no network. It answers the tasks of `answers.py` and never fails on
    what a file or a person wrote."""

    model_name = "offline-extractive-1"

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """The answer to one task. Raises BadModelOutput for a task it does not know."""
        task = _task(prompt.task)
        if task is None:
            raise BadModelOutput(f"The offline model knows no task called {prompt.task!r}.")
        try:
            return prompt.output_model.model_validate(task(prompt))
        except ValidationError as error:
            raise BadModelOutput(f"The offline model's answer to {prompt.task!r} does not fit its schema.") from error


def _task(name: str) -> Callable[[Prompt[Any]], dict[str, object]] | None:
    """The rules are imported when they are asked for: a crawl without news asks for none, and no crawl for claims."""
    from locator_search.adapters.offline import file_tasks

    if name in file_tasks.TASKS:
        return file_tasks.TASKS[name]
    from locator_search.adapters.offline import evidence_tasks

    return evidence_tasks.TASKS.get(name)
