"""Adding a folder or Google Drive on the page: what is told before, who may, and what happens then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from locator_assets import resources
from locator_search.config.readers import reader_with_mail
from locator_search.config.settings import load_settings
from locator_search.dev.drive_emulator import DriveEmulator
from streamlit_app.adding.texts import AddingTexts
from streamlit_app.shared import access, escaping, session
from tests.builders.files.pdfs import pdf
from tests.surfaces.test_page_app import fresh_app, shown

SAY = AddingTexts.of("ja")


@pytest.fixture
def home(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a program that nobody has told anything yet."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LOCATOR_FOLDERS", raising=False)
    (tmp_path / "here" / "samples").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "書類"
    (folder / "写真").mkdir(parents=True)
    for number in range(3):
        (folder / f"見積書 {number}.txt").write_text(f"空調設備の更新、第{number}案の見積もりです。", "utf-8")
    pdf(folder / "図面.pdf", [["配管の図面"]])
    (folder / "写真" / "現場.png").write_bytes(b"picture")
    with (folder / "録画の書き起こし.txt").open("wb") as huge:
        huge.truncate(101 << 20)
    return folder


@pytest.fixture
def app(home: Path) -> Iterator[AppTest]:
    for opened in fresh_app():
        yield opened.run().switch_page("adding/adding.py").run()


def told(app: AppTest) -> str:
    return "\n".join([shown(app), *(one.value for one in (*app.info, *app.warning, *app.success, *app.code))])


def written(app: AppTest, path: object) -> AppTest:
    return app.text_input(key="path").set_value(str(path)).run()


def wait_until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 200
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_a_folder_is_counted_by_kind_with_what_is_left_out_and_the_cost_before_anything_is_kept(
    app: AppTest, papers: Path, home: Path
) -> None:
    page = told(written(app, papers))
    assert "4 件（" in page
    assert "<td>テキスト</td><td>3</td>" in page.replace("\n", "").replace("  ", "")
    assert "<td>PDF</td><td>1</td>" in page.replace("\n", "").replace("  ", "")
    assert "画像" in page
    assert "大きすぎる" in page
    assert "図面.pdf" in page
    assert SAY.free in page
    assert not (home / "folders.json").exists()
    assert not session.locator().registry.roots()


def test_the_cost_is_estimated_where_models_are_paid(
    app: AppTest, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    monkeypatch.setenv("LOCATOR_MAX_COST_USD", "3")
    session.locator.clear()
    page = told(written(app, papers))
    assert "これらのファイルを一度読む費用: 多くて約 $0.0" in page
    assert "上限は $3.00" in page


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("書類", "not_whole"),
        ("../書類", "not_whole"),
        ("{papers}/なし", "missing"),
        ("/\0", "missing"),
        ("~nobody-of-this-name/x", "missing"),
        ("/" + "長" * 5000, "missing"),
        ("{papers}/図面.pdf", "no_folder"),
        ("/", "whole_disk"),
        ("{papers}/../../../../../../../..", "whole_disk"),
        ("{home}", "home"),
        ("{home}/logs", "home"),
        ("{link}", "home"),
        ("{home}/../here/samples", "known"),
    ],
)
def test_a_path_that_cannot_be_taken_is_one_sentence(
    path: str, fault: str, app: AppTest, papers: Path, home: Path
) -> None:
    (home / "logs").mkdir(parents=True, exist_ok=True)
    link = papers.parent / "link"
    link.symlink_to(home)
    written(app, path.format(papers=papers, home=home, link=link))
    assert [warning.value for warning in app.warning] == [escaping.label(SAY.faults[fault])]  # type: ignore[index]
    assert "start" not in [button.key for button in app.button]


def test_a_folder_is_crawled_at_once_found_and_taken_out_again(
    app: AppTest, papers: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = resources._locator_of_this_process()
    written(app, papers).button(key="start").click().run()
    assert json.loads((home / "folders.json").read_text("utf-8")) == [str(Path("samples").absolute()), str(papers)]
    assert app.text_input(key="path").value == ""
    wait_until(lambda: "検索する" in str([link.proto.label for link in app.run().get("page_link")]))
    wait_until(lambda: session.locator().status_reader.progress().waiting == 0)
    wait_until(lambda: not app.run().button(key="again").disabled)
    found = session.locator().status_reader.status().coverage.by_state["indexed"]
    assert SAY.ended.format(count=found) in told(app)
    app.switch_page("search/search.py").run()
    assert "見積書 1.txt" in shown(app.text_input(key="question").set_value("空調設備の見積もり 第1案").run())
    after = resources._locator_of_this_process()
    assert after is not before, "the sensor of a server that runs looks into the new folder, too"
    assert papers in after.folders
    app.switch_page("adding/adding.py").run()
    app.button(key="remove-1").click().run()
    assert json.loads((home / "folders.json").read_text("utf-8")) == [str(Path("samples").absolute())]
    assert session.locator().unread.coverage().listed == 0
    assert (papers / "図面.pdf").exists()


def administrator(monkeypatch: pytest.MonkeyPatch, *, administers: bool, allowed: bool) -> None:
    """Somebody has signed in where results are trimmed."""
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setenv("LOCATOR_ADMINISTRATORS", "boss@example.com")
    if allowed:
        monkeypatch.setenv("LOCATOR_ADD_FOLDERS", "1")
    mail = "boss@example.com" if administers else "aki@example.com"
    monkeypatch.setattr(access, "sign_in_is_set_up", lambda: True)
    monkeypatch.setattr(access, "admission", lambda: "admitted")
    monkeypatch.setattr(access, "owner", lambda: mail)
    monkeypatch.setattr(access, "reader", lambda: reader_with_mail(load_settings(), mail))


@pytest.mark.parametrize(
    ("administers", "allowed", "may"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_where_people_sign_in_only_administrators_add_folders_and_only_where_it_is_allowed(
    administers: bool, allowed: bool, may: bool, app: AppTest, papers: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(app, papers)
    administrator(monkeypatch, administers=administers, allowed=allowed)
    app.button(key="start").click().run()  # the page was drawn when it was still allowed
    assert (home / "folders.json").exists() is may
    page = told(app.run())
    assert (escaping.label(SAY.administrators) in page) is not may
    assert ("path" in [field.key for field in app.text_input]) is may


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("LOCATOR_ADD_FOLDERS", "0", SAY.switched_off),
        ("LOCATOR_FOLDERS", "samples", SAY.by_setting),
        ("LOCATOR_ALLOWED_HOSTS", "docs.example.com", SAY.administrators),
    ],
)
def test_where_a_setting_says_otherwise_nobody_adds_a_folder(
    name: str, value: str, sentence: str, app: AppTest, papers: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(app, papers)
    monkeypatch.setenv(name, value)
    app.button(key="start").click().run()
    assert not (home / "folders.json").exists()
    assert [info.value for info in app.info] == [escaping.label(sentence)]
    assert "図面.pdf" not in told(app)


def to_drive(app: AppTest) -> AppTest:
    return app.segmented_control(key="way").set_value(1).run()


def test_drive_is_explained_step_by_step_with_what_is_set_and_no_secret(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = told(to_drive(app))
    assert all(step in page for step in SAY.steps)
    assert page.count(SAY.is_not_set) >= 4
    assert SAY.no_credentials in page
    with DriveEmulator() as drive:
        folder = drive.add_folder("共有の書類")
        drive.add_file("覚書.txt", "来週の会議", folder)
        drive.add_file("写真.png", b"x", folder)
        for name, value in (drive.environment() | {"GOOGLE_DRIVE_TARGET_FOLDER_IDS": "none"}).items():
            monkeypatch.setenv(name, value)
        session.locator.clear()
        link = f"https://drive.google.com/drive/folders/{folder}"
        page = told(app.run().text_input(key="link").set_value(link).run())
        assert page.count(SAY.is_set) == 3
        assert drive.oauth.client_secret not in page
        assert str(drive.oauth.refresh_token) not in page
        assert SAY.counted.format(1, size="15 B") in page
        assert "覚書.txt" in page
        assert "画像" in page
        assert f"GOOGLE_DRIVE_TARGET_FOLDER_IDS={link}" in page
        page = told(app.text_input(key="link").set_value("no-such-folder").run())
        assert "no-such-folder がないか、このアカウントに共有されていません" in page
        monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", folder)
        session.locator.clear()
        assert escaping.label(SAY.connected.format(folders="共有の書類")) in told(app.run())
