"""Posts and answers of X search as HTML. Every foreign string is escaped; links are http(s) only. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from locator_search.ports.x.sessions import AnswerSentence, FoundPost, Phase, QueryState, Session
from locator_search.x_search.phases import PHASES
from streamlit_app.shared.escaping import escaped, web_link
from streamlit_app.shared.markup import separated, table_html
from streamlit_app.x.texts import XTexts

LONGEST_TITLE = 140
"""Characters of a post that show while the pointer rests on its number."""


def spend_meter_html(spent: float, cap: float, texts: XTexts) -> str:
    """The cost of posts this month, beside its cap."""
    label = escaped(texts.month.format(month=f"{spent:.2f}", cap=f"{cap:.2f}"))
    width = min(100, round(100 * spent / cap))
    return f'<span class="dl-similarity">{label}<span class="dl-bar"><span style="width:{width}%"></span></span></span>'


def answer_html(answer: Sequence[AnswerSentence], places: Mapping[str, FoundPost], texts: XTexts) -> str:
    """The answer, each sentence with the numbers of the posts it cites; one without any is marked."""
    numbers = {post_id: number for number, post_id in enumerate(places, start=1)}
    lines = []
    for sentence in answer:
        cited = "".join(
            _citation_html(numbers[post_id], places[post_id]) for post_id in sentence.post_ids if post_id in places
        )
        missing = f'<span class="dl-unsupported">{escaped(texts.not_supported)}</span> '
        lines.append(
            f'<div class="dl-claim">{"" if cited or not places else missing}{escaped(sentence.text)}{cited}</div>'
        )
    return "".join(lines)


def _citation_html(number: int, found: FoundPost) -> str:
    link = web_link(found.post.url)
    label = escaped(f"@{found.post.author}: {found.post.text[:LONGEST_TITLE]}")
    return f' <a class="dl-cite" href="{escaped(link or "")}" target="_blank" title="{label}">[{number}]</a>'


def post_html(found: FoundPost, number: int, texts: XTexts, zone: ZoneInfo) -> str:
    """One post: who, when, what, how it was received, how it was scored."""
    post = found.post
    who = f"<bdi>{escaped(post.author_name)}</bdi> " if post.author_name else ""
    handle = f"@{post.author or post.author_id}"
    link = web_link(post.url)
    when = f"{post.posted_at.astimezone(zone):%Y-%m-%d %H:%M}"
    shown_time = f'<a href="{escaped(link)}" target="_blank">{when}</a>' if link else when
    head = f'<span class="dl-rank">{number}</span><b>{who}</b>{separated([escaped(handle), shown_time])}'
    return (
        f'<div class="dl-card dl-post"><div class="dl-meta">{head}</div>'
        f'<div class="dl-text">{escaped(post.text)}</div>'
        f'<div class="dl-foot">{_score_html(found, texts)}{_reception_html(found, texts)}</div></div>'
    )


def _score_html(found: FoundPost, texts: XTexts) -> str:
    if found.final_score is None:
        return ""
    rerank = texts.none if found.rerank_score is None else f"{found.rerank_score:.2f}"
    parts = texts.score_parts.format(embedding=f"{found.embedding_score or 0.0:.2f}", rerank=rerank)
    width = round(100 * found.final_score)
    return (
        f'<span class="dl-similarity"><b>{escaped(texts.final_score)} {found.final_score:.2f}</b>'
        f'<span class="dl-bar"><span style="width:{width}%"></span></span><small>{escaped(parts)}</small></span>'
    )


def _reception_html(found: FoundPost, texts: XTexts) -> str:
    metrics = found.post.metrics
    words = {"like_count": texts.likes, "reply_count": texts.replies, "retweet_count": texts.reposts}
    counts = [escaped(word.format(count=f"{metrics[name]:,}")) for name, word in words.items() if metrics.get(name)]
    return f'<span class="dl-muted">{separated(counts)}</span>' if counts else ""


def queries_html(queries: Sequence[QueryState], texts: XTexts) -> str:
    """The queries of a session and their results."""
    rows = (
        (one.ordinal, one.text, texts.query_statuses[one.status], one.fetched, one.fresh, one.reason) for one in queries
    )
    return table_html(texts.query_columns, rows)


def seconds_html(session: Session, texts: XTexts, names: Mapping[Phase, str]) -> str:
    """How long each phase took, and how much of it was X."""
    rows = ((names[phase], f"{session.seconds[phase]:.2f}") for phase in PHASES if phase in session.seconds)
    own = texts.x_time.format(seconds=f"{session.service_seconds:.2f}")
    return f'{table_html(texts.phase_columns, rows)}<div class="dl-muted">{escaped(own)}</div>'
