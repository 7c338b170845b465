"""Whether a post matches a query in the language of X, about as X does: for the recorded sample and for tests.

Words match as substrings of the normalised text (X splits Japanese into words in its own way). Operators that need
more than the post itself hold for no post.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from locator_search.core.errors import QueryRefused
from locator_search.ports.x.posts import Post
from locator_search.text.normalise import normalise

Test = Callable[[Post], bool]
_TOKEN = re.compile(r'-?"[^"]*"|-?[a-z_]+:"[^"]*"|\(|\)|[^\s()"]+', re.IGNORECASE)
_COUNTS = {"min_likes": "like_count", "min_replies": "reply_count", "min_reposts": "retweet_count"}


def matches(query: str, post: Post) -> bool:
    """Whether the post matches. Raises QueryRefused."""
    return _compiled(query)(post)


@lru_cache(maxsize=256)
def _compiled(query: str) -> Test:
    parser = _Parser(_TOKEN.findall(query))
    test = parser.alternatives()
    if parser.rest or test is None:
        raise QueryRefused("There are brackets or an OR in it that do not fit.")
    return test


class _Parser:
    """alternatives: all { OR all } · all: one { one } · one: ( alternatives ) or a word."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens[::-1]

    def alternatives(self) -> Test | None:
        """Alternatives joined with OR."""
        tests = [self._all()]
        while self.rest and self.rest[-1] == "OR":
            self.rest.pop()
            tests.append(self._all())
        known = [test for test in tests if test]
        return (lambda post: any(test(post) for test in known)) if len(known) == len(tests) else None

    def _all(self) -> Test | None:
        tests: list[Test] = []
        while self.rest and self.rest[-1] not in (")", "OR"):
            tests.append(self._one())
        return (lambda post: all(test(post) for test in tests)) if tests else None

    def _one(self) -> Test:
        token = self.rest.pop()
        if token != "(":  # noqa: S105 - a bracket
            return _word(token)
        inner = self.alternatives()
        if inner is None or not self.rest or self.rest.pop() != ")":
            raise QueryRefused("There are brackets in it that do not fit.")
        return inner


def _word(token: str) -> Test:
    if token.startswith("-") and len(token) > 1:
        excluded = _word(token[1:])
        return lambda post: not excluded(post)
    name, colon, value = token.partition(":")
    if colon and not token.startswith('"'):
        return _operator(name.lower(), value.strip('"'))
    wanted = normalise(token.strip('"'))
    return lambda post: wanted in normalise(post.text)


def _operator(name: str, value: str) -> Test:
    if name == "lang":
        return lambda post: post.language == value
    if name == "from":
        return lambda post: post.author.lower() == value.lower()
    if name in _COUNTS and value.isdecimal():
        return lambda post: post.metrics.get(_COUNTS[name], 0) >= int(value)
    signs = {("has", "links"): "http", ("has", "hashtags"): "#", ("has", "mentions"): "@"}
    sign = signs.get((name, value))
    if sign is not None:
        return lambda post: sign in post.text
    return lambda _post: False
