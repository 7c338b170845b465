"""Who may add folders: whoever runs the program alone on this machine, else administrators where it is allowed."""

from __future__ import annotations

from locator_search.config.settings import Settings
from streamlit_app.adding.texts import AddingTexts
from streamlit_app.shared import access


def stranger(settings: Settings) -> bool:
    """Whether others than the one person of this machine may be looking, and this is none of the administrators."""
    alone = not access.sign_in_is_set_up() and not settings.locator_allowed_hosts
    return not alone and (not settings.locator_add_folders or access.others_may_look(settings))


def refusal(say: AddingTexts, settings: Settings) -> str:
    """Why whoever looks may not add anything here, in a sentence; "" where they may. To be asked again before a path is
    looked at and before anything is kept."""
    if settings.locator_add_folders is False:
        return say.switched_off
    return say.administrators if stranger(settings) else ""


def folder_refusal(say: AddingTexts, settings: Settings) -> str:
    """The same for folders of this machine."""
    if told := refusal(say, settings):
        return told
    if settings.uses_google_drive:
        return say.drive_instead
    return say.by_setting if "locator_folders" in settings.model_fields_set else ""
