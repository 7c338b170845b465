"""Model answers are paid once: a model that remembers what it said."""

from __future__ import annotations

import hashlib
import json

from pydantic import ValidationError

from locator_search.ports import Answer, AnswerMemo, ChatModel, Prompt


class MemoisedChatModel:
    """A `ChatModel` in front of another one. An answer is committed to the memo the moment it arrives."""

    def __init__(self, model: ChatModel, memo: AnswerMemo) -> None:
        self.model_name = model.model_name
        self._model = model
        self._memo = memo

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """The remembered answer, else a new one. Raises what the model behind raises."""
        remembered = self.recall(prompt)
        if remembered is not None:
            return remembered
        answer = self._model.answer(prompt)
        self._memo.put(
            self._key(prompt),
            task=prompt.task,
            prompt_version=prompt.version,
            model=self.model_name,
            answer=answer.model_dump_json(),
        )
        return answer

    def recall(self, prompt: Prompt[Answer]) -> Answer | None:
        """The remembered answer, or None. One that no longer fits its schema counts as forgotten."""
        remembered = self._memo.get(self._key(prompt))
        if remembered is None:
            return None
        try:
            return prompt.output_model.model_validate_json(remembered)
        except ValidationError:
            return None

    def _key(self, prompt: Prompt[Answer]) -> str:
        asked = [
            prompt.task,
            prompt.version,
            self.model_name,
            prompt.language,
            prompt.max_length,
            dict(prompt.inputs),
        ]
        canonical = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()
