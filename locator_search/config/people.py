"""People in settings and in the file of groups: each is named by a whole e-mail address, or it is an error.

A name that nobody has, or a domain where one person is meant, must not pass in silence: it would let in nobody, or all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locator_search.core.reader import is_mail


def checked_administrators(names: Sequence[str]) -> tuple[str, ...]:
    """E-mail addresses, as they are. Raises ValueError."""
    for name in names:
        if not is_mail(name):
            raise ValueError(f"{name} is no e-mail address, and each administrator is named by one")
    return tuple(names)


def checked_command_readers(entries: Sequence[str]) -> tuple[str, ...]:
    """Entries of the form user=address, each user once, as they are. Raises ValueError."""
    users = [entry.partition("=")[0].strip() for entry in entries]
    for entry, user in zip(entries, users, strict=True):
        if not user or not is_mail(entry.partition("=")[2].strip()):
            raise ValueError(f"{entry} is not of the form user=e-mail address, as in sato=a.sato@example.com")
        if users.count(user) > 1:
            raise ValueError(f"the user {user} is named twice, and a user is one person")
    return tuple(entries)


def checked_groups(written: object) -> dict[str, frozenset[str]]:
    """Groups with their members, both in lower case. Raises ValueError."""
    if not isinstance(written, Mapping):
        raise ValueError("it has no section [groups]")  # noqa: TRY004  # of one kind with the others
    return {name.lower(): _members(name, members) for name, members in written.items()}


def _members(name: str, members: object) -> frozenset[str]:
    if not is_mail(name):
        raise ValueError(f"the group {name} is no e-mail address")
    if not isinstance(members, list):
        raise ValueError(f"the members of {name} are no list")  # noqa: TRY004
    for member in members:
        if not isinstance(member, str) or not is_mail(f"all{member}" if member.startswith("@") else member):
            raise ValueError(f"the member {member} of {name} is neither an e-mail address nor a domain as @example.com")
    return frozenset(map(str.lower, members))
