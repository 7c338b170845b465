"""Texts of `doctor` and the status page about each part."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.locales import Plural, Section


@dataclass(frozen=True)
class PartsTexts(Section, section="health"):
    """Sentences about parts, and what to do about them."""

    database_embedded: str
    database_external: str
    use_own_database: str
    no_such_folder: str
    name_existing_folders: str
    no_index: str
    run_crawler: str
    index: str
    offline_chat_model: str
    offline_embedding_model: str
    use_real_models: str
    wrong_length: str
    embedding_model: str
    shuts_down: str
    was_shut_down: str
    choose_another: str
    read_by_nobody: str
    groups_unknown: Plural
    name_members: str
    langsmith: str
    switch_langsmith_off: str
    sample_meetings: str
    name_an_archive: str
    meetings: Plural
    sample_posts: str
    name_x_key: str
    x: str
    with_converter: str
    without_converter: str
    live_service: str
    live_set_up: str
    ask_live: str
    live_made_up: str
    live_made_up_asked_for: str
    set_names: str
    or_sign_in: str
    live_answered: str
