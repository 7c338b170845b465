"""Other ways to write what was asked for: which ones counted, and the rules that can be switched off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from locator_search.drive_search.page_filters import PageFilters
from locator_search.model import Round
from locator_search.text.variants.rules import RULES
from streamlit_app.shared import escaping, session
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts

MOST_PARTS = 3
"""Parts of a question that one chip names."""


def variants(texts: Texts, rounds: Sequence[Round], chosen: PageFilters) -> None:
    """The variants that counted, one chip for each rule; a click switches the rule off and searches again."""
    found: dict[str, dict[str, None]] = {}
    for variant in (variant for done in rounds for variant in done.variants):
        others = texts.comma.join(variant.others)
        found.setdefault(variant.rule, {})[f"{variant.written} → {others}"] = None
    if not found:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="variants"):
        st.html(line_html(f"{texts.variants}:"), width="content")
        for rule in (rule for rule in RULES if rule in found):
            parts = list(found[rule])
            words = texts.comma.join(parts[:MOST_PARTS]) + ("…" if len(parts) > MOST_PARTS else "")
            st.button(
                escaping.label(words),
                icon=":material/close:",
                help=texts.rule_switch_off.format(rule=texts.rule_names[rule]),
                key=f"variant-{rule}",
                on_click=session.set_filters,
                args=(replace(chosen, matching_off=(*chosen.matching_off, rule)),),
            )


def rules_panel(texts: Texts) -> None:
    """Every rule, on or off, with what it does."""
    with st.expander(texts.rules):
        st.pills(
            texts.rules,
            list(RULES),
            selection_mode="multi",
            format_func=texts.rule_names.__getitem__,
            key="rules",
            label_visibility="collapsed",
            persist_state="session",
        )
        rules = [(name, texts.rule_explanations[rule]) for rule, name in texts.rule_names.items()]
        st.html(render("search/matching_rules", "rules", rules))
