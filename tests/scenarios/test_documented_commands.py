"""Every command and every program that a page shows is run, offline, in one prepared home; what cannot be is named."""

from __future__ import annotations

import getpass
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import typer.main

from locator_search.adapters.postgres import Database, PostgresSearchLog
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.cli.main import quiet_first
from locator_search.config.bundled import bundled
from locator_search.config.settings import Settings
from locator_search.evaluation.dataset import CorpusDocument, JudgedQuery, write_dataset
from locator_search.evaluation.flow_dataset import FlowQuestion, write_flow_questions
from locator_search.model import SearchOutcome
from tests.builders.command_line import app
from tests.builders.commands import run_command
from tests.chaos import __main__ as chaos

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")} - {ROOT / "CHANGELOG.md"},
    key=lambda page: (page.name.startswith("commands"), page.parent, page.name.split(".")[0], ".ja." in page.name),
)
"""English before its twin; last the reference, whose examples delete."""
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
NOT_COMMANDS = {"toml", "yaml", "ini", "json", "text", "python"}
"""Kinds of blocks that nobody types into a terminal; programs in Python are run by a test of their own."""
NOT_RUN = {
    "pip install 'document-locator[login]'": "installs packages from an index of packages",
    "document-locator up": "serves until it is stopped: tests/surfaces/test_up.py",
    "document-locator serve ": "serves until it is stopped: tests/surfaces/test_serve.py",
    "document-locator mcp --http": "serves until it is stopped: tests/surfaces/test_mcp_process.py",
    "document-locator dev drive-emulator": "serves until it is stopped: tests/surfaces/test_cli_drive.py",
    "document-locator auth google": "a person agrees in a browser: tests/surfaces/test_cli_drive.py",
    "document-locator crawler --batch --wait": "a key of OpenAI and a day's wait: tests/scenarios/test_batches.py",
    "document-locator live add board --url": "a server elsewhere: tests/surfaces/test_cli_live_url.py",
    "document-locator live add code --url": "a server elsewhere: tests/surfaces/test_cli_live_url.py",
    "docker ": "builds and starts containers: tests/unit/test_deploy.py reads what it is given",
    "kubectl ": "needs a cluster: tests/unit/test_deploy.py reads what it is given",
    "helm ": "needs a cluster: tests/unit/test_deploy.py reads what it is given",
    "make ": "sets up an environment first: its target is looked up, and the options of `make chaos` are read",
}
"""How a line begins that is not run but read by the parser of its program, and why."""
SAID = {
    "search 北斗製鋼 --answer 契約書": "秘密保持契約書",
    "search ファイルサーバー移行計画書": "壊れている",
    "similar": "売上報告 2026年9月.pdf",
    "extract samples/経理部": "経費精算",
    "status --json": '"failed"',
    "crawler --mode full": "一覧 91",
    "mcp --print-config": "document-locator",
}
"""What a command that begins so has to say, in Japanese."""
SESSION = "6f1f2a1e-0000-4000-8000-000000000000"
"""Stands on pages for the id of a reader's own session of X."""


@dataclass(frozen=True)
class Shown:
    """One line to type, and what a page shows below it."""

    line: str
    output: tuple[str, ...]


@dataclass(frozen=True)
class Desk:
    """A folder as a reader has it, with an index of the samples."""

    folder: Path
    settings: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """The programs of this desk come first."""
        return {"PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(self.folder)}

    def command(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run `document-locator` with the settings of the desk, and these, in its `.env`."""
        lines = [f"{key}={value}" for key, value in (self.settings | settings).items()]
        (self.folder / ".env").write_text("\n".join(lines), "utf-8")
        words = tuple(word.replace("~/", f"{self.folder}/") for word in words)
        return run_command(*words, environment=self.environment, folder=self.folder)

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        """A line with `>>` or `&&` in it, in a folder of its own: settings it writes are not those of other lines."""
        folder = self.folder / "srv"
        line = line.replace("/srv/documents", str(folder))
        environment = self.settings | self.environment
        return subprocess.run(["bash", "-c", line], env=environment, cwd=folder, capture_output=True, text=True)


def _left_behind(desk: Desk) -> dict[str, str]:
    """A root in the index that this home does not crawl."""
    (desk.folder / "old").mkdir()
    (desk.folder / "old" / "規程.txt").write_text("就業時間は九時から十八時までとする。", "utf-8")
    left = {"LOCATOR_HOME": str(desk.folder / "left"), "LOCATOR_FOLDER_NAMES": "/srv/old-documents"}
    assert desk.command("crawler", LOCATOR_FOLDERS=str(desk.folder / "old"), **left).returncode == 0
    return {}


def _a_thumb(desk: Desk) -> dict[str, str]:
    """Somebody thought a result useful."""
    (first, *_) = json.loads(desk.command("search", "経費精算", "--no-input", "--json").stdout)["evidence"]
    with Database(desk.settings["DATABASE_URL"]) as database:
        log = PostgresSearchLog(database)
        log.feedback(log.record("経費精算", SearchOutcome("found", ""), "page", 0.1), first["file_id"], useful=True)
    return {}


def _an_administrator(desk: Desk) -> dict[str, str]:
    """Permissions are on, and whoever runs the tests may look at everything."""
    person = {
        "LOCATOR_COMMAND_READERS": f"{getpass.getuser()}=a@example.com",
        "LOCATOR_ADMINISTRATORS": "a@example.com",
    }
    return {"LOCATOR_PERMISSIONS": "1", **person}


BEFORE = {
    "document-locator roots remove": _left_behind,
    "document-locator evaluate --from-feedback": _a_thumb,
    "document-locator audit": _an_administrator,
}
"""What has to be there, by how a line begins; returns settings for this line."""


@pytest.fixture(scope="module")
def desk(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("desk")
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE documented TEMPLATE template")
    shutil.copytree(bundled("samples"), folder / "samples")
    for name in ("notes", "bin", "srv", "my-questions/files", "data/scifact"):
        (folder / name).mkdir(parents=True)
    texts = {
        "議事録.txt": "議事録は十年保存する。",
        "旅費.txt": "旅費は月末に精算する。",
        "備品.txt": "備品は総務が買う。",
    }
    for name, text in texts.items():
        (folder / "my-questions" / "files" / name).write_text(text, "utf-8")
    asked = [FlowQuestion(f"q{n}", text, "plain", (name,)) for n, (name, text) in enumerate(texts.items())]
    write_flow_questions(folder / "my-questions", asked)
    write_dataset(
        folder / "data" / "scifact",
        [CorpusDocument(name, name, text) for name, text in texts.items()],
        [JudgedQuery("q1", "議事録の保存期間は", {"議事録.txt": 1})],
    )
    stranger = f"#!/bin/sh\nexec {sys.executable} -I -S {ROOT}/tests/fakes/foreign_mcp_server.py json\n"
    for name in ("npx", "mcp-server-filesystem", "wiki-mcp-server"):
        (folder / "bin" / name).write_text(stranger)
        (folder / "bin" / name).chmod(0o700)
    url = database_server.url.replace("/postgres?", "/documented?", 1)
    return Desk(folder, {"DATABASE_URL": url, "LOCATOR_FOLDERS": "samples", "WIKI_TOKEN": "made-up"})


@pytest.fixture(scope="module")
def crawled(desk: Desk) -> str:
    """What the first crawl of the samples says, in English; later lines find its index."""
    done = desk.command("crawler", LOCATOR_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Kind and text of each block of code, in order."""
    for match in BLOCK.finditer(page.read_text("utf-8")):
        yield match[2], match[3]


def shown(page: Path) -> Iterator[Shown]:
    """Each line to type, without its comment, and the lines below it."""
    for kind, text in blocks(page):
        if kind in NOT_COMMANDS:
            continue
        line, output = "", list[str]()
        for written in text.splitlines():
            if typed := re.match(r"\$ (.+)|((?:\*/10 \* \* \* \* +)?document-locator .+)", written):
                yield from [Shown(line, tuple(output))] if line else []
                line, output = re.sub(r"\s+# .*", "", typed[1] or typed[2]), []
            else:
                output.append(written)
        yield from [Shown(line, tuple(output))] if line else []


def programs(page: Path) -> list[str]:
    return [text for kind, text in blocks(page) if kind == "python"]


def listed(line: str) -> list[str]:
    return [begin for begin in NOT_RUN if line.startswith(begin)]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def named(page: Path) -> Iterator[str]:
    """Commands within sentences and tables; not the usage lines of the reference, which the program writes."""
    if page.name.startswith("commands"):
        return
    text = BLOCK.sub("", page.read_text("utf-8"))
    yield from re.findall(r"`((?:document-locator|docker|kubectl|helm|make) [^`\n]+)`", text)


NAMED = {line.replace("\\|", "|") for page in PAGES for line in named(page)}
WRITTEN = {page: list(shown(page)) for page in PAGES}
FIRST = {one: page for page in reversed(PAGES) for one in WRITTEN[page]}
"""The page that has a line first; its twin and others show the same one."""


@pytest.mark.parametrize("page", [page for page in PAGES if page in FIRST.values()], ids=name)
@pytest.mark.usefixtures("crawled")
def test_every_command_on_the_page_does_its_work(page: Path, desk: Desk) -> None:
    for one in dict.fromkeys(one for one in WRITTEN[page] if FIRST[one] == page and not listed(one.line)):
        line = re.sub(r"^\*/10( \*){4} +", "", one.line)
        if re.search(r"&&|>>", line) or not line.startswith("document-locator "):
            done = desk.shell(line)
        else:
            settings = [before(desk) for begin, before in BEFORE.items() if line.startswith(begin)]
            settings += [{"LOCATOR_LANGUAGE": "en"}] if one.output and ".ja." not in page.name else []
            words = shlex.split(line.replace(SESSION, session(desk) if SESSION in line else ""))[1:]
            done = desk.command(*words, **{key: value for each in settings for key, value in each.items()})
        said = done.stdout + done.stderr
        assert done.returncode == 0, (line, said)
        assert [
            words for begin, words in SAID.items() if line.startswith(f"document-locator {begin}") and words not in said
        ] == [], line
        assert_said(one, said)


def test_every_setting_that_a_line_writes_into_a_file_is_one(desk: Desk) -> None:
    written = (desk.folder / "srv" / ".env").read_text("utf-8").splitlines()
    assert {line.split("=")[0].lower() for line in written} <= Settings.model_fields.keys()


def session(desk: Desk) -> str:
    """The id of the newest session of X."""
    found = desk.command("x", "sessions").stdout
    return next(re.finditer(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", found))[0]


def assert_said(one: Shown, said: str) -> None:
    """What the page shows was said, in order; `...`, fractions, days and a reader's own folder stand for others."""
    lines = iter(said.splitlines())
    for written in one.output:
        pattern = re.escape(written).replace(r"\.\.\.", ".*").replace(re.escape("/home/you/document-locator"), ".*")
        pattern = re.sub(r"\d{4}(?:\\-\d\d){2}$", r"\\d{4}-\\d\\d-\\d\\d", re.sub(r"\d+\\\.\d+", r"[\\d.]+", pattern))
        assert any(re.fullmatch(pattern, line) for line in lines), (one.line, written, said)


def test_what_is_not_run_is_read_by_the_parser_of_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for line in NAMED | {one.line for one in FIRST if listed(one.line)}:
        program, *words = shlex.split(line)
        if program == "document-locator":
            parse(words)
            continue
        assert listed(line), line
        assert [path for path in re.findall(r"deploy/\S+", line) if not (ROOT / path).exists()] == []
        if program == "make":
            assert {word for word in words if "=" not in word} <= targets
            if words[0] == "chaos":
                options = [option for word in words[1:] for option in shlex.split(word.removeprefix("ARGS="))]
                monkeypatch.setattr(sys, "argv", ["make chaos", *options])
                chaos._options()


def parse(words: list[str]) -> None:
    """Read the words of a command without running it; it may lack an argument where it is only named."""
    command = typer.main.get_command(app)
    words = quiet_first(words)
    while words and words[0] in (below := getattr(command, "commands", {})):
        command = below[words.pop(0)]
    command = getattr(command, "commands", {}).get("ask", command)  # `live QUESTION` is short for it
    try:
        command.make_context(command.name or "", words)
    except Exception as refused:
        if type(refused).__name__ not in {"MissingParameter", "NoArgsIsHelpError", "Exit"}:
            raise


def test_every_block_is_of_a_known_kind_and_every_exception_is_still_needed() -> None:
    for page in PAGES:
        for kind, text in blocks(page):
            assert kind in {"console", "cron", "", *NOT_COMMANDS}, (name(page), kind)
            if kind in ("console", "cron"):
                assert re.match(r"\$ |\*/10 ", text), (name(page), text)
    lines = [*NAMED, *(one.line for one in FIRST)]
    assert [begin for begin in [*NOT_RUN, *BEFORE] if not any(line.startswith(begin) for line in lines)] == []
    assert [begin for begin in SAID if not any(line.startswith(f"document-locator {begin}") for line in lines)] == []


def test_the_crawl_that_the_readme_shows_is_that_of_the_samples(crawled: str) -> None:
    (run,) = [one for one in WRITTEN[ROOT / "README.md"] if one.line == "make run" and one.output]
    *_, last = run.output
    assert re.sub(r"[\d.]+ s\b", "", last) in re.sub(r"[\d.]+ s\b", "", crawled)


@pytest.mark.usefixtures("crawled")
@pytest.mark.parametrize("page", [page for page in PAGES if programs(page) and ".ja." not in page.name], ids=name)
def test_every_program_on_the_page_runs(
    page: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk.folder)
    for key, value in (desk.environment | desk.settings).items():
        monkeypatch.setenv(key, value)
    names: dict[str, object] = {}
    for program in programs(page):
        exec(compile(program, page.name, "exec"), names)
    if page.name != "contributions.md":
        assert "経営会議議事録_令和6年9月.docx" in capsys.readouterr().out


def test_both_tours_show_the_same_pictures_and_they_are_there() -> None:
    tours = [ROOT / "docs" / "tour.md", ROOT / "docs" / "tour.ja.md"]
    pictures = [re.findall(r"\]\((pictures/[^)]+)\)", page.read_text("utf-8")) for page in tours]
    assert pictures[0] == pictures[1]
    assert [picture for picture in pictures[0] if not (ROOT / "docs" / picture).is_file()] == []
