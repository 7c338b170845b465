"""Answers of chat models, one schema per task. Prompts name them; offline stand-ins fill them.

| task               | inputs                                                            | answer          |
|--------------------|-------------------------------------------------------------------|-----------------|
| summarise          | text                                                              | SummaryAnswer   |
| search_keywords    | question                                                          | KeywordsAnswer  |
| narrowing_question | question, facet, choices [{label, count}], summaries [str]        | QuestionAnswer  |
| rerank             | question, files [{id, file_name, summary, keywords, modified_at, folder_path}] | RankingAnswer |
| rewrite            | question, keywords, summaries [str]                               | RewriteAnswer   |
| relax              | question, keywords                                                | KeywordsAnswer  |
| more_evidence      | contributions, found [{contribution, clause, beginning}]          | MoreEvidenceAnswer |
| analyse_contribution, compare_contributions, compare_revisions: contributions, evidence [EvidenceCard], covers
  {contribution: fields}, changes [{contribution, clause, edits [{before, after}], evidence_ids}] | ClaimsAnswer    |
| x_queries            | question, today, problem                                      | PostQueriesAnswer |
| x_relevance          | question, posts [{id, text}]                                  | RelevanceAnswer |
| x_answer             | question, posts [{id, text, posted_at}]                       | PostsAnswer     |
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, field_validator


class SummaryAnswer(BaseModel):
    """Summary and one to five keywords of one file."""

    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    keywords: list[str] = Field(min_length=1, max_length=5)

    @field_validator("keywords")
    @classmethod
    def _with_words(cls, keywords: list[str]) -> list[str]:
        words = [keyword.strip() for keyword in keywords if keyword.strip()]
        if not words:
            raise ValueError("no keyword with a letter in it")
        return words


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


class CitationAnswer(BaseModel):
    """The id of a piece of evidence, and words copied out of it."""

    evidence_id: str
    quote: str


class ClaimAnswer(BaseModel):
    """One claim about one aspect."""

    aspect: Literal["answer", "problem", "proposal", "affected_clauses", "changes", "common", "difference", "conflict"]
    text: str
    citations: list[CitationAnswer]


class ClaimsAnswer(BaseModel):
    """The claims of an analysis."""

    claims: list[ClaimAnswer] = Field(max_length=40)


class EvidenceCallAnswer(BaseModel):
    """Arguments of `search_evidence`. A blank contribution number means all contributions of the analysis."""

    query: str
    contribution_number: str


class MoreEvidenceAnswer(BaseModel):
    """Searches that are still to be made; none when the evidence is enough."""

    calls: list[EvidenceCallAnswer] = Field(max_length=3)


class SearchQueryAnswer(BaseModel):
    """The query for one search of a live service; a blank query leaves it out. `also` are put at the same time."""

    query: str
    also: list[str] = Field(default_factory=list, max_length=2)
    alternatives: list[str] = Field(max_length=2)


class LiveAnswer(BaseModel):
    """Markdown that cites evidence by its number in square brackets."""

    answer: str


class PostQueriesAnswer(BaseModel):
    """Queries in the language of X."""

    queries: list[str] = Field(max_length=12)


class RelevanceScore(BaseModel):
    """How well one post answers, 0 to 100."""

    id: str
    score: int


class RelevanceAnswer(BaseModel):
    """One score per post."""

    scores: list[RelevanceScore] = Field(max_length=200)


class CitedSentence(BaseModel):
    """One sentence, and the ids of the posts it rests on."""

    text: str
    post_ids: list[str]


class PostsAnswer(BaseModel):
    """An answer out of posts, sentence by sentence; and the positions people take, each with the posts that take it."""

    sentences: list[CitedSentence] = Field(max_length=12)
    positions: list[CitedSentence] = Field(default=[], max_length=6)
