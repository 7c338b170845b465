"""The branching search for programs: the query carries the answers to narrowing questions, so that nothing is kept
between two calls, and each choice comes with the query that takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import regex

from locator_search.drive_search.questions import SearchOptions
from locator_search.mcp_server.found import found_document
from locator_search.mcp_server.schemas import Coverage, NarrowingChoice, SearchAnswer, UnreadDocument
from locator_search.mcp_server.texts import Sentences
from locator_search.model import SearchCoverage, SearchOutcome, UnreadFile

if TYPE_CHECKING:
    from locator_search.drive_search.searcher import DriveSearch, SearchRun

ANSWER = "#answer="
"""Before each answer in a query: 議事録 #answer=開発部."""


def split_answers(query: str) -> tuple[str, list[str]]:
    """The question of a query, and the answers it carries to narrowing questions, in their order."""
    question, *answers = (part.strip() for part in regex.split(rf"(?:^|\s){ANSWER}", query))
    return question, answers


def carried_out(search: DriveSearch, question: str, answers: Sequence[str], limit: int) -> SearchRun:
    """The search as far as the answers take it. Raises StoreError."""
    run = search.start(question, options=SearchOptions(limit=limit, show=limit, surface="mcp"))
    run.advance()
    for answer in answers:
        if run.waiting:
            run.answer(answer)
    return run


def search_answer(run: SearchRun, query: str, say: Sentences) -> SearchAnswer:
    """How the search ended, for the program that asked `query`."""
    outcome = run.outcome
    if outcome is None:
        raise RuntimeError("the search was not carried out")
    read = [condition.note for condition in run.conditions]
    has_index = outcome.coverage is not None and outcome.coverage.searchable > 0
    notes = [note for note in outcome.notes if note not in read] if has_index else [say.index_empty]
    return SearchAnswer(
        outcome=outcome.outcome,
        message=outcome.message,
        results=[found_document(item) for item in outcome.evidence],
        conditions=read,
        narrowing_question=outcome.narrowing_question,
        choices=_choices(outcome, query),
        closest=[found_document(item) for item in outcome.closest],
        did_you_mean=list(outcome.did_you_mean),
        unread=[_unread(file) for file in outcome.unread],
        coverage=_coverage(outcome.coverage),
        note=" ".join(notes),
    )


def _choices(outcome: SearchOutcome, query: str) -> list[NarrowingChoice]:
    return [
        NarrowingChoice(label=choice.label, count=choice.count, query=f"{query} {ANSWER}{choice.label}")
        for choice in outcome.choices
    ]


def _unread(unread: UnreadFile) -> UnreadDocument:
    return UnreadDocument(
        title=unread.file.file_name,
        url=unread.file.link,
        folder_path=unread.file.folder_path,
        mime_type=unread.file.mime_type,
        state=unread.state,
        reason=unread.reason,
        explanation=unread.sentence,
        next_try_at=unread.next_try_at.isoformat() if unread.next_try_at else None,
        named=unread.named,
    )


def _coverage(coverage: SearchCoverage | None) -> Coverage:
    counts = coverage or SearchCoverage(0, 0)
    return Coverage(listed=counts.listed, searchable=counts.searchable, unread=counts.unread)
