"""An analysis as JSON, for the command and for programs. The keys of claims and citations are a contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from locator_search.contributions.analysis.comparison import comparison_table
from locator_search.contributions.analysis.messages import Sentences
from locator_search.ports.contributions.analyses import Analysis, Citation, Claim

Json = dict[str, object]


def analysis_as_json(analysis: Analysis) -> Json:
    """Everything an analysis came to; citations carry what they cite, so that each can be checked by itself."""
    return {
        "kind": analysis.kind,
        "contribution_ids": list(analysis.contribution_ids),
        "left_out": [asdict(one) for one in analysis.left_out],
        "question": analysis.question,
        "claims": [_claim(claim, analysis) for claim in analysis.claims],
        "comparison": _comparison(analysis),
        "changes": [asdict(change) for change in analysis.changes],
        "covers": {number: dict(cover) for number, cover in analysis.covers.items()},
        "evidence": [_citation(Citation(number), analysis) for number in range(len(analysis.evidence))],
        "queries": [asdict(one) for one in analysis.queries],
        "provider": analysis.provider,
        "chat_model": analysis.chat_model,
        "language": analysis.language,
        "notes": list(analysis.notes),
        "usage": _usage(analysis),
    }


def _comparison(analysis: Analysis) -> list[Json]:
    """By clause, what each contribution says there, in lines."""
    table = comparison_table(analysis, Sentences.of(analysis.language))
    rows = table.rows if table else ()
    return [
        {"clause_number": clause, "contributions": dict(zip(analysis.contribution_ids, cells, strict=True))}
        for clause, *cells in rows
    ]


def _claim(claim: Claim, analysis: Analysis) -> Json:
    return {
        "aspect": claim.aspect,
        "text": claim.text,
        "supported": claim.supported,
        "citations": [_citation(citation, analysis) for citation in claim.citations],
        "refused": list(claim.refused),
        "unverified": list(claim.unverified),
        "doubts": list(claim.doubts),
        "nearest": None if claim.nearest is None else _citation(Citation(claim.nearest), analysis),
    }


def _citation(citation: Citation, analysis: Analysis) -> Json:
    """A citation and its place; `text` is the quote, or the whole passage where nothing shorter is quoted."""
    evidence = analysis.evidence[citation.evidence]
    return {
        "document_id": evidence.document_id,
        "contribution_number": evidence.contribution_number,
        "meeting": evidence.meeting,
        "clause_number": evidence.clause_number,
        "page_number": evidence.page_number,
        "page_is_estimated": evidence.page_is_estimated,
        "source_file": evidence.source_file,
        "text": citation.quote or evidence.text,
        "evidence": citation.evidence,
    }


def _usage(analysis: Analysis) -> Mapping[str, object]:
    usage = analysis.usage
    return {"calls": usage.calls, "tokens": usage.tokens, "cost_usd": usage.cost_usd}
