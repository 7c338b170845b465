"""The composition root: settings in, working parts out. Each part is made on first use, so that a command imports and
starts only what it needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from locator_search.app.drive import DriveSystem
from locator_search.app.part import part
from locator_search.config.settings import Settings, load_settings

if TYPE_CHECKING:
    from locator_search.app.contributions import ContributionParts
    from locator_search.app.live import LiveParts
    from locator_search.x_search.searcher import XSearch


class Locator(DriveSystem):
    """Every part of the product for one set of settings. A context manager; `close()` frees what was opened."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """End worker processes and connections that were started."""
        made = vars(self)
        if "live" in made:
            self.live.close()
        if "contributions" in made:
            self.contributions.close()
        super().close()

    @part
    def x_search(self) -> XSearch:
        from locator_search.app.x import make_x_search

        return make_x_search(self)

    @part
    def contributions(self) -> ContributionParts:
        from locator_search.app.contributions import ContributionParts

        return ContributionParts(self)

    @part
    def live(self) -> LiveParts:
        from locator_search.app.live import LiveParts

        return LiveParts(self)


def shown_path(path: str) -> str:
    """A path as a screen and a file of text can hold it; one that is valid Unicode is left as it is."""
    from locator_search.adapters.local_files.names import displayable, location_of

    return path if location_of(path) == path else displayable(path)


def parser_version() -> str:
    """The version of the text extractors, without starting any."""
    from locator_search.adapters.extractors import VERSION

    return VERSION


def sign_in_to_google(settings: Settings, *, open_browser: bool = True) -> Path:
    """Let a person agree in the browser and keep the refresh token; returns the file it is in.

    Raises ConfigurationError.
    """
    from locator_search.adapters.google_drive.sign_in import sign_in
    from locator_search.adapters.google_drive.token_file import store_refresh_token

    token = sign_in(
        settings.google_client_id or "",
        settings.google_client_secret or "",
        settings.google_token_uri,
        open_browser=open_browser,
    )
    store_refresh_token(settings.google_token_file, token)
    return settings.google_token_file


def open_locator(settings: Settings | None = None) -> Locator:
    """The product for these settings (by default those of the environment and `.env`).

    Raises ConfigurationError.
    """
    return Locator(settings or load_settings())
