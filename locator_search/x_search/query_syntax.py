"""The query language of X: what a query may look like. Pure.

Source: X's guides to building a query for search. Words side by side are all wanted; OR gives a choice; `-` excludes a
word, phrase or operator, not a group; some operators (lang:, is:, has: ...) need something that stands for itself
beside them. A refused query costs a request and finds nothing, so each is checked, and mended where that is plain.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from locator_search.ports.x_search import LONGEST_QUERY
from locator_search.text.normalise import normalise

STANDALONE = {
    "from", "to", "url", "retweets_of", "retweets_of_user", "context", "entity", "conversation_id", "list", "place",
    "in_reply_to_tweet_id", "in_reply_to_status_id", "quotes_of_tweet_id", "place_country", "point_radius",
    "bounding_box",
}  # fmt: skip
ACCOMPANYING = {
    "is", "has", "lang", "sample", "followers_count", "tweets_count", "following_count", "min_likes", "min_replies",
    "min_reposts",
}  # fmt: skip
KINDS = {
    "is": {"retweet", "reply", "quote", "verified", "nullcast"},
    "has": {"hashtags", "cashtags", "links", "mentions", "media", "images", "videos", "video_link", "geo"},
}
_PART = re.compile(r'\s+|-?"[^"]*"|-?[a-z_]+:"[^"]*"|-?\(|\)|[^\s()"]+|"', re.IGNORECASE)
_OPERATOR = re.compile(r"-?([A-Za-z_]+):(.+)", re.DOTALL)
_QUOTES = str.maketrans("“”„‟＂", '"""""')


class Checked(NamedTuple):
    """A query as it can be sent, or what is wrong with it."""

    query: str
    problem: str = ""


def checked(query: str) -> Checked:
    """The query mended where that is plain (quotes, AND, a colon inside a word), or why it cannot be sent."""
    parts = [_mended(part) for part in _PART.findall(" ".join(query.translate(_QUOTES).split()))]
    parts = [part for part in parts if part.strip() and part != "AND"]
    problem = _problem(parts)
    sent = _joined(parts)
    if not problem and len(sent) > LONGEST_QUERY:
        problem = f"longer than {LONGEST_QUERY} characters"
    return Checked(sent, problem)


def identity(query: str) -> frozenset[str]:
    """What makes two queries the same: their parts in any order, whatever the case and width."""
    return frozenset(normalise(query).replace("(", " ").replace(")", " ").split())


def _mended(part: str) -> str:
    """`12:30` is a word and no operator; quoted, X takes it for one."""
    named = _OPERATOR.fullmatch(part)
    if named is None or part.startswith(('"', '-"')):
        bare = part.removeprefix("-")
        return f'{part[: len(part) - len(bare)]}"{bare}"' if ":" in bare and '"' not in bare else part
    name = named[1].lower()
    if name in STANDALONE or name in ACCOMPANYING:
        return part.lower() if name in ("is", "has", "lang") else part
    minus = "-" if part.startswith("-") else ""
    return f'{minus}"{part.removeprefix("-")}"'


def _problem(parts: list[str]) -> str:
    if '"' in parts or any(part in ('""', '-""') for part in parts):
        return "a quotation mark without its other half"
    depth = 0
    for before, part in zip(["(", *parts], parts, strict=False):
        if part == "-(":
            return "a group cannot be excluded as a whole"
        depth += (part == "(") - (part == ")")
        if depth < 0 or (part == ")" and before == "("):
            return "brackets that do not fit"
        if (part == "OR" and before in ("(", "OR")) or (part == ")" and before == "OR"):
            return "an OR without something on both sides"
    if depth:
        return "brackets that do not fit"
    if parts and parts[-1] == "OR":
        return "an OR without something on both sides"
    return _problem_of_words(parts)


def _problem_of_words(parts: list[str]) -> str:
    for part in parts:
        named = _OPERATOR.fullmatch(part)
        if named and named[1].lower() in KINDS and named[2] not in KINDS[named[1].lower()]:
            return f"an operator X does not know: {part}"
    if not any(_stands_alone(part) for part in parts):
        return "nothing that is looked for: a word, a phrase, a hashtag"
    return ""


def _stands_alone(part: str) -> bool:
    if part in ("(", ")", "OR") or part.startswith("-"):
        return False
    named = _OPERATOR.fullmatch(part)
    if named and not part.startswith('"'):
        return named[1].lower() in STANDALONE
    return any(character.isalnum() for character in part)


def _joined(parts: list[str]) -> str:
    return " ".join(parts).replace("( ", "(").replace(" )", ")")
