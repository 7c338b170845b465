"""The searches before a model is asked. The same every time: nobody decides whether to search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.ports.contributions.analyses import AnalysisKind


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """One search of each contribution. `purpose` names the sentence that announces it."""

    purpose: str
    query: str
    top_k: int
    only_changed: bool = False


EVERYTHING = 300
"""More chunks than a contribution has."""

# In the words of contributions and of their cover pages, which are English nearly always.
PROBLEM = PlannedQuery(
    "problem", "reason for change, problem, issue, motivation, background, justification 課題 背景 変更理由", 6
)
PROPOSAL = PlannedQuery(
    "proposal", "proposal, it is proposed to, summary of change, solution, conclusion 提案 変更の概要", 6
)
AFFECTED = PlannedQuery(
    "affected_clauses", "clauses affected, affected specifications, consequences if not approved 影響 条項", 4
)
CHANGES = PlannedQuery(
    "changes", "shall, should, requirement, procedure, definition 要件 手順 定義", EVERYTHING, only_changed=True
)
QUESTION = PlannedQuery("question", "", 10)
"""The search with the person's own question."""
WHOLE = PlannedQuery("whole", "requirement, procedure, definition, general, scope 要件 手順 概要", EVERYTHING)

PLANS: Mapping[AnalysisKind, tuple[PlannedQuery, ...]] = {
    "single": (PROBLEM, PROPOSAL, AFFECTED, CHANGES),
    "comparison": (PROBLEM, PROPOSAL, CHANGES),
    "revisions": (WHOLE,),
}
