"""Answers of X as posts. What is damaged is left out: a page with one odd post is still a page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from locator_search.core.errors import SourceError
from locator_search.ports.x.posts import Post, PostPage, PostsLookedUp

_POST_ID = re.compile(r"[0-9]{1,20}")
_HANDLE = re.compile(r"[A-Za-z0-9_]{1,50}")
GONE = ("/resource-not-found", "/not-authorized-for-resource")
"""Ends of the addresses that name X's kinds of problems: deleted or suspended, and protected by its author."""
LONGEST_TEXT = 25_000
"""Characters of the longest post X allows."""


def page_of(answer: Mapping[str, Any], seconds: float = 0.0) -> PostPage:
    """One page. `data` is absent where nothing was found. Raises SourceError for another kind of answer."""
    meta, data = answer.get("meta"), answer.get("data", [])
    if not isinstance(meta, Mapping) or not isinstance(data, list):
        raise SourceError("X answered with something else than posts.", hint="Is X_API_BASE_URL right?")
    users = {str(user.get("id")): user for user in _objects(_inside(answer.get("includes"), "users"))}
    token = meta.get("next_token")
    return PostPage(
        posts=tuple(post for one in _objects(data) if (post := _post(one, users))),
        next_token=token if isinstance(token, str) and token else None,
        user_ids=tuple(users),
        seconds=seconds,
    )


def looked_up_of(answer: Mapping[str, Any], asked: Sequence[str]) -> PostsLookedUp:
    """Posts by id. X answers 200 and lists what it does not return, with the reason, among `errors`.

    Raises SourceError for another kind of answer.
    """
    data, errors = answer.get("data", []), answer.get("errors", [])
    if not isinstance(data, list) or not isinstance(errors, list) or not (data or errors):
        raise SourceError("X answered with something else than posts.", hint="Is X_API_BASE_URL right?")
    users = {str(user.get("id")): user for user in _objects(_inside(answer.get("includes"), "users"))}
    returned = {str(one.get("id")) for one in _objects(data)}
    missing = dict.fromkeys(_missing_id(error) for error in _objects(errors))
    return PostsLookedUp(
        posts=tuple(post for one in _objects(data) if (post := _post(one, users)) and post.post_id in asked),
        gone=tuple(one for one in asked if one in missing and one not in returned),
        user_ids=tuple(users),
    )


def _missing_id(error: Mapping[str, Any]) -> str:
    """The post an error is about, where it says that there is none, or none for everybody to see."""
    about_a_post = error.get("resource_type") in ("tweet", "post") and error.get("parameter") == "ids"
    if not about_a_post or not str(error.get("type")).endswith(GONE):
        return ""
    return str(error.get("resource_id") or error.get("value") or "")


def _post(data: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]]) -> Post | None:
    post_id, posted_at = str(data.get("id", "")), _time(data.get("created_at"))
    text = _whole_text(data)
    if not _POST_ID.fullmatch(post_id) or posted_at is None or not text:
        return None
    author_id = str(data.get("author_id") or "")
    author = users.get(author_id, {})
    handle = str(author.get("username") or "")
    return Post(
        post_id=post_id,
        text=text,
        posted_at=posted_at,
        author_id=author_id if _POST_ID.fullmatch(author_id) else "",
        author=handle if _HANDLE.fullmatch(handle) else "",
        author_name=str(author.get("name") or "")[:200],
        language=str(data.get("lang") or "")[:10],
        metrics=_metrics(data.get("public_metrics")),
    )


def _whole_text(data: Mapping[str, Any]) -> str:
    """The whole text of a post: of a long one, `text` is the beginning only. X escapes &, < and >."""
    for name in ("note_tweet", "note_post"):
        whole = _inside(data.get(name), "text")
        if isinstance(whole, str) and whole:
            return html.unescape(whole)[:LONGEST_TEXT].strip()
    return html.unescape(str(data.get("text") or ""))[:LONGEST_TEXT].strip()


def _time(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _metrics(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    return {str(name): count for name, count in value.items() if type(count) is int and count >= 0}


def _inside(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else iter(())
