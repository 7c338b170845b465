"""Faults of live services: a kind with values, which `locales` words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ServiceFaultKind: TypeAlias = Literal[
    # It cannot be reached
    "no_program",
    "not_startable",
    "ended",
    "unreachable",
    "keeps_ending",
    "not_running",
    "closed",
    "off_unset",
    "off_beside_real",
    "off_unreal",
    # It does not answer in time
    "no_answer",
    "not_ready",
    "nobody_agreed",
    # It is asked too often
    "too_often",
    "left_alone",
    # It answers with an error
    "error",
    "sign_in_needed",
    # Its answer cannot be read
    "unusable",
    "no_mcp",
    "too_large",
    "no_json",
    "no_csv",
    "no_list",
    "misfit",
    "unforeseen",
    # Its configuration does not fit
    "file_unread",
    "file_no_yaml",
    "file_wrong",
    "file_left_out",
    "unset",
    "as_configured",
    "no_service",
    "not_searched",
    "wrong_type",
    "drifted",
    "search_left_out",
    "bodies_left_out",
    "syntax_unread",
    "no_tool",
    "not_read_only",
    "unknown_argument",
    "missing_argument",
]


@dataclass(frozen=True, slots=True)
class ServiceFault:
    """One thing that went wrong. A value that is a fault itself is said inside the sentence, without its full stop."""

    kind: ServiceFaultKind
    values: Mapping[str, str | ServiceFault] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.kind, *map(str, self.values.values())])

    def masked(self, mask: Callable[[str], str]) -> ServiceFault:
        """The same with `mask` over all its words."""
        values = {
            name: value.masked(mask) if isinstance(value, ServiceFault) else mask(value)
            for name, value in self.values.items()
        }
        return ServiceFault(self.kind, values)
