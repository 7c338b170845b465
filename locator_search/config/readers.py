"""The people who ask, by the settings: `LOCATOR_GROUPS` says who is in which group, `LOCATOR_ADMINISTRATORS` who may
see figures about all files, `LOCATOR_COMMAND_READERS` which person a user of this machine is."""

from __future__ import annotations

import os
import pwd
import tomllib
from collections.abc import Mapping
from typing import Any

from locator_search.config.people import checked_groups
from locator_search.config.settings import Settings
from locator_search.core.errors import AccessDenied, ConfigurationError
from locator_search.core.reader import Reader


def reader_with_mail(settings: Settings, mail: str) -> Reader:
    """The person with this mail address. Raises ConfigurationError where the groups cannot be read, and AccessDenied
    for what is no mail address."""
    administers = mail.strip().lower() in {one.lower() for one in settings.locator_administrators}
    return Reader.of(mail, groups_of(settings), administers=administers)


def reader_with_claims(settings: Settings, claims: Mapping[str, Any]) -> Reader:
    """The person who signed in, by the verified mail address alone. Raises as `reader_with_mail` does."""
    if claims.get("email_verified") is not True:
        raise AccessDenied(
            "Nothing is shown, because the sign-in does not confirm an e-mail address.",
            hint="The provider must send email and email_verified.",
        )
    return reader_with_mail(settings, str(claims.get("email") or ""))


def command_reader(settings: Settings) -> Reader | None:
    """The person that the user of this process is; None where the settings name none. Raises ConfigurationError."""
    if not settings.locator_permissions:
        return None
    user = pwd.getpwuid(os.getuid()).pw_name  # not LOGNAME, which anybody may set
    mails = {name.strip(): mail for name, _, mail in (one.partition("=") for one in settings.locator_command_readers)}
    return reader_with_mail(settings, mails[user]) if user in mails else None


def groups_of(settings: Settings) -> dict[str, frozenset[str]]:
    """The groups of LOCATOR_GROUPS with their members. Raises ConfigurationError."""
    if settings.locator_groups is None:
        return {}
    path = settings.locator_groups.expanduser()
    try:
        return checked_groups(tomllib.loads(path.read_text("utf-8")).get("groups"))
    except (OSError, ValueError) as error:  # TOML and UTF-8 that are none among them
        cause = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ConfigurationError(
            f"The groups cannot be read, so nothing is shown: {path} ({cause}).",
            hint='LOCATOR_GROUPS names a file with [groups] and lines like "sales@example.com" = ["a@example.com"].',
        ) from None
