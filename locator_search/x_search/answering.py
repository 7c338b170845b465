"""Holds an answer against the posts it was written from, and counts the positions in it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from locator_search.llm.answers import CitedSentence, PostsAnswer
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import AnswerSentence
from locator_search.text.markdown.addresses import without_mail_addresses
from locator_search.text.markdown.parsing import plain
from locator_search.x_search.prompts import post_label

MOST_READ = 30
"""Posts an answer is written from: the best ones, each near-copy once."""
LONGEST_SENTENCE = 600
MOST_EXAMPLES = 3
"""Posts of one position."""


def to_read(found: Sequence[FoundPost]) -> list[FoundPost]:
    """The posts an answer is written from; `found` has the best first."""
    return [one for one in found if one.near_copy_of is None][:MOST_READ]


def grounded(answer: PostsAnswer, read: Sequence[FoundPost]) -> tuple[AnswerSentence, ...]:
    """The sentences with the citations that exist. One that cites nothing that was read stays without any, and is shown
    as not supported. A post takes one position, the first it is named for, and a position without a post is none. No
    address of the model's own making stays: those of posts come from X."""
    ids = {post_label(number): one.post.post_id for number, one in enumerate(read)}
    sentences = []
    for sentence in answer.sentences:
        if text := _bare(sentence.text):
            sentences.append(AnswerSentence(text, _cited(sentence, ids)))
    taken: set[str] = set()
    for position in answer.positions:
        cited = tuple(one for one in _cited(position, ids) if one not in taken)
        taken.update(cited)
        if cited and (text := _bare(position.text)):
            sentences.append(AnswerSentence(text, cited, position=True))
    return tuple(sentences)


def _bare(text: str) -> str:
    return without_mail_addresses(plain(text)).strip()[:LONGEST_SENTENCE]


def _cited(sentence: CitedSentence, ids: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids[label.strip()] for label in sentence.post_ids if label.strip() in ids))


@dataclass(frozen=True, slots=True)
class Position:
    """A side that posts take: how many, near-copies counted, by how many authors, and the best ones as examples."""

    text: str
    post_ids: tuple[str, ...]
    posts: int
    authors: int
    examples: tuple[FoundPost, ...]


def sentences_of(answer: Sequence[AnswerSentence]) -> list[AnswerSentence]:
    """The sentences of an answer, without its positions."""
    return [one for one in answer if not one.position]


def positions_of(answer: Sequence[AnswerSentence], found: Sequence[FoundPost]) -> list[Position]:
    """The positions of an answer, the one of most posts first; `found` has the best post first."""
    positions = []
    for one in answer if found else ():
        taking = [post for post in found if {post.post.post_id, post.near_copy_of} & {*one.post_ids}]
        if one.position and taking:
            authors = {post.post.author_id or post.post.author or post.post.post_id for post in taking}
            own = tuple(post for post in taking if post.near_copy_of is None)
            ids = tuple(post.post.post_id for post in taking)
            positions.append(Position(one.text, ids, len(taking), len(authors), own[:MOST_EXAMPLES]))
    return sorted(positions, key=lambda position: -position.posts)
