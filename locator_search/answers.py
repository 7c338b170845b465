"""What a chat model answers, one schema per task. Prompts name them; offline stand-ins fill them.

| task               | inputs                                                            | answer          |
|--------------------|-------------------------------------------------------------------|-----------------|
| summarise          | text                                                              | SummaryAnswer   |
| search_keywords    | question                                                          | KeywordsAnswer  |
| narrowing_question | question, facet, choices [{label, count}], summaries [str]        | QuestionAnswer  |
| rerank             | question, files [{id, file_name, summary, keywords, modified_at, folder_path}] | RankingAnswer |
| rewrite            | question, keywords, summaries [str]                               | RewriteAnswer   |
| relax              | question, keywords                                                | KeywordsAnswer  |
"""

from __future__ import annotations

from pydantic import BaseModel, Field


class SummaryAnswer(BaseModel):
    """Summary and one to five keywords of one file."""

    summary: str = Field(min_length=1)
    keywords: list[str] = Field(min_length=1, max_length=5)


class KeywordsAnswer(BaseModel):
    """Search keywords, proper nouns first. For `relax`: fewer than were given."""

    keywords: list[str] = Field(max_length=5)


class QuestionAnswer(BaseModel):
    """Exactly one question to the person."""

    question: str = Field(min_length=1)


class RankingAnswer(BaseModel):
    """File ids in the order of the person's intent, best first."""

    file_ids: list[str]


class RewriteAnswer(BaseModel):
    """The question said better for retrieval."""

    query: str = Field(min_length=1)
    keywords: list[str] = Field(max_length=5)
