"""References in texts: addresses of a service that is asked, and numbers somebody gave a document. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from locator_search.live_search.choosing import Chosen
from locator_search.live_search.queries import Target, addresses_in
from locator_search.live_search.same_document import document_key
from locator_search.model import SearchReply, ServiceHit, ServiceQuery

MOST_FOLLOWED = 3
"""References of one answer that are looked up."""
_NUMBER = re.compile(r"(?<![\w./-])[A-Z][A-Za-z]*\d*(?:-[A-Za-z\d]+)*-\d{2,}[A-Za-z\d]*(?![\w-])", re.ASCII)


def followed(chosen: Sequence[Chosen], targets: Sequence[Target], question: str) -> list[ServiceQuery]:
    """The queries for what the evidence refers to, the best evidence first, and neither it nor the question is."""
    known = {document_key(one.hit.place) for one in chosen}
    titles = " ".join([question, *(one.hit.title for one in chosen)])
    found: dict[str, list[ServiceQuery]] = {}
    for one in chosen:
        text = f"{one.hit.title}\n{one.text}"
        for target in targets:
            for address in addresses_in(text, target.addresses):
                if document_key(address) not in known and address not in titles:
                    found.setdefault(address, []).append(ServiceQuery(target.service, target.kind, address))
            for number in _numbers(text, titles) if target.service != one.hit.service else ():
                found.setdefault(number, []).append(ServiceQuery(target.service, target.kind, number))
    return list(dict.fromkeys(query for queries in list(found.values())[:MOST_FOLLOWED] for query in queries))


def what_was_meant(replies: Iterable[SearchReply], chosen: Collection[Chosen]) -> Iterator[ServiceHit]:
    """The hits that are what was referred to: a number has to stand in the title. None that is evidence already."""
    known = {document_key(one.hit.place) for one in chosen}
    for reply in replies:
        for hit in reply.hits:
            is_meant = reply.query.query in hit.title or not _NUMBER.fullmatch(reply.query.query)
            if is_meant and (key := document_key(hit.place)) and key not in known:
                known.add(key)
                yield hit


def _numbers(text: str, titles: str) -> list[str]:
    return [number for number in dict.fromkeys(_NUMBER.findall(text)) if number not in titles]
