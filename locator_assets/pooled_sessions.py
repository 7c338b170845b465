"""Dagster behind a pooler: poolers refuse the settings of a session in the address, so they are made after connecting.

SQLAlchemy finds this plugin by its name in the address (`plugin=pooled_sessions`), in whichever process of Dagster that
is.
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import URL, CreateEnginePlugin, Engine, event

_OPTION = re.compile(r"-c\s*(?P<name>[\w.]+)=(?P<value>\S*)")


class PooledSessions(CreateEnginePlugin):
    """Takes `options` out of what libpq is told, and sets each in the session instead."""

    def update_url(self, url: URL) -> URL:
        """The address without the name of this plugin."""
        return url.difference_update_query(["plugin"])

    def engine_created(self, engine: Engine) -> None:
        """Have every connection of the engine made that way."""

        def take_out(_dialect: object, record: Any, _arguments: object, named: dict[str, Any]) -> None:
            record.info["options"] = named.pop("options", "")

        def make(connection: Any, record: Any) -> None:
            with connection.cursor() as cursor:
                for option in _OPTION.finditer(record.info["options"]):
                    cursor.execute("SELECT set_config(%s, %s, false)", (option["name"], option["value"]))
            connection.commit()  # a setting of a transaction that is rolled back is gone with it

        event.listen(engine, "do_connect", take_out)
        event.listen(engine, "connect", make)
