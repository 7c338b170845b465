"""With permissions on, no command tells a person names or figures of files that this person may not read. Every command
stands in a table here: what it tells of the files of the index, and how it is called."""

from __future__ import annotations

import json
import os
import pwd
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
from typer.testing import CliRunner

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.command_line import app
from tests.builders.report_folder import write_files

OUT, BOSS = "out@other.org", "boss@example.com"
HIDDEN = 37
"""Files that the outsider may not read, of one more."""
SECRET = "かりん"
OPEN = "れもん.md"

OPERATES: dict[str, list[str]] = {
    "up": [],
    "crawler": [],
    "calibrate": [],
    "db apply": [],
    "db status": [],
    "db graph": [],
    "db forget": [],
    "db reindex": [],
    "db keep": [],
    "db backup": ["index.backup"],
    "db restore": ["index.backup"],
    "roots remove": ["棚"],
}
"""What keeps the index up and tells of all its files: for administrators, and for users who are nobody there."""

FIGURES: dict[str, list[str]] = {"status": [], "usage": [], "audit": []}
"""Figures about all files, or about what everybody asks: for administrators."""

OWN = {
    "search": [SECRET, "--no-input", "--trace"],
    "evidence": [SECRET],
    "similar": [OPEN],
    "searches": [],
    "status": [OPEN],
    "roots list": [],
    "live ask": [SECRET, "--mock", "--with-index"],
}
"""What a person may read."""

REFUSED = {
    "evaluate": ["--from-feedback"],
    "contributions list": [],
    "contributions meeting": ["SA1#111"],
    "contributions show": ["S1-254001"],
    "contributions analyse": ["S1-254001"],
    "contributions export": ["1"],
    "contributions questions": [],
}
"""What cannot tell what each may read, and is for nobody."""

PARTS = ("doctor",)
"""The state of each part; what it counts of files is for administrators."""

OF_OTHER_THINGS = {
    "extract": "files that whoever calls it names, and opens as a user of the machine",
    "mcp": "nothing; its tools stand in test_mcp_readers.py",
    "serve page": "nothing",
    "serve dagster": "nothing; its UI is for administrators",
    "serve daemon": "nothing",
    "serve code-server": "nothing",
    "contributions sync": "lists of a public server",
    "contributions normalise": "documents of a public server",
    "contributions index": "documents of a public server",
    **{f"x {name}": "posts" for name in ("search", "resume", "sessions", "show", "export", "recheck", "forget")},
    **{f"live {name}": "services" for name in ("add", "list", "remove")},
    "auth google": "a sign-in",
    "dev drive-emulator": "a folder of whoever calls it",
}

CALLS = [
    (told, name, words)
    for told, those in (("operates", OPERATES), ("figures", FIGURES), ("own", OWN), ("refused", REFUSED))
    for name, words in those.items()
] + [("parts", "doctor", ["--json"])]


def commands_of(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if hasattr(command, "commands"):
        for name, one in command.commands.items():
            yield from commands_of(one, (*path, name))
    else:
        yield " ".join(path)


def test_every_command_has_its_place_in_the_table() -> None:
    table = {*OPERATES, *FIGURES, *OWN, *REFUSED, *PARTS, *OF_OTHER_THINGS}
    assert set(commands_of(typer.main.get_command(app))) == table


@pytest.fixture(scope="module")
def crawled(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("commands")
    rules = f'[[rule]]\npath = "*"\nreaders = ["{BOSS}"]\n\n[[rule]]\npath = "{OPEN}"\nreaders = ["anyone"]\n'
    files = {f"{SECRET}{number}.md": f"# {SECRET}\n\n{number} 回目の報告書です。\n" for number in range(HIDDEN)}
    write_files(root / "棚", {".locator-access.toml": rules, OPEN: "# れもん\n\nれもんの報告書です。\n", **files})
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE commands TEMPLATE template")
    settings = {
        "LOCATOR_HOME": str(root / "home"),
        "LOCATOR_FOLDERS": str(root / "棚"),
        "DATABASE_URL": database_server.url.replace("/postgres?", "/commands?", 1),
        "LOCATOR_PERMISSIONS": "1",
        "LOCATOR_ADMINISTRATORS": BOSS,
        "LOCATOR_LANGUAGE": "en",
    }
    with pytest.MonkeyPatch.context() as environment:
        for name, value in settings.items():
            environment.setenv(name, value)
        assert CliRunner().invoke(app, ["crawler", "--json"]).exit_code == 0, "the operator is nobody there"
    return settings


@pytest.fixture
def shelf(crawled: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name, value in crawled.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return Path(crawled["LOCATOR_FOLDERS"])


def said(monkeypatch: pytest.MonkeyPatch, mail: str | None, *words: str) -> str:
    user = pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{user}={mail}" if mail else "")
    return " ".join(CliRunner().invoke(app, list(words)).output.split())


@pytest.mark.parametrize(("told", "name", "words"), CALLS, ids=[" ".join([name, *words]) for _, name, words in CALLS])
def test_a_command_tells_a_person_nothing_of_what_this_person_may_not_read(
    shelf: Path, told: str, name: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = said(monkeypatch, OUT, *name.split(), *words)
    without_question = output.replace(f"“{SECRET}”", "").replace(f": {SECRET}", "")
    assert f"{SECRET}1" not in output
    assert not re.search(rf"(?<![\d.:-])({HIDDEN}|{HIDDEN + 1})(?![\d.:-])", without_question)
    assert str(shelf) not in output or told == "parts", "doctor says what the settings of this machine are"
    if told in ("operates", "figures"):
        assert output.startswith("Figures about all files are for administrators.")
    elif told == "refused":
        assert "is not available while LOCATOR_PERMISSIONS is on" in output
    if told in ("own", "figures"):
        assert said(monkeypatch, None, *name.split(), *words).startswith("It is not known who asks")


def test_of_roots_a_person_sees_the_names_of_those_with_a_file_to_read(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(monkeypatch, OUT, "roots", "list") == "棚"
    assert json.loads(said(monkeypatch, OUT, "roots", "list", "--json")) == {"roots": [{"name": "棚"}], "warnings": []}
    [root] = json.loads(said(monkeypatch, BOSS, "roots", "list", "--json"))["roots"]
    assert (root["root"], root["files"]) == (str(shelf), HIDDEN + 1)


def test_administrators_and_the_operator_keep_the_index_up(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for person in (BOSS, None):
        assert f"{HIDDEN + 1} listed" in said(monkeypatch, person, "crawler")
        assert f'"files": {HIDDEN + 1},' in said(monkeypatch, person, "calibrate", "--dry-run", "--json")
