"""A session as a sheet to take away: the answer with its citations, and every post that may be shown. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from locator_search.locales import Language
from locator_search.ports.sheets import Sheet, SheetLine, SheetSection, SheetTable
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import Session
from locator_search.x_search.answering import positions_of, sentences_of
from locator_search.x_search.messages import Sentences


def session_sheet(session: Session, found: Sequence[FoundPost], zone: ZoneInfo, language: Language) -> Sheet:
    """The sheet of a session. Posts that were withheld or are gone are in no session; links are those of posts."""
    say = Sentences.of(language)
    numbers = {one.post.post_id: number for number, one in enumerate(found, start=1)}
    facts = {
        say.question_label: session.question,
        say.sheet_source: say.sheet_sources[session.source],
        say.language_model: session.model_id + (say.sheet_stand_in if session.model_id.startswith("offline-") else ""),
        say.sheet_made: f"{session.created_at.astimezone(zone):%Y-%m-%d %H:%M %Z}",
        say.sheet_not_shown: say.sheet_counts.format(
            removed=session.removed, withheld=session.withheld, unreadable=session.unreadable
        ),
    }
    sections = (
        SheetSection(say.answer_heading, tuple(_answer(session, found, numbers, say))),
        SheetSection(say.positions_heading, tuple(_positions(session, found, numbers, say))),
        SheetSection(say.warnings, tuple(SheetLine(warning) for warning in session.warnings)),
        SheetSection(say.sheet_posts, table=SheetTable(say.sheet_columns, tuple(_posts(found, zone)))),
    )
    return Sheet(say.sheet_title, tuple(facts.items()), tuple(one for one in sections if one.lines or one.table))


def _answer(
    session: Session, found: Sequence[FoundPost], numbers: Mapping[str, int], say: Sentences
) -> Iterator[SheetLine]:
    """The sentences, and below each the posts it rests on; one that rests on none is marked."""
    for sentence in sentences_of(session.answer or ()):
        cited = [number for post_id in sentence.post_ids if (number := numbers.get(post_id))]
        posts = tuple(f"[{number}] {_text(found[number - 1])} {found[number - 1].post.url}" for number in cited)
        words = sentence.text if cited or not found else f"{say.marked_not_supported} {sentence.text}"
        yield SheetLine(words, posts, marked=bool(found) and not cited)


def _positions(
    session: Session, found: Sequence[FoundPost], numbers: Mapping[str, int], say: Sentences
) -> Iterator[SheetLine]:
    """The positions with their counts, and below each its best posts."""
    for one in positions_of(session.answer or (), found):
        examples = tuple(f"[{numbers[each.post.post_id]}] {_text(each)} {each.post.url}" for each in one.examples)
        counted = say.position_count.format(posts=one.posts, authors=one.authors)
        yield SheetLine(f"{one.text}{say.space}{counted}", examples)


def _posts(found: Sequence[FoundPost], zone: ZoneInfo) -> Iterator[tuple[str, ...]]:
    for number, one in enumerate(found, start=1):
        post = one.post
        score = "" if one.final_score is None else f"{one.final_score:.2f}"
        posted = f"{post.posted_at.astimezone(zone):%Y-%m-%d %H:%M %Z}"
        author = f"@{post.author}" if post.author else post.author_id
        yield str(number), _text(one), author, posted, str(post.metrics.get("like_count", 0)), score, post.url


def _text(found: FoundPost) -> str:
    return " ".join(found.post.text.split())
