"""Settings: read once, blank means unset, one message names everything wrong, secrets stay secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.config.settings import GOOGLE_KEYS, Settings, load_settings
from locator_search.core.errors import ConfigurationError


@pytest.fixture(autouse=True)
def an_empty_folder_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


def test_nothing_set_is_fine() -> None:
    settings = load_settings()
    assert settings.locator_folders == ("samples",)
    assert not settings.uses_google_drive


@pytest.mark.parametrize("blank", ["", "   "])
@pytest.mark.parametrize("name", [name.upper() for name in Settings.model_fields])
def test_a_blank_value_counts_as_not_set(name: str, blank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, blank)
    assert load_settings() == Settings.model_construct()


def test_blanks_around_a_key_are_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-1 \n")
    assert load_settings().openai_api_key == "sk-1"


@pytest.mark.parametrize("ceiling", ["0", "-1", "nan", "inf", "much"])
def test_a_ceiling_that_is_no_sum_of_money_is_refused(ceiling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_MAX_COST_USD", ceiling)
    with pytest.raises(ConfigurationError, match="LOCATOR_MAX_COST_USD"):
        load_settings()


def test_the_address_of_a_model_server_has_a_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost:11434/v1")
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL: must begin with http"):
        load_settings()


def test_a_dotenv_file_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOCATOR_FOLDERS=契約書, 議事録\nSEARCH_MAX_LOOP_COUNT=5\n", "utf-8")
    settings = load_settings()
    assert settings.locator_folders == ("契約書", "議事録")
    assert settings.search_max_loop_count == 5


def test_the_environment_wins_over_the_dotenv_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=ERROR\n", "utf-8")
    monkeypatch.setenv("LOG_LEVEL", "debug")
    assert load_settings().log_level == "DEBUG"


def test_one_message_names_every_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLIENT_ID", "an-id")
    monkeypatch.setenv("SUPABASE_URL", "https://project.example")
    with pytest.raises(ConfigurationError) as raised:
        load_settings()
    assert raised.value.exit_code == 2
    for name in (*GOOGLE_KEYS[1:], "SUPABASE_DB_PASSWORD"):
        assert name in raised.value.message
    assert "GOOGLE_CLIENT_ID" not in raised.value.message


def test_credentials_of_google_may_be_for_live_search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLIENT_ID", "an-id")
    monkeypatch.setenv("GOOGLE_CLIENT_SECRET", "a-secret")
    monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", "none")
    assert not load_settings().uses_google_drive


def test_a_wrong_value_is_named_without_repeating_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUMMARY_MAX_LENGTH", "a-secret-in-the-wrong-place")
    with pytest.raises(ConfigurationError) as raised:
        load_settings()
    assert "SUMMARY_MAX_LENGTH" in raised.value.message
    assert "a-secret-in-the-wrong-place" not in raised.value.message


@pytest.mark.parametrize("value", ["Asia/Tokio", "../etc", "Asia"])
def test_an_unknown_time_zone_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_TIME_ZONE", value)
    with pytest.raises(ConfigurationError, match="LOCATOR_TIME_ZONE: no such time zone"):
        load_settings()


def test_secrets_never_appear_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    secret_names = [name for name, field in Settings.model_fields.items() if not field.repr]
    assert {"openai_api_key", "database_url", "google_client_secret", "google_refresh_token"} <= set(secret_names)
    public = ("GOOGLE_CLIENT_ID", "GOOGLE_DRIVE_TARGET_FOLDER_IDS", "SUPABASE_URL", "DIFY_API_URL", "DIFY_DATASET_ID")
    for name in public:
        monkeypatch.setenv(name, "https://public.example")
    for name in secret_names:
        monkeypatch.setenv(name.upper(), "hush-hush")
    assert "hush-hush" not in repr(load_settings())


def test_every_name_that_sounds_secret_is_one() -> None:
    sounds_secret = ("key", "token", "secret", "password", "database_url")
    for name, field in Settings.model_fields.items():
        if any(word in name for word in sounds_secret) and not name.endswith("_uri"):
            assert not field.repr, f"{name} would be printed"


def test_evidence_from_a_service_needs_its_address_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTRIBUTIONS_EVIDENCE", "Dify")
    with pytest.raises(ConfigurationError, match="DIFY_API_URL, DIFY_API_KEY, DIFY_DATASET_ID"):
        load_settings()
    monkeypatch.setenv("CONTRIBUTIONS_EVIDENCE", "elastic")
    monkeypatch.setenv("ELASTIC_URL", "http://127.0.0.1:9200")
    with pytest.raises(ConfigurationError, match="missing: ELASTIC_INDEX"):
        load_settings()
