"""The guard in front of every server of ours: page, Dagster UI and MCP over HTTP.

`hosts` says under which names we may be reached, `middleware` refuses everything else, `sign_in` reads who may come in,
`health` answers probes.
It speaks plain ASGI and knows neither Streamlit nor Dagster.
"""

from locator_search.guard.health import Health
from locator_search.guard.hosts import LOCALHOST, Names, names_of
from locator_search.guard.middleware import Guard
from locator_search.guard.sign_in import Provider, SignIn, read_sign_in, refuse_open_doors

__all__ = [
    "LOCALHOST",
    "Guard",
    "Health",
    "Names",
    "Provider",
    "SignIn",
    "names_of",
    "read_sign_in",
    "refuse_open_doors",
]
