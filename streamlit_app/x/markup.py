"""Posts and answers of X search as HTML. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from markupsafe import Markup

from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import AnswerSentence, Phase, QueryState, Session
from locator_search.x_search.answering import positions_of, sentences_of
from locator_search.x_search.phases import PHASES
from streamlit_app.shared.markup import table_html
from streamlit_app.shared.templates import line_html, percent, render
from streamlit_app.x.texts import XTexts

LONGEST_TITLE = 140
"""Characters of a post that show while the pointer rests on its number."""


def spend_meter_html(spent: float, cap: float, texts: XTexts) -> Markup:
    """The cost of posts this month, beside its cap."""
    label = texts.month.format(month=f"{spent:.2f}", cap=f"{cap:.2f}")
    return render("x/x", "spend_meter", label, percent(spent / cap))


def answer_html(answer: Sequence[AnswerSentence], places: Mapping[str, FoundPost], texts: XTexts) -> Markup:
    """The answer, each sentence with the numbers of the posts it cites, one without any marked; and the positions."""
    numbers = {post_id: number for number, post_id in enumerate(places, start=1)}
    sentences = []
    for sentence in sentences_of(answer):
        posts = [(numbers[post_id], places[post_id].post) for post_id in sentence.post_ids if post_id in places]
        cited = [(number, post, f"@{post.author}: {post.text[:LONGEST_TITLE]}") for number, post in posts]
        sentences.append((sentence, cited, bool(places) and not cited))
    found = [*places.values()]
    positions = [
        (one, [(numbers[each.post.post_id], each.post) for each in one.examples]) for one in positions_of(answer, found)
    ]
    return render("x/x", "answer", sentences, positions, texts)


def post_html(found: FoundPost, number: int, texts: XTexts, zone: ZoneInfo) -> Markup:
    """One post: who, when, what, how it was received, how it was scored."""
    metrics = found.post.metrics
    words = {"like_count": texts.likes, "reply_count": texts.replies, "retweet_count": texts.reposts}
    counts = [word.format(metrics[name]) for name, word in words.items() if metrics.get(name)]
    return render("x/x", "card", found, number, counts, texts, zone)


def queries_html(queries: Sequence[QueryState], texts: XTexts) -> Markup:
    """The queries of a session and their results."""
    rows = (
        (one.ordinal, one.text, texts.query_statuses[one.status], one.fetched, one.fresh, one.reason) for one in queries
    )
    return table_html(texts.query_columns, rows)


def seconds_html(session: Session, texts: XTexts, names: Mapping[Phase, str]) -> Markup:
    """How long each phase took, and how much of it was X."""
    rows = ((names[phase], f"{session.seconds[phase]:.2f}") for phase in PHASES if phase in session.seconds)
    own = texts.x_time.format(seconds=f"{session.service_seconds:.2f}")
    return table_html(texts.phase_columns, rows) + line_html(own)
