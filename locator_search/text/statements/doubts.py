"""Doubts about a claim."""

from __future__ import annotations

from typing import Literal

Doubt = Literal["words", "numbers", "negation", "obligation", "roles", "scope", "conditions", "deleted"]
"""The part of a claim that its sentence does not say: its words; its numbers and names; that it is so at all or is
not; how binding it is; who does it to whom, or in which order; of how many, or of which alone; when or if; or that it
no longer stands there."""
