"""Texts of `evaluate`, `calibrate` and `dev`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Plural, Section


@dataclass(frozen=True)
class MeasuringTexts(Section, section="cli.quality"):
    """Measuring, and the tools for trying the product."""

    embedding_model: str
    stand_in: str
    loading: str
    loaded: Plural
    asking: str
    asked: Plural
    measure: str
    value: str
    milliseconds: str
    run_written: str
    data_set_written: str

    one_of_two: str
    one_of_two_hint: str
    bad_run_file: str
    no_feedback: str
    no_feedback_hint: str

    too_few_files: str
    too_few_files_hint: str
    not_told_apart: str
    not_told_apart_hint: str
    measuring: str
    measured: str
    similarity: str
    cosine_before: str
    cosine_after: str
    meaning: str
    meanings: Mapping[str, str]
    """By the similarity."""
    kept: str
    not_kept: str
    forgotten: str
    nothing_to_forget: str
    reset_or_measure: str
    emulator: str
