"""Signing in to Google: the whole browser flow against the emulator's consent page and token endpoint."""

from __future__ import annotations

import json
import stat
import threading
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.adapters.google_drive.auth import credentials_for
from locator_search.adapters.google_drive.sign_in import sign_in
from locator_search.adapters.google_drive.token_file import stored_refresh_token
from locator_search.app.locator import sign_in_to_google
from locator_search.config.settings import Settings, load_settings, load_settings_to_sign_in
from locator_search.core.errors import ConfigurationError
from locator_search.dev.drive_emulator import DriveEmulator


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


@pytest.fixture
def _client_is_set(drive: DriveEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    for name in ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_TOKEN_URI"):
        monkeypatch.setenv(name, drive.environment()[name])


class AgreeingPerson(webbrowser.BaseBrowser):
    """Opens the page and lets it send the browser back."""

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        threading.Thread(target=lambda: urllib.request.urlopen(url).read(), daemon=True).start()
        return True


@pytest.fixture
def _browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda using=None: AgreeingPerson())


@pytest.mark.usefixtures("_client_is_set", "_browser")
def test_a_person_who_agrees_is_signed_in_and_the_token_file_is_theirs_alone(drive: DriveEmulator) -> None:
    settings = load_settings_to_sign_in()
    path = sign_in_to_google(settings)
    assert path == settings.home / "google_token.json"
    assert json.loads(path.read_text()) == {"refresh_token": drive.oauth.refresh_token}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [other.name for other in path.parent.iterdir()] == [path.name], "no draft is left behind"


@pytest.mark.usefixtures("_client_is_set", "_browser")
def test_the_stored_token_stands_for_the_setting(drive: DriveEmulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", drive.root_id)
    with pytest.raises(ConfigurationError, match="missing: GOOGLE_REFRESH_TOKEN"):
        load_settings()
    sign_in_to_google(load_settings_to_sign_in())
    settings = load_settings()
    assert settings.uses_google_drive
    credentials = credentials_for(settings)
    assert credentials.refresh_token == drive.oauth.refresh_token  # type: ignore[attr-defined]


def test_without_a_client_signing_in_says_what_is_missing() -> None:
    with pytest.raises(ConfigurationError, match="GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET"):
        load_settings_to_sign_in()


@pytest.mark.usefixtures("_browser")
def test_a_wrong_client_secret_is_one_sentence(drive: DriveEmulator) -> None:
    with pytest.raises(ConfigurationError, match="did not sign you in"):
        sign_in(drive.oauth.client_id, "wrong", drive.token_uri)


@pytest.mark.usefixtures("_browser")
def test_a_permission_that_was_not_granted_is_named(drive: DriveEmulator) -> None:
    drive.oauth.scopes = ("https://www.googleapis.com/auth/drive.metadata.readonly",)
    with pytest.raises(ConfigurationError, match="not granted"):
        sign_in(drive.oauth.client_id, drive.oauth.client_secret, drive.token_uri)


def test_nobody_waits_for_ever(drive: DriveEmulator, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigurationError, match="Nobody agreed"):
        sign_in(drive.oauth.client_id, drive.oauth.client_secret, drive.token_uri, open_browser=False, seconds=0.2)
    printed = capsys.readouterr()
    assert drive.consent_uri in printed.err
    assert printed.out == ""


def test_a_damaged_token_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "google_token.json"
    path.write_text("{")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        stored_refresh_token(path)


def test_a_service_account_needs_only_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT_FILE", str(tmp_path / "key.json"))
    with pytest.raises(ConfigurationError, match="missing: GOOGLE_DRIVE_TARGET_FOLDER_IDS"):
        load_settings()
    monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", "a-folder")
    settings: Settings = load_settings()
    assert settings.uses_google_drive
    with pytest.raises(ConfigurationError, match="service account file"):
        credentials_for(settings)
