"""How the terminal shows evidence, a narrowing question and the decision path.

File names, summaries, snippets and model text are untrusted: they are printed as `Text`, never as markup, and without
control characters. Every item stays on one line however narrow the terminal is, so links can be copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from rich.text import Text

from locator_search.cli.shared.lines import INDENT, show_line
from locator_search.cli.shared.texts import Texts
from locator_search.core.model_results import is_stand_in
from locator_search.locales.reasons import reason_text
from locator_search.retrieval.grouping import group_kind, placed_for
from locator_search.text.visible import printable

if TYPE_CHECKING:
    from locator_search.core.usage import Usage
    from locator_search.model import (
        Choice,
        Evidence,
        GroupMember,
        Round,
        SearchCoverage,
        SearchOutcome,
        UnreadFile,
        Variant,
    )


def show_evidence(evidence: Sequence[Evidence], say: Texts, zone: tzinfo, *, explain: bool = False) -> None:
    """The results, numbered from 1, each with what was folded under it; with `explain`, why it is one."""
    for number, item in enumerate(evidence, start=1):
        show_line((f"[{number}] ", "bold cyan"), (item.file_name, "bold"))
        show_line(INDENT, say.summary, item.summary)
        show_line(INDENT, say.link, (item.link, "blue"))
        show_line(INDENT, (_details(item, say, zone), "dim"))
        if item.snippet:
            show_line(INDENT, say.excerpt, _highlighted(item))
        if explain:
            for line in _reasons(item, say):
                show_line(INDENT, say.why, (line, "dim"))
        if item.group:
            _show_group(item.group, say, zone)


def _show_group(members: Sequence[GroupMember], say: Texts, zone: tzinfo) -> None:
    show_line(INDENT, (say.groups[group_kind(members)].format(count=len(members)), "cyan"))
    for member in members:
        file = member.evidence
        details = [say.members[member.kind]]
        if member.kind != "copy":
            details.append(say.overlap.format(overlap=member.overlap))
        details.append(say.modified.format(day=file.modified_at.astimezone(zone).strftime("%Y-%m-%d")))
        show_line(INDENT, "- ", file.file_name, ("  " + "  ".join([*details, *_freshness(file, say)]), "dim"))
        show_line(INDENT, "  ", say.link, (file.link, "blue"))


def _reasons(item: Evidence, say: Texts) -> Iterator[str]:
    """Why a result is one, as far as the retrieval told: words or vectors that found nothing tell nothing."""
    explain: Mapping[str, Any] = item.explain
    for way, phrase in placed_for(item):
        yield say.why_placed[way].format(phrase=phrase)
    if "score" in explain and "fusion" in explain:
        yield say.why_score.format(**explain)
    for way, words in say.why_arms.items():
        if way in explain:
            yield words.format(**explain[way])
    if explain.get("matched_terms"):
        yield say.why_words.format(words=", ".join(explain["matched_terms"]))


def show_message(outcome: SearchOutcome, say: Texts) -> None:
    """How the search ended, and questions that may be meant."""
    show_line((outcome.message, "bold"))
    for other in outcome.did_you_mean:
        show_line((say.did_you_mean, "yellow"), other)


def show_unread(unread: Sequence[UnreadFile], say: Texts) -> None:
    """The files that could not be read, with the reason and what comes next."""
    if unread:
        show_line((say.unread, "yellow"))
    for file in unread:
        place = f"  {file.file.folder_path}" if file.file.folder_path else ""
        show_line(INDENT, (file.file.file_name, "bold"), (place, "dim"))
        show_line(INDENT * 2, file.sentence, *([(f"  {say.not_verified}", "dim")] if file.verified is None else []))
        show_line(INDENT * 2, say.link, (file.file.link, "blue"))


def show_coverage(coverage: SearchCoverage | None, say: Texts) -> None:
    """Say how many of the listed files were searched, and where the others are told of."""
    if coverage is not None:
        show_line((say.coverage_line(coverage.listed, coverage.searchable, "document-locator status"), "dim"))


def show_question(question: str, choices: Sequence[Choice]) -> None:
    """The narrowing question and its numbered choices with the resulting counts."""
    show_line((question, "bold"))
    for number, choice in enumerate(choices, start=1):
        show_line(INDENT, (f"{number}. ", "cyan"), f"{choice.label} ({choice.count})")


def show_trace(rounds: Sequence[Round], say: Texts) -> None:
    """The decision path: one round per line, with its query and what was changed for it."""
    show_line((say.trace, "bold"))
    for done in rounds:
        top = say.none if done.top_similarity is None else f"{done.top_similarity:.3f}"
        show_line(
            "  ",
            say.trace_round.format(
                round=done.round, branch=done.branch, hit_count=done.hit_count, top=top, threshold=done.threshold
            ),
        )
        show_line(INDENT, say.trace_query, done.query)
        if done.keywords:
            show_line(INDENT, say.trace_keywords, ", ".join(done.keywords))
        for variant in done.variants:
            show_line(INDENT, _variant(variant, say))
        if done.note:
            show_line(INDENT, (done.note, "dim"))


def show_stand_ins(models: Mapping[str, str], say: Texts) -> None:
    """A visible line when an offline stand-in answered instead of a real model."""
    if any(map(is_stand_in, models.values())):
        show_line((say.stand_ins.format(**models), "yellow"))


def show_related(questions: Sequence[str], say: Texts) -> None:
    """Questions that people asked about the same."""
    for question in questions:
        show_line((f"{say.related_questions}: ", "dim"), question)


def show_usage(usage: Usage, say: Texts) -> None:
    """Print the tokens and cost of models, where any was asked."""
    if usage.calls:
        show_line((say.model_usage.format(calls=usage.calls, tokens=usage.tokens, cost=usage.cost_usd), "dim"))


def _variant(variant: Variant, say: Texts) -> str:
    return say.trace_variant.format(
        written=variant.written, others=", ".join(variant.others), rule=say.rule_names[variant.rule], name=variant.rule
    )


def _details(item: Evidence, say: Texts, zone: tzinfo) -> str:
    details = [say.similarity.format(similarity=item.similarity)]
    if item.cosine is not None:
        details.append(say.cosine.format(cosine=item.cosine))
    if item.document_date:
        details.append(say.document_date.format(date=say.dates(item.document_date)))
    details.append(say.modified.format(day=item.modified_at.astimezone(zone).strftime("%Y-%m-%d")))
    if item.page_number is not None:
        details.append(say.page.format(page=item.page_number))
    if item.clause_number is not None:
        details.append(say.clause.format(clause=item.clause_number))
    if item.text_state != "ok":
        details.append(reason_text(item.text_state, say.language).words)
    if item.summary_state != "ok":
        details.append(reason_text(item.summary_state, say.language).words)
    return "  ".join([*details, *_freshness(item, say)])


def _freshness(item: Evidence, say: Texts) -> list[str]:
    if item.freshness == "changed":
        return [say.changed]
    return [say.not_verified] if item.verified is None else []


def _highlighted(item: Evidence) -> Text:
    snippet = Text(printable(item.snippet))
    for start, end in item.highlights:
        snippet.stylize("bold yellow", start, end)
    return snippet
