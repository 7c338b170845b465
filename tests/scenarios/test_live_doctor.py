"""What `doctor` says of live services: looked at only, or asked where that is wanted. Nothing secret is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
import pytest

from locator_search.app.locator import open_locator
from locator_search.config.settings import Settings
from locator_search.health.live import service_parts
from locator_search.health.texts import PartsTexts
from locator_search.ports import PartStatus
from tests.builders.services import scripted, servers_file


def parts(folder: Path, services: dict[str, Any], *, ask: bool = False, **changes: Any) -> dict[str, PartStatus]:
    """The status of each service, by its name."""
    path = servers_file(folder, services)
    settings = Settings(locator_servers=path, locator_home=folder / "home", locator_language="ja", **changes)
    running = set(psutil.Process().children())
    with open_locator(settings) as locator:
        found = service_parts(locator, PartsTexts.of("ja"), ask=ask)
        assert ask or set(psutil.Process().children()) <= running, "looking starts nothing"
        return {part.name.removeprefix("live_"): part for part in found}


def test_real_broken_and_unset_services_are_told_apart_without_starting_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIKI_TOKEN", "wiki-secret-123")
    real = scripted(credentials=[["WIKI_TOKEN"]])
    real["transport"]["env"] = {"TOKEN": "${WIKI_TOKEN}"}
    made_up = scripted(credentials=[["CHAT_ID", "CHAT_TOKEN"]], mock=scripted()["transport"])
    absent = scripted(transport={"command": "no-such-program", "install": "npm install -g it"})
    found = parts(
        tmp_path,
        {"wiki": real, "chat": made_up, "absent": absent, "off": scripted(credentials=[["NO_KEY"]])},
        allow_real=None,
    )
    assert {name: part.state for name, part in found.items()} == {
        "wiki": "real", "chat": "missing", "absent": "failing", "off": "missing",
    }  # fmt: skip
    assert found["wiki"].label == "ライブ検索: Scripted"
    assert "CHAT_ID, CHAT_TOKEN" in found["chat"].hint
    assert "架空のデータは混ぜません" in found["chat"].detail
    assert found["absent"].detail == "プログラム no-such-program が見つかりません。npm install -g it"
    assert "NO_KEY" in found["off"].detail
    assert "wiki-secret-123" not in repr(found)


def test_where_no_service_has_its_keys_made_up_data_answer(tmp_path: Path) -> None:
    made_up = scripted(credentials=[["CHAT_TOKEN"]], mock=scripted()["transport"])
    found = parts(tmp_path, {"chat": made_up, "off": scripted(credentials=[["NO_KEY"]])}, allow_real=None)
    assert {name: part.state for name, part in found.items()} == {"chat": "offline", "off": "missing"}


def test_services_that_are_asked_say_whether_they_answer(tmp_path: Path) -> None:
    services = {"well": scripted(), "crash": scripted("crash"), "hang": scripted("hang", limits={"start_seconds": 0.5})}
    services["well"]["searches"]["gone"] = {**services["well"]["searches"]["thing"], "tool": "find"}
    found = parts(tmp_path, services, ask=True, allow_real=None)
    assert {name: part.state for name, part in found.items()} == {"well": "real", "crash": "failing", "hang": "failing"}
    assert "ツール find がありません" in found["well"].hint
    assert "invalid_auth: the token was revoked" in found["crash"].detail
    assert "0.5 秒以内に起動しませんでした" in found["hang"].detail


def test_where_nothing_real_is_allowed_made_up_data_are_no_fault(tmp_path: Path) -> None:
    found = parts(tmp_path, {"chat": scripted(mock=scripted()["transport"])}, allow_real=False)
    assert (found["chat"].state, found["chat"].hint) == ("offline", "")
    assert "ALLOW_REAL=0" in found["chat"].detail
