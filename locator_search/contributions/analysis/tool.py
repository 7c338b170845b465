"""`search_evidence`: the one tool an agent has. Whatever it is asked, it answers with evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from locator_search.contributions.analysis.subjects import Subject, subject_of
from locator_search.core.errors import ConfigurationError
from locator_search.llm.answers import EvidenceCallAnswer
from locator_search.model import Evidence, SearchFilters
from locator_search.ports import EvidenceProvider
from locator_search.retrieval.evidence import AsyncEvidenceProvider, provider_of

MOST_CALLS = 3
"""Searches of one analysis that a model may ask for, on top of those that are always made."""
SEARCHED_PER_CALL = 6
LONGEST_QUERY = 300


class SearchEvidenceArguments(BaseModel):
    """Arguments of the tool."""

    query: str = Field(min_length=1, description="What to look for, in the words of the contribution.")
    contribution_number: str | None = Field(
        default=None, description="Search this contribution alone, for example S1-254001. Null searches all of them."
    )


class SearchEvidenceTool:
    """The tool for agents of any make: `definition` in the form of OpenAI's function calling, and a call."""

    name = "search_evidence"
    description = "Search contributions for passages that are evidence, with their clause and page."

    def __init__(self, provider: EvidenceProvider | AsyncEvidenceProvider, top_k: int = SEARCHED_PER_CALL) -> None:
        self._provider = provider_of(provider)
        self._top_k = top_k

    @property
    def definition(self) -> dict[str, Any]:
        """Name, description and the JSON schema of the arguments."""
        schema = SearchEvidenceArguments.model_json_schema()
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": schema},
        }

    async def __call__(self, query: str, contribution_number: str | None = None) -> list[Evidence]:
        """The evidence for a query, best first."""
        filters = subject_of(contribution_number).filters if contribution_number else SearchFilters()
        return await self._provider.asearch(query[:LONGEST_QUERY], filters, self._top_k)

    async def call(self, arguments: str | Mapping[str, object]) -> list[Evidence]:
        """The same with arguments as a model writes them, JSON or a mapping. Raises ConfigurationError."""
        try:
            read = SearchEvidenceArguments.model_validate(
                json.loads(arguments) if isinstance(arguments, str) else arguments
            )
        except (ValueError, ValidationError):
            raise ConfigurationError(f"The arguments of {self.name} do not fit its schema.") from None
        return await self(read.query, read.contribution_number)


def allowed_call(call: EvidenceCallAnswer, subjects: Sequence[Subject]) -> tuple[str, SearchFilters] | None:
    """A call of the model inside an analysis, kept to the contributions it is about; None for one without words.

    A contribution that is none of them is read as all of them: the evidence stays within what the person chose.
    """
    query = " ".join(call.query.split())[:LONGEST_QUERY]
    if not query:
        return None
    chosen = [one for one in subjects if one.label == call.contribution_number] or list(subjects)
    if len(chosen) == 1:
        return query, chosen[0].filters
    return query, SearchFilters(contribution_numbers=tuple(dict.fromkeys(one.label for one in chosen)))
