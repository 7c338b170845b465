"""The state of each live service: real, made up, without its keys, or why it cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from locator_search.health.texts import PartsTexts
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import ServiceQuery
from locator_search.ports import PartStatus

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.model import SearchReply, Service

QUESTION_OF_DOCTOR = "test"
"""A word that harms nobody, to see whether a service answers; what it finds is thrown away."""


def service_parts(locator: Locator, texts: PartsTexts, *, ask: bool) -> list[PartStatus]:
    """One part for each live service: real, made up, or why it cannot be used. To `ask`, servers are started.

    Raises ConfigurationError where servers.yaml cannot be used.
    """
    gateway = locator.live.gateway
    if not ask:
        return [_service_part(texts, service) for service in gateway.configured()]
    services = gateway.services()
    one_each = [
        ServiceQuery(service.name, service.searches[0].kind, QUESTION_OF_DOCTOR)
        for service in services
        if service.failure is None and service.searches
    ]
    replies = {reply.query.service: reply for reply in gateway.search(one_each, 1)}
    return [_service_part(texts, service, replies.get(service.name)) for service in gateway.services()]


def _service_part(texts: PartsTexts, service: Service, reply: SearchReply | None = None) -> PartStatus:
    name = f"live_{service.name}"
    program, label = Path(service.program).name, texts.live_service.format(label=service.label)
    failure = service.failure or (reply.failure if reply else None)
    told = fault_sentence(failure.fault, texts.language) if failure else texts.live_made_up
    if service.missing:
        sign_in = texts.or_sign_in if service.missing[0].startswith("GOOGLE_") else ""
        hint = f"{texts.set_names.format(names=', '.join(service.missing))} {sign_in}".strip()
        state: Literal["missing", "offline"] = "missing" if failure else "offline"
        return PartStatus(name, state, told, hint, {"missing": list(service.missing)}, label)
    if failure is not None:
        return PartStatus(name, "failing", told, label=label)
    if service.mock:
        return PartStatus(name, "offline", texts.live_made_up_asked_for, label=label)
    problems = " ".join(fault_sentence(problem, texts.language) for problem in service.problems)
    if reply is None:
        return PartStatus(name, "real", texts.live_set_up.format(program=program), texts.ask_live, label=label)
    return PartStatus(
        name, "real", texts.live_answered.format(program=program, seconds=reply.seconds), problems, label=label
    )
