"""Sentences on the sign-in page of the Dagster UI and in refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from locator_search.locales import Section


@dataclass(frozen=True)
class Sentences(Section, section="guard"):
    """Signing in, and being refused."""

    foreign: Mapping[Literal["host", "origin"], str]
    sign_in: str
    sign_in_needed: str
    signed_in_as: str
    not_signed_in: str
    provider_unreachable: str
    sign_in_failed: str
    not_admitted: str
    sign_out: str
