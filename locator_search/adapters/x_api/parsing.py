"""Answers of X as posts. What is damaged is left out: a page with one odd post is still a page.

A post that is withheld in some country, itself or with its author, is not shown in any.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from locator_search.core.errors import AnswerUnreadable
from locator_search.ports.x.joined_posts import JOINS, JoinedPost
from locator_search.ports.x.posts import Post, PostPage, PostsLookedUp

_POST_ID = re.compile(r"[0-9]{1,20}")
_ADDRESS = re.compile(r"https?://\S+")
_SHORT_LINK = re.compile(r"https?://t\.co/\w+(?=([^\x00-\x7f])?)", re.ASCII)
_HANDLE = re.compile(r"[A-Za-z0-9_]{1,50}")
GONE = ("/resource-not-found", "/not-authorized-for-resource")
"""Ends of the addresses that name X's kinds of problems: deleted or suspended, and protected by its author."""
LONGEST_TEXT = 25_000
"""Characters of the longest post X allows."""


def page_of(answer: Mapping[str, Any], seconds: float = 0.0) -> PostPage:
    """One page. `data` is absent where nothing was found. Raises AnswerUnreadable for another kind of answer."""
    meta, data = answer.get("meta"), answer.get("data", [])
    if not isinstance(meta, Mapping) or not isinstance(data, list):
        raise _no_posts()
    users, others = _users(answer), _others(answer)
    token = meta.get("next_token")
    return PostPage(
        posts=_shown(data, users, others),
        next_token=token if isinstance(token, str) and token else None,
        user_ids=tuple(users),
        seconds=seconds,
        returned=tuple(_billed_id(one) for one in data),
        withheld=_withheld(data, users),
        joined_ids=tuple(others),
    )


def looked_up_of(answer: Mapping[str, Any], asked: Sequence[str]) -> PostsLookedUp:
    """Posts by id. X answers 200 and lists what it does not return, with the reason, among `errors`.

    Raises AnswerUnreadable for another kind of answer.
    """
    data, errors = answer.get("data", []), answer.get("errors", [])
    if not isinstance(data, list) or not isinstance(errors, list) or not (data or errors):
        raise _no_posts()
    users, others = _users(answer), _others(answer)
    returned = tuple(_billed_id(one) for one in data)
    gone = {_missing_id(error) for error in _objects(errors)}.difference(returned).union(_withheld(data, users))
    return PostsLookedUp(
        posts=tuple(post for post in _shown(data, users, others) if post.post_id in asked),
        gone=tuple(one for one in asked if one in gone),
        user_ids=tuple(users),
        returned=returned,
        joined_ids=tuple(others),
    )


def _no_posts() -> AnswerUnreadable:
    return AnswerUnreadable("X answered with something else than posts.", hint="Is X_API_BASE_URL right?")


def _users(answer: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(user.get("id")): user for user in _objects(_inside(answer.get("includes"), "users"))}


def _others(answer: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The posts that came along because a post quotes or answers them."""
    included = answer.get("includes")
    both = (*_objects(_inside(included, "tweets")), *_objects(_inside(included, "posts")))
    return {str(one.get("id")): one for one in both}


def _shown(
    data: Sequence[Any], users: Mapping[str, Mapping[str, Any]], others: Mapping[str, Mapping[str, Any]]
) -> tuple[Post, ...]:
    shown = (one for one in _objects(data) if not _is_withheld(one, users))
    return tuple(post for one in shown if (post := _post(one, users, others)))


def _joined(
    data: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]], others: Mapping[str, Mapping[str, Any]]
) -> Iterator[JoinedPost]:
    """The posts that a post quotes or answers, where X shows them to everybody."""
    for reference in _objects(data.get("referenced_tweets") or data.get("referenced_posts")):
        other = others.get(str(reference.get("id")), {})
        kind, text = reference.get("type"), _whole_text(other)
        if kind in JOINS and text and not _is_withheld(other, users):
            handle = _handle(users.get(str(other.get("author_id")), {}))
            yield JoinedPost(kind, str(other["id"]), text, handle)


def _handle(user: Mapping[str, Any]) -> str:
    handle = str(user.get("username") or "")
    return handle if _HANDLE.fullmatch(handle) else ""


def _withheld(data: Sequence[Any], users: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(_billed_id(one) for one in _objects(data) if _is_withheld(one, users))


def _is_withheld(data: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]]) -> bool:
    return bool(data.get("withheld") or users.get(str(data.get("author_id")), {}).get("withheld"))


def _billed_id(data: object) -> str:
    """The id a post is billed by; of one without an id, a name that stays the same."""
    post_id = str(_inside(data, "id") or "")
    if _POST_ID.fullmatch(post_id):
        return post_id
    return "?" + hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:20]


def _missing_id(error: Mapping[str, Any]) -> str:
    """The post an error is about, where it says that there is none, or none for everybody to see."""
    about_a_post = error.get("resource_type") in ("tweet", "post") and error.get("parameter") == "ids"
    if not about_a_post or not str(error.get("type")).endswith(GONE):
        return ""
    return str(error.get("resource_id") or error.get("value") or "")


def _post(
    data: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]], others: Mapping[str, Mapping[str, Any]]
) -> Post | None:
    post_id, posted_at = str(data.get("id", "")), _time(data.get("created_at"))
    text = _whole_text(data)
    if not _POST_ID.fullmatch(post_id) or posted_at is None or not text:
        return None
    author_id = str(data.get("author_id") or "")
    author = users.get(author_id, {})
    conversation_id = str(data.get("conversation_id") or "")
    return Post(
        post_id=post_id,
        text=text,
        posted_at=posted_at,
        author_id=author_id if _POST_ID.fullmatch(author_id) else "",
        author=_handle(author),
        author_name=str(author.get("name") or "")[:200],
        language=str(data.get("lang") or "")[:10],
        metrics=_metrics(data.get("public_metrics")),
        conversation_id=conversation_id if _POST_ID.fullmatch(conversation_id) else "",
        joined=tuple(one for one in _joined(data, users, others) if _POST_ID.fullmatch(one.post_id)),
    )


def _whole_text(data: Mapping[str, Any]) -> str:
    """The whole text of a post with its links as they were written: of a long one, `text` is the beginning only. X
    escapes &, < and >."""
    notes = (data.get(name) for name in ("note_tweet", "note_post"))
    whole = next((note for note in notes if isinstance(note, Mapping) and note.get("text")), data)
    links = {str(link.get("url")): link.get("expanded_url") for link in _links(whole) + _links(data)}
    text = html.unescape(str(whole.get("text") or ""))
    return _SHORT_LINK.sub(lambda found: _unrolled(found, links), text)[:LONGEST_TEXT].strip()


def _links(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(_objects(_inside(data.get("entities"), "urls")))


def _unrolled(found: re.Match[str], links: Mapping[str, object]) -> str:
    """The address behind a short link, set off from Japanese words that follow; the short one where it is none."""
    address = links.get(found[0])
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        return found[0]
    return f"{address} " if found[1] else address


def _time(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _metrics(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    return {str(name): count for name, count in value.items() if type(count) is int and count >= 0}


def _inside(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else iter(())
