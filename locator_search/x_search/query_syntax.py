"""The query language of X: what a query may look like. Pure.

Source: X's guides to building a query for search. Words side by side are all wanted; OR gives a choice; `-` excludes a
word, phrase or operator, not a group; some operators (lang:, is:, has: ...) need something that stands for itself
beside them. A refused query costs a request and finds nothing, so each is checked, and mended where that is plain:
models write what they know of the search on X's web site, and Japanese brackets.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from locator_search.ports.x.posts import LONGEST_QUERY
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
COUNTS = {"followers_count", "tweets_count", "following_count", "min_likes", "min_replies", "min_reposts"}
OF_THE_WEB_SITE = {
    "min_faves": "min_likes:", "min_retweets": "min_reposts:",
    "filter:links": "has:links", "filter:media": "has:media", "filter:images": "has:images",
    "filter:videos": "has:videos", "filter:hashtags": "has:hashtags", "filter:replies": "is:reply",
    "filter:quote": "is:quote", "filter:retweets": "is:retweet", "filter:nativeretweets": "is:retweet",
    "filter:verified": "is:verified", "lang:jp": "lang:ja",
}  # fmt: skip
"""Operators of the web site's search, and mistakes often made, as the API writes them: by name, or with their value."""
WITHOUT_EQUAL = {"since", "until", "since_time", "until_time", "near", "within", "geocode"}
"""Times and places, left out: only the last seven days are searched, of all places."""
_PART = re.compile(r'\s+|-?"[^"]*"|-?[a-z_]+:"[^"]*"|-?\(|\)|[^\s()"]+|"', re.IGNORECASE)
_OPERATOR = re.compile(r"-?([A-Za-z_]+):(.+)", re.DOTALL)
_DASHES = re.compile(r"(?<!\S)-{2,}")
_MARKS = str.maketrans("“”„‟＂（）：＃－", '"""""():#-')


class Checked(NamedTuple):
    """A query as it can be sent, or what is wrong with it."""

    query: str
    problem: str = ""


def checked(query: str) -> Checked:
    """The query mended where that is plain (marks, AND, a colon inside a word, operators of the web site), or why it
    cannot be sent."""
    parts = [_mended(part) for part in _PART.findall(_DASHES.sub("-", " ".join(query.translate(_MARKS).split())))]
    parts = [part for part in parts if part.strip() and part not in ("AND", "-")]
    problem = _problem(parts)
    sent = _joined(parts)
    if not problem and len(sent) > LONGEST_QUERY:
        problem = f"longer than {LONGEST_QUERY} characters"
    return Checked(sent, problem)


def identity(query: str) -> frozenset[str]:
    """The same for queries that are the same: their parts in any order, whatever the case and width."""
    return frozenset(normalise(query).replace("(", " ").replace(")", " ").split())


def _mended(part: str) -> str:
    """The part as X understands it; "" where it has no place in a query."""
    bare = part if part == "-(" else part.removeprefix("-")
    minus = "-" if bare != part else ""
    if bare in ("|", "||"):
        return "OR"
    named = _OPERATOR.fullmatch(bare)
    if bare.startswith('"') or (named is None and ":" not in bare):
        return f"{minus}{bare}"
    name = named[1].lower() if named else ""
    if name in WITHOUT_EQUAL:
        return ""
    if name in OF_THE_WEB_SITE or bare.lower() in OF_THE_WEB_SITE:
        known = OF_THE_WEB_SITE.get(bare.lower())
        return f"{minus}{known or OF_THE_WEB_SITE[name] + bare.partition(':')[2]}"
    if name in STANDALONE or name in ACCOMPANYING:
        return f"{minus}{bare.lower() if name in ('is', 'has', 'lang') else bare}"
    return f'{minus}"{bare}"' if '"' not in bare else part  # `12:30` is a word; quoted, X takes it for one


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
        if named and named[1].lower() in COUNTS and not re.fullmatch(r"[0-9]+(\.\.[0-9]+)?", named[2]):
            return f"a number is missing: {part}"
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
