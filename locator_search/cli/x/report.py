"""How the `x` commands print a session: its answer, its posts, what it asked and what it cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import emit_json
from locator_search.cli.x.texts import XTexts
from locator_search.x_search.answering import positions_of, sentences_of
from locator_search.x_search.as_json import session_as_json
from locator_search.x_search.messages import Sentences
from locator_search.x_search.phases import PHASES

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.ports.x.found_posts import FoundPost
    from locator_search.ports.x.sessions import Session


def texts_of(locator: Locator) -> XTexts:
    """The texts in the language of the settings."""
    return XTexts.of(locator.settings.locator_language)


def report(locator: Locator, session: Session, *, show: int, json_output: bool) -> None:
    """Everything a session came to, or has come to so far."""
    x = locator.x_search
    queries, posts = x.queries(session.session_id), x.posts(session.session_id)
    if json_output:
        emit_json(session_as_json(session, queries, posts))
        return
    say = texts_of(locator)
    _show_state(session, say)
    if session.source == "sample":
        show_line((say.sample, "yellow"))
    _show_answer(session, posts, say)
    _show_posts(session, posts, locator, show)
    show_line((say.search_queries, "bold"))
    for one in queries:
        line = say.query_line.format(
            ordinal=one.ordinal, text=one.text, fetched=one.fetched, fresh=one.fresh, reason=one.reason
        )
        show_line("  ", line)
    for warning in session.warnings:
        show_line((warning, "yellow"))
    _show_whether_still_there(session, locator)
    _show_time_and_cost(session, locator)


def _show_state(session: Session, say: XTexts) -> None:
    show_line((session.question, "bold"))
    stopped = session.status == "running" and not session.worked_on
    status = say.stopped if stopped else say.session_statuses[session.status]
    show_line(f"{status} {session.progress:.0%} {session.reason}".strip())
    if session.status != "done":
        show_line((say.resume_with.format(session_id=session.session_id), "dim"))


def _show_answer(session: Session, posts: list[FoundPost], say: XTexts) -> None:
    if not session.answer:
        return
    places = {one.post.post_id: place for place, one in enumerate(posts, start=1)}
    show_line((say.answer_heading, "bold"))
    for sentence in sentences_of(session.answer):
        cited = "".join(f"[{places[post_id]}]" for post_id in sentence.post_ids if post_id in places)
        unsupported = f"{say.marked_not_supported} " if posts and not cited else ""
        show_line("  ", (unsupported, "yellow"), sentence.text, (f" {cited}", "cyan"))
    for position in positions_of(session.answer, posts):
        counted = say.position_count.format(posts=position.posts, authors=position.authors)
        cited = "".join(f"[{places[one.post.post_id]}]" for one in position.examples)
        show_line("  ", (f"{counted} ", "bold"), position.text, (f" {cited}", "cyan"))
    if posts and session.model_id.startswith("offline-"):
        show_line(("  " + say.offline_answer, "yellow"))


def _show_posts(session: Session, posts: list[FoundPost], locator: Locator, show: int) -> None:
    say, zone = texts_of(locator), ZoneInfo(locator.settings.locator_time_zone)
    copies = Counter(one.near_copy_of for one in posts if one.near_copy_of)
    show_line((say.posts.format(count=len(posts), reranker=session.reranker or "-"), "bold"))
    own = [(place, one) for place, one in enumerate(posts, start=1) if one.near_copy_of is None]
    for place, one in own[:show]:
        post = one.post
        show_line((f"[{place}] ", "cyan"), " ".join(post.text.split()))
        facts = [f"@{post.author or post.author_id}", f"{post.posted_at.astimezone(zone):%Y-%m-%d %H:%M %Z}"]
        facts.append(say.likes.format(count=post.metrics.get("like_count", 0)))
        if one.final_score is not None:
            rerank = "–" if one.rerank_score is None else f"{one.rerank_score:.2f}"
            embedding = one.embedding_score or 0.0
            facts.append(say.scores.format(final=one.final_score, embedding=embedding, rerank=rerank))
        if copies[post.post_id]:
            facts.append(say.near_copies.format(count=copies[post.post_id]))
        for joined in post.joined:
            show_line("    ", (f"{say.joins[joined.kind]}: {' '.join(joined.text.split())}", "dim"))
        show_line("    ", ("  ".join(facts), "dim"))
        show_line("    ", (post.url, "dim"))
    if len(own) > show:
        show_line((say.more_posts.format(count=len(own) - show), "dim"))


def _show_whether_still_there(session: Session, locator: Locator) -> None:
    x, say = locator.x_search, texts_of(locator)
    if session.removed:
        show_line((say.removed.format(count=session.removed), "yellow"))
    if session.source == x.post_search.source == "x" and (plan := x.to_recheck(session.session_id)).post_ids:
        show_line((say.to_recheck.format(count=len(plan.post_ids)), "yellow"))
        cost = say.recheck_cost.format(at_most=f"{plan.at_most:.2f}")
        show_line(("  ".join((cost, say.recheck_with.format(session_id=session.session_id))), "dim"))


def _show_time_and_cost(session: Session, locator: Locator) -> None:

    say, names = texts_of(locator), Sentences.of(locator.settings.locator_language).phase_names
    phases = ", ".join(f"{names[phase]} {session.seconds[phase]:.1f}" for phase in PHASES if phase in session.seconds)
    show_line((say.seconds.format(phases=phases, x=session.service_seconds), "dim"))
    costs = {"x": f"{session.cost_usd:.3f}", "model": f"{session.model_cost_usd:.4f}"}
    show_line((say.cost.format(**costs), "dim"))


def show_sessions(found: list[Session], locator: Locator) -> None:
    """The sessions, a line each and its id."""
    say, zone = texts_of(locator), ZoneInfo(locator.settings.locator_time_zone)
    if not found:
        show_line(say.no_sessions)
    for one in found:
        line = say.session_line.format(
            created=one.created_at.astimezone(zone),
            status=say.session_statuses[one.status],
            progress=one.progress,
            posts=one.posts,
            cost=one.cost_usd + one.model_cost_usd,
            question=one.question,
        )
        show_line(line)
        show_line("  ", (one.session_id, "dim"))
