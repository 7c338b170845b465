"""Faults of live services as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.core.service_faults import ServiceFault, ServiceFaultKind
from locator_search.locales.files import Language
from locator_search.locales.said import told
from locator_search.locales.sections import Section


@dataclass(frozen=True)
class ServiceFaults(Section, section="service_faults"):
    """A sentence for each kind of fault."""

    sentences: Mapping[ServiceFaultKind, str]


def fault_sentence(fault: ServiceFault, language: Language) -> str:
    """One sentence for a person. A value that is a fault itself is said inside of it, without its full stop.

    The value `detail` is what a program said: of ours in the language, of others, a service's own error for instance,
    as it is.
    """
    words = {
        name: fault_sentence(value, language).rstrip(".。")
        if isinstance(value, ServiceFault)
        else told(value, language)
        if name == "detail"
        else value
        for name, value in fault.values.items()
    }
    return ServiceFaults.of(language).sentences[fault.kind].format(**words).strip()
