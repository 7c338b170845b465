"""The `q` parameter of files.list.

    'id' in parents and trashed = false and (mimeType = 'a/b' or not name contains 'x')

As documented, `and` and `or` are taken from left to right, without precedence; `not` binds to the term or
the parentheses after it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from locator_search.dev.drive_emulator.errors import ApiError, invalid_value

_TOKEN = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'|(<=|>=|!=|[=<>()])|([A-Za-z][\w]*))")

_COMPARISONS: dict[str, Callable[[datetime, datetime], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Candidate(Protocol):
    """The properties of a file that a query can ask for. Names are those of the query language."""

    def text(self, field: str) -> str:
        """`name`, `mimeType` or `fullText`."""

    def time(self, field: str) -> datetime:
        """`modifiedTime`, `createdTime`, `viewedByMeTime` or `sharedWithMeTime`."""

    def flag(self, field: str) -> bool:
        """`trashed`, `starred` or `sharedWithMe`."""

    def collection(self, field: str) -> tuple[str, ...]:
        """`parents`, `owners`, `writers` or `readers`."""


Test = Callable[[Candidate], bool]


@dataclass(frozen=True)
class Query:
    """A query that was read.

    `parents` are the folders that a result must be in, None where the query may find files anywhere;
    `named_parents` are all folders it names.
    """

    matches: Test
    parents: frozenset[str] | None
    named_parents: tuple[str, ...]


def parse_query(text: str) -> Query:
    """Read a query; a blank one matches everything. Raises ApiError 400 where it cannot be read."""
    reader = _Reader(_tokens(text))
    if not text.strip():
        return Query(lambda _: True, None, ())
    test, parents = reader.read_expression()
    if not reader.at_end:
        raise _invalid()
    return Query(test, parents, tuple(reader.named_parents))


@dataclass(frozen=True)
class _Token:
    kind: str  # "string", "symbol", "word" or "end"
    value: str


def _tokens(text: str) -> list[_Token]:
    tokens = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise _invalid()
        string, symbol, word = found.groups()
        if string is not None:
            tokens.append(_Token("string", re.sub(r"\\(.)", r"\1", string)))
        else:
            tokens.append(_Token("symbol", symbol) if symbol else _Token("word", word))
        position = found.end()
    return tokens


_Parsed = tuple[Test, frozenset[str] | None]


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self.named_parents: list[str] = []

    @property
    def at_end(self) -> bool:
        return self._position >= len(self._tokens)

    def _next(self) -> _Token:
        if self.at_end:
            raise _invalid()
        self._position += 1
        return self._tokens[self._position - 1]

    def _take(self, value: str) -> bool:
        if self.at_end or self._tokens[self._position].kind == "string" or self._tokens[self._position].value != value:
            return False
        self._position += 1
        return True

    def read_expression(self) -> _Parsed:
        left = self._read_factor()
        while True:
            if self._take("and"):
                left = _both(left, self._read_factor())
            elif self._take("or"):
                left = _either(left, self._read_factor())
            else:
                return left

    def _read_factor(self) -> _Parsed:
        if self._take("not"):
            test, _ = self._read_factor()
            return (lambda file: not test(file)), None
        if self._take("("):
            inside = self.read_expression()
            if not self._take(")"):
                raise _invalid()
            return inside
        first = self._next()
        return self._read_membership(first.value) if first.kind == "string" else self._read_comparison(first)

    def _read_membership(self, value: str) -> _Parsed:
        if not self._take("in"):
            raise _invalid()
        field = self._next().value
        if field not in ("parents", "owners", "writers", "readers"):
            raise _invalid()
        if field == "parents":
            self.named_parents.append(value)
        return (lambda file: value in file.collection(field)), frozenset({value}) if field == "parents" else None

    def _read_comparison(self, field: _Token) -> _Parsed:
        sign, value = self._next().value, self._next()
        test = _comparison(field.value, sign, value)
        return test, None


def _both(left: _Parsed, right: _Parsed) -> _Parsed:
    (first, in_first), (second, in_second) = left, right
    return (lambda file: first(file) and second(file)), in_first if in_first is not None else in_second


def _either(left: _Parsed, right: _Parsed) -> _Parsed:
    (first, in_first), (second, in_second) = left, right
    parents = None if in_first is None or in_second is None else in_first | in_second
    return (lambda file: first(file) or second(file)), parents


def _comparison(field: str, sign: str, value: _Token) -> Test:
    if field in ("name", "mimeType", "fullText") and value.kind == "string":
        return _text_test(field, sign, value.value)
    if field in ("modifiedTime", "createdTime", "viewedByMeTime", "sharedWithMeTime") and value.kind == "string":
        if sign not in _COMPARISONS:
            raise _invalid()
        compare, moment = _COMPARISONS[sign], _moment(value.value)
        return lambda file: compare(file.time(field), moment)
    if field in ("trashed", "starred", "sharedWithMe") and value.value in ("true", "false") and sign in ("=", "!="):
        wanted = (value.value == "true") == (sign == "=")
        return lambda file: file.flag(field) == wanted
    raise _invalid()


def _text_test(field: str, sign: str, value: str) -> Test:
    if sign == "contains" and field == "name":  # matches at the beginning of words only
        starts = re.compile(r"(?<!\w)" + re.escape(value), re.IGNORECASE)
        return lambda file: starts.search(file.text(field)) is not None
    if sign == "contains":
        return lambda file: value.casefold() in file.text(field).casefold()
    if field == "fullText" or sign not in ("=", "!="):
        raise _invalid()
    return lambda file: (file.text(field) == value) == (sign == "=")


def _moment(value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise _invalid() from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _invalid() -> ApiError:
    return invalid_value("q")
