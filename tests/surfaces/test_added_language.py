"""A language that somebody adds as one file is offered wherever a language is chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from locator_search.config.settings import load_settings
from locator_search.core.errors import ConfigurationError
from locator_search.locales import files
from locator_search.mcp_server.texts import Sentences
from locator_search.x_search.prompts import answer_prompt
from streamlit_app.shared import serving
from streamlit_app.shared.texts import as_language
from tests.builders.command_line import app


@pytest.fixture(autouse=True)
def korean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The locale files with one more."""
    for name in ("ja", "en"):
        (tmp_path / f"{name}.toml").write_bytes((files.FOLDER / f"{name}.toml").read_bytes())
    english = (tmp_path / "en.toml").read_text("utf-8")
    korean = english.replace('name = "English"', 'name = "한국어"', 1).replace('"English"', '"Korean"', 1)
    (tmp_path / "ko.toml").write_text(korean.replace('"Nothing was found. Try', '"없습니다. Try'), "utf-8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)


def test_the_setting_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_LANGUAGE", "ko")
    say = Sentences.of(load_settings().locator_language)
    assert say.nothing_found.startswith("없습니다.")
    monkeypatch.setenv("LOCATOR_LANGUAGE", "fr")
    with pytest.raises(ConfigurationError, match=r"LOCATOR_LANGUAGE.* ja, en, ko"):
        load_settings()


def test_the_option_takes_it() -> None:
    result = CliRunner().invoke(app, ["contributions", "analyse", "S1-1", "--language", "fr"])
    assert "'fr' is not one of 'ja', 'en', 'ko'." in result.output


def test_the_page_offers_it() -> None:
    def page() -> None:
        from streamlit_app.search.filter_panel import language_switch
        from streamlit_app.shared.texts import Texts

        language_switch(Texts.of("ja"))

    [switch] = AppTest.from_function(page).run(timeout=60).button_group
    assert switch.options == ["日本語", "English", "한국어"]
    assert [as_language(code, "en") for code in ("ko", "fr", None)] == ["ko", "en", "en"]


def test_pages_do_not_start_with_a_faulty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "ko.toml").open("a", encoding="utf-8") as file:
        file.write('surprise = "x"\n')
    with pytest.raises(SystemExit) as ended:
        serving.guards()
    assert ended.value.code == 2
    assert re.search(r"ko\.toml: there is no text `[\w.]+\.surprise` in this program\.\n", capsys.readouterr().err)


def test_a_model_is_asked_for_it_by_name() -> None:
    prompt = answer_prompt("question", [], "ko")
    assert "Answer the question in Korean" in prompt.instructions
