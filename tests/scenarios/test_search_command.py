"""The installed command, in a process of its own, against a real index."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from locator_search.adapters.postgres import Database
from tests.builders.commands import run_command
from tests.builders.small_office import Paper, SmallOffice

PAPERS = [Paper(f"部署{n % 3}/週報_{n:02}.md", f"週報の第 {n} 号です。", ("週報",)) for n in range(60)]
PAPERS += [Paper("法務/秘密保持契約書.md", "北斗製鋼との秘密保持契約書 K-2024-017。", ("契約",))]


def environment_of(office: SmallOffice, database_url: str) -> dict[str, str]:
    home = str(office.folder.parent / "home")
    return {**os.environ, "DATABASE_URL": database_url, "LOCATOR_FOLDERS": str(office.folder), "LOCATOR_HOME": home}


def run(office: SmallOffice, database_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, environment=environment_of(office, database_url), folder=office.folder.parent)


def run_as_installed(office: SmallOffice, database_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """From nothing, as a person's terminal does."""
    return subprocess.run(
        [sys.executable, "-m", "locator_search.cli.main", *arguments],
        env=environment_of(office, database_url),
        cwd=office.folder.parent,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_the_command_prints_one_json_document_and_says_the_same_as_the_search_object(
    tmp_path: Path, database: Database, database_url: str
) -> None:
    office = SmallOffice(tmp_path, database, PAPERS)

    one = run_as_installed(office, database_url, "search", "K-2024-017", "--json")
    assert (one.returncode, one.stderr) == (0, "")
    document = json.loads(one.stdout)
    direct = office.search.start("K-2024-017").advance()
    assert document["outcome"] == direct.outcome == "found"
    assert [item["file_id"] for item in document["evidence"]] == [item.file_id for item in direct.evidence]
    assert document["evidence"][0]["verified"] is True
    assert all(name.startswith("offline-") for name in document["models"].values())

    asked = json.loads(run(office, database_url, "search", "週報", "--json", "--no-input").stdout)
    assert asked["outcome"] == "needs_answer"
    chosen = asked["choices"][0]
    answered = json.loads(run(office, database_url, "search", "週報", "--json", "--answer", chosen["label"]).stdout)
    assert answered["rounds"][1]["hit_count"] == chosen["count"]

    alone = json.loads(run(office, database_url, "evidence", "K-2024-017", "--mode", "keyword", "--json").stdout)
    assert alone["evidence"][0]["file_name"] == "秘密保持契約書.md"


def test_wrong_use_ends_with_status_2_and_no_stack_trace(tmp_path: Path, database: Database, database_url: str) -> None:
    office = SmallOffice(tmp_path, database, [])
    for arguments in (("search", " "), ("search", "週報", "--threshold", "2"), ("evidence", "")):
        ended = run(office, database_url, *arguments)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert "Traceback" not in ended.stderr
        assert ended.stderr.strip()
