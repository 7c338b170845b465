"""The JSON documents other programs read: one form of evidence and of a search for every surface.

Built of plain values only. Paths of the machine (`Evidence.location`) and the text of files stay out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locator_search.model import Evidence, GroupMember, SearchCoverage, SearchOutcome, UnreadFile
from locator_search.retrieval.grouping import group_kind


def evidence_as_json(evidence: Evidence) -> dict[str, object]:
    """One piece of evidence. Times are ISO 8601; `highlights` are offsets into `snippet`; `group` is null for a file
    without other versions or copies among the hits."""
    return {
        "file_id": evidence.file_id,
        "file_name": evidence.file_name,
        "summary": evidence.summary,
        "link": evidence.link,
        "mime_type": evidence.mime_type,
        "modified_at": evidence.modified_at.isoformat(),
        "document_date": evidence.document_date or None,
        "similarity": evidence.similarity,
        "similarity_source": evidence.similarity_source,
        "cosine": evidence.cosine,
        "score": evidence.score,
        "snippet": evidence.snippet,
        "highlights": [list(span) for span in evidence.highlights],
        "heading_path": list(evidence.heading_path),
        "page_number": evidence.page_number,
        "clause_number": evidence.clause_number,
        "keywords": list(evidence.keywords),
        "folder_path": evidence.folder_path,
        "owner": evidence.owner,
        "verified": evidence.verified,
        "freshness": evidence.freshness,
        "text_state": evidence.text_state,
        "summary_state": evidence.summary_state,
        "explain": dict(evidence.explain),
        "group": _group_as_json(evidence.group) if evidence.group else None,
    }


def _group_as_json(members: Sequence[GroupMember]) -> dict[str, object]:
    return {
        "kind": group_kind(members),
        "members": [
            {
                "kind": member.kind,
                "overlap": member.overlap,
                "file_id": member.evidence.file_id,
                "file_name": member.evidence.file_name,
                "folder_path": member.evidence.folder_path,
                "link": member.evidence.link,
                "mime_type": member.evidence.mime_type,
                "modified_at": member.evidence.modified_at.isoformat(),
                "similarity": member.evidence.similarity,
                "verified": member.evidence.verified,
                "freshness": member.evidence.freshness,
            }
            for member in members
        ],
    }


def unread_as_json(unread: UnreadFile) -> dict[str, object]:
    """A file that fits by its name and could not be read. `reason` is a code with what the program said, `sentence` the
    same for a person, with what comes next."""
    file = unread.file
    return {
        "file_id": file.file_id,
        "file_name": file.file_name,
        "folder_path": file.folder_path,
        "link": file.link,
        "mime_type": file.mime_type,
        "modified_at": file.modified_at.isoformat(),
        "state": unread.state,
        "reason": unread.reason,
        "sentence": unread.sentence,
        "next_try_at": unread.next_try_at.isoformat() if unread.next_try_at else None,
        "named": unread.named,
        "verified": unread.verified,
    }


def coverage_as_json(coverage: SearchCoverage | None) -> dict[str, int] | None:
    """How many files are listed, searched, and not."""
    if coverage is None:
        return None
    return {"listed": coverage.listed, "searchable": coverage.searchable, "unread": coverage.unread}


def search_as_json(question: str, outcome: SearchOutcome, models: Mapping[str, str]) -> dict[str, object]:
    """One search, ended or waiting for an answer. `models` names what answered: `chat` and `embedding`."""
    return {
        "outcome": outcome.outcome,
        "message": outcome.message,
        "question": question,
        "narrowing_question": outcome.narrowing_question,
        "choices": [
            {"label": choice.label, "count": choice.count, "facet": choice.facet, "value": choice.value}
            for choice in outcome.choices
        ],
        "notes": list(outcome.notes),
        "rounds": [
            {
                "round": done.round,
                "branch": done.branch,
                "query": done.query,
                "keywords": list(done.keywords),
                "threshold": done.threshold,
                "hit_count": done.hit_count,
                "top_similarity": done.top_similarity,
                "note": done.note,
                "variants": [
                    {"rule": variant.rule, "written": variant.written, "others": list(variant.others)}
                    for variant in done.variants
                ],
            }
            for done in outcome.rounds
        ],
        "evidence": [evidence_as_json(evidence) for evidence in outcome.evidence],
        "did_you_mean": list(outcome.did_you_mean),
        "closest": [evidence_as_json(evidence) for evidence in outcome.closest],
        "unread": [unread_as_json(file) for file in outcome.unread],
        "coverage": coverage_as_json(outcome.coverage),
        "models": dict(models),
        "usage": {
            "calls": outcome.usage.calls,
            "tokens": outcome.usage.tokens,
            "cost_usd": outcome.usage.cost_usd,
        },
    }
