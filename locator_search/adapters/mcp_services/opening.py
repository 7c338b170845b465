"""Makes the gateway of the settings and servers.yaml, and decides whether services are real or all of them mocks."""

from __future__ import annotations

import re

from pydantic import ValidationError

from locator_search.adapters.mcp_services.configuration import (
    ServerEntry,
    ServersFile,
    Transport,
    added_servers,
    load_servers,
    problems_in,
)
from locator_search.adapters.mcp_services.failures import failure_of
from locator_search.adapters.mcp_services.gateway import McpServiceGateway
from locator_search.adapters.mcp_services.server import Server
from locator_search.adapters.mcp_services.start_times import StartTimes
from locator_search.adapters.mcp_services.texts import ServersTexts
from locator_search.adapters.mcp_services.variables import Variables, expanded, missing_credentials, variables_of
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, ServiceMisconfigured
from locator_search.core.masking import mask
from locator_search.core.service_faults import ServiceFault
from locator_search.model import ServiceFailure
from locator_search.ports import SignIns

START_TIMES = "live_starts.json"
SERVERS_FOLDER = "servers.d"
"""In LOCATOR_HOME: a file for each service that `live add` described."""
SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|_KEY$|^KEY$|XOX", re.IGNORECASE)


def open_gateway(settings: Settings, sign_ins: SignIns) -> McpServiceGateway:
    """The services of LOCATOR_SERVERS and those that were added. Starts nothing yet.

    Where one of them has what it needs to be real, those without are off: made-up data never stand beside real data.
    Mocks answer where none has, or ALLOW_REAL is 0. An added one whose file cannot be used is off, and tells nothing of
    what is real. Raises ConfigurationError where the file of LOCATOR_SERVERS cannot be used.
    """
    path = settings.locator_servers
    configuration = load_servers(path.expanduser() if path else None, settings.locator_language)
    added, broken = added_servers(settings.home / SERVERS_FOLDER)
    variables = variables_of(settings)
    mask.remember(value for name, value in variables.items() if SECRET_NAME.search(name))
    enabled = {
        name: entry
        for name, entry in {**configuration.servers, **added}.items()
        if entry.enabled and name not in broken
    }
    if not enabled and not broken:
        say = ServersTexts.of(settings.locator_language)
        raise ConfigurationError(say.none_enabled, say.none_enabled_hint)
    missing = {
        name: () if settings.allow_real is False else missing_credentials(entry.credentials, variables)
        for name, entry in enabled.items()
    }
    only_mocks = settings.allow_real is False or all(missing.values())
    starts = StartTimes(settings.home / START_TIMES)
    servers = [
        _server(
            name,
            entry,
            configuration,
            variables,
            starts,
            sign_ins,
            missing[name],
            only_mocks=only_mocks,
        )
        for name, entry in enabled.items()
    ]
    servers += [_off(name, fault, configuration, starts, sign_ins) for name, fault in broken.items()]
    return McpServiceGateway(servers, configuration.question_seconds, configuration.patience_seconds, mask)


def _server(
    name: str,
    entry: ServerEntry,
    configuration: ServersFile,
    variables: Variables,
    starts: StartTimes,
    sign_ins: SignIns,
    missing: tuple[str, ...],
    *,
    only_mocks: bool,
) -> Server:
    transport = entry.mock if only_mocks else None if missing else entry.transport
    off = None
    if transport is None:
        unset = ServiceFault("off_unset" if only_mocks else "off_beside_real", {"names": ", ".join(missing)})
        off = ServiceFailure("misconfigured", unset if missing else ServiceFault("off_unreal"))
    else:
        try:
            transport = Transport.model_validate(expanded(transport.model_dump(), variables))
            entry = _with_variables(entry, variables)
        except ServiceMisconfigured as error:
            transport, off = None, failure_of(error, mask)
        except ValidationError as error:
            fault = ServiceFault("file_wrong", {"path": name, "detail": problems_in(error)})
            transport, off = None, ServiceFailure("misconfigured", fault.masked(mask))
    return Server(
        name,
        entry,
        transport or entry.transport,
        configuration.limits_of(entry),
        mask,
        starts,
        sign_ins,
        mock=only_mocks and off is None,
        missing=missing,
        off=off,
    )


def _off(name: str, fault: ServiceFault, configuration: ServersFile, starts: StartTimes, sign_ins: SignIns) -> Server:
    """A service of which nothing is known but what is wrong with its file."""
    transport = Transport(command=f"{name}.yaml")
    entry = ServerEntry.model_construct(label=name, searches={}, transport=transport)
    failure = ServiceFailure("misconfigured", fault.masked(mask))
    return Server(name, entry, transport, configuration.defaults, mask, starts, sign_ins, off=failure)


def _with_variables(entry: ServerEntry, variables: Variables) -> ServerEntry:
    """Variables may stand in arguments, too."""
    tree = entry.model_dump(exclude_unset=True)
    for each in (*tree["searches"].values(), *tree.get("fetch", {}).values()):
        if isinstance(each, dict) and "args" in each:
            each["args"] = expanded(each["args"], variables)
    return ServerEntry.model_validate(tree)
