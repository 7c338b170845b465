"""Live services that search as the real ones do, over things in memory: Drive all words of an alternative, Slack all
words and its modifiers, GitHub words, OR, repositories and addresses, and a wiki that looks for one piece of text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from locator_search.adapters.mcp_services.configuration import load_servers
from locator_search.model import FetchReply, SearchReply, Service, ServiceHit, ServiceQuery, ServiceSearch
from tests.fakes.scripted_services import ScriptedServices

_TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()]+')


@dataclass(frozen=True)
class Thing:
    """Something in a service: `place` is its repository or channel, `author` a handle and a name."""

    service: str
    kind: str
    uri: str
    title: str
    text: str
    place: str = ""
    author: str = ""

    @property
    def folded(self) -> str:
        return folded(f"{self.title}\n{self.text}")


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def holds_words(thing: Thing, tokens: Sequence[str]) -> bool:
    """Whether the thing holds one alternative of the tokens, each with all its words; parentheses hold alternatives."""
    if "(" in tokens:
        start, end = tokens.index("("), tokens.index(")")
        inner = holds_words(thing, tokens[start + 1 : end])
        return inner and holds_words(thing, [*tokens[:start], *tokens[end + 1 :]])
    alternatives: list[list[str]] = [[]]
    for token in tokens:
        if token == "OR":
            alternatives.append([])
        else:
            alternatives[-1].append(token)
    return any(all(folded(word.strip('"')) in thing.folded for word in words) for words in alternatives)


def in_drive(thing: Thing, query: str) -> bool:
    return query == thing.uri or holds_words(thing, _TOKEN.findall(query))


def in_slack(thing: Thing, query: str) -> bool:
    tokens = _TOKEN.findall(query)
    if "OR" in tokens:
        return False
    channels = [token.removeprefix("in:") for token in tokens if token.startswith("in:")]
    authors = [token.removeprefix("from:@") for token in tokens if token.startswith("from:@")]
    words = [token for token in tokens if not token.startswith(("in:", "from:@"))]
    is_there = all(one == thing.place for one in channels) and all(one in thing.author for one in authors)
    return is_there and holds_words(thing, words)


def in_github(thing: Thing, query: str) -> bool:
    number = thing.uri.rsplit("/", 1)[1]
    if query in (thing.uri, f"{thing.place}#{number}"):
        return True
    tokens = _TOKEN.findall(query)
    places = [token[5:] for token in tokens if token.startswith("repo:")]
    left = [token for token in tokens if not token.startswith("repo:")]
    if places and f"#{number}" in left:
        left.remove(f"#{number}")
    return (
        all(place == thing.place for place in places)
        and (bool(left) or thing.kind != "code")
        and holds_words(thing, left)
    )


def in_wiki(thing: Thing, query: str) -> bool:
    return folded(query) in thing.folded


SERVICE_OF = {
    "drive": "https://docs.google.com/", "slack": "https://acme.slack.com/", "github": "https://github.com/",
    "wiki": "https://wiki.example/",
}  # fmt: skip
"""Where what each service holds is found."""

SEARCHES: dict[str, Callable[[Thing, str], bool]] = {
    "drive": in_drive, "slack": in_slack, "github": in_github, "wiki": in_wiki,
}  # fmt: skip


def offered() -> list[Service]:
    """The services of the product as they are configured, and the wiki."""
    found = []
    for name, entry in load_servers().servers.items():
        if entry.enabled:
            searches = tuple(search.offered(kind, "") for kind, search in entry.searches.items())
            found.append(Service(name, entry.label, searches))
    return [*found, Service("wiki", "Wiki", (ServiceSearch("page", ""),))]


class SearchableServices(ScriptedServices):
    """A gateway over these things, the first in their order first."""

    def __init__(self, things: Sequence[Thing]) -> None:
        super().__init__(offered())
        self.things = things

    def _searched(self, query: ServiceQuery, most: int) -> SearchReply:
        found = [
            ServiceHit(one.service, one.kind, one.title, one.text[:80], one.uri)
            for one in self.things
            if (one.service, one.kind) == (query.service, query.kind) and SEARCHES[one.service](one, query.query)
        ]
        return SearchReply(query, tuple(found[:most]))

    def _fetched(self, hit: ServiceHit) -> FetchReply:
        return FetchReply(hit, next(one.text for one in self.things if one.uri == hit.uri))
