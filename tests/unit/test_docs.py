"""The documentation tells the truth: settings, commands, options, make targets, links and words exist as written."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main
from pydantic.fields import FieldInfo

from locator_search.config.settings import Settings
from tests.builders.command_line import app

ROOT = Path(__file__).parents[2]
READMES = (ROOT / "README.md", ROOT / "README.ja.md")
SETTINGS = (ROOT / "docs" / "settings.md", ROOT / "docs" / "settings.ja.md")
PAGES = (
    *READMES,
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
SETTING_NAMES = {name.upper() for name in Settings.model_fields}
SERVERS = {"up", "page", "dagster", "daemon", "code-server"}
"""They run until they are stopped, and have no result to print."""
COMMAND_LINE = re.compile(r"document-locator ((?:[a-z]+|[A-Z-]|--)[^`\n|]*)")


@cache
def command_line() -> Any:
    """The application as Click sees it; made once, for it takes 50 ms."""
    return typer.main.get_command(app)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_sample_environment_file_names_every_setting_once_and_sets_none() -> None:
    assignments = re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert sorted(name for name, _ in assignments) == sorted(SETTING_NAMES)
    assert [name for name, value in assignments if value] == []


@pytest.mark.parametrize("page", SETTINGS, ids=relative)
def test_the_settings_table_is_complete(page: Path) -> None:
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", page.read_text("utf-8"), re.MULTILINE)) == SETTING_NAMES


@pytest.mark.parametrize(("readme", "page"), list(zip(READMES, SETTINGS, strict=True)), ids=["en", "ja"])
def test_a_setting_in_the_readme_is_the_row_of_the_table(readme: Path, page: Path) -> None:
    def rows(path: Path) -> set[str]:
        return set(re.findall(r"^\| `[A-Z_]+` \|.*$", path.read_text("utf-8").replace("](docs/", "]("), re.MULTILINE))

    assert 10 <= len(rows(readme)) <= 20
    assert rows(readme) <= rows(page)


@pytest.mark.parametrize("page", SETTINGS, ids=relative)
def test_the_settings_table_states_the_defaults_of_the_program(page: Path) -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|.*\| ([^|]*) \|$", page.read_text("utf-8"), re.MULTILINE)
    for name, written in rows:
        default = Settings.model_fields[name.lower()].default
        if isinstance(default, str | int) and not isinstance(default, bool):
            assert written == f"`{default}`", name


def accepted(field: FieldInfo) -> set[str]:
    """The words a setting may be, or the ends of its range; 0 as the lower one goes without saying."""
    words = {word for part in (field.annotation, *get_args(field.annotation)) for word in get_args(part)}
    ends = {getattr(limit, end, 0) for limit in field.metadata for end in ("ge", "gt", "le", "lt")}
    return {word for word in words if isinstance(word, str)} | {f"{end:g}" for end in ends if end}


@pytest.mark.parametrize("page", SETTINGS, ids=relative)
def test_the_settings_table_states_what_the_program_accepts(page: Path) -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE))
    for name, field in Settings.model_fields.items():
        said = set(re.findall(r"[\d.]*\d|[a-zA-Z_][\w-]*", rows[name.upper()]))
        assert accepted(field) - said == set(), name


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_command_on_the_page_exists(page: Path) -> None:
    for line in COMMAND_LINE.findall(page.read_text("utf-8")):
        words = shlex.split(line.split("#")[0].split(" > ")[0].split(" >> ")[0], posix=True)
        command = command_line()
        path = []
        while words and words[0] in getattr(command, "commands", {}):
            path.append(words.pop(0))
            command = command.commands[path[-1]]
        assert path, f"no such command: document-locator {line}"
        command = getattr(command, "commands", {}).get("ask", command)  # `live QUESTION` is short for it
        options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
        own = words[: words.index("--")] if "--" in words else words
        assert {word for word in own if word.startswith("--")} <= options, line


@pytest.mark.parametrize("readme", READMES, ids=relative)
def test_the_readme_shows_every_command(readme: Path) -> None:
    text = readme.read_text("utf-8")
    for name in command_line().commands:
        assert f"document-locator {name}" in text


def test_every_command_has_json_and_an_example_in_its_help() -> None:
    def leaves(command: object) -> list[object]:
        children = getattr(command, "commands", None)
        return [leaf for child in children.values() for leaf in leaves(child)] if children else [command]

    for command in leaves(command_line()):
        assert "Example: document-locator " in str(getattr(command, "help", "")), getattr(command, "name", "")
        options = {option for parameter in getattr(command, "params", []) for option in parameter.opts}
        assert "--json" in options or getattr(command, "name", "") in SERVERS


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_make_target_on_the_page_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    written = set(re.findall(r"(?:^\$ |`)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
    assert written <= targets


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_decision_is_listed_and_says_what_was_rejected() -> None:
    folder = ROOT / "docs" / "decisions"
    contents = (folder / "README.md").read_text("utf-8")
    for page in sorted(folder.glob("0*.md")):
        text = page.read_text("utf-8")
        assert f"({page.name})" in contents
        assert text.startswith(f"# {page.name[:4]} ")
        assert "**Rejected**" in text
        assert "*Because*" in text


def test_the_decisions_are_listed_in_order_and_those_the_code_names_are_there() -> None:
    listed = re.findall(
        r"^\| \[(\d{4})\]", (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert listed == sorted(set(listed))
    named = re.findall(r"docs/decisions/(\d{4})", sources("locator_search", "locator_assets", "streamlit_app", "tests"))
    assert set(named) <= set(listed)


def glossary() -> list[list[str]]:
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return rows[1:]


def sources(*folders: str) -> str:
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return "\n".join(path.read_text("utf-8") for path in files)


def test_every_word_of_the_glossary_is_used_in_the_code() -> None:
    code = sources("locator_search", "locator_assets", "streamlit_app").lower()
    for word, *_ in glossary():
        assert word in code or word.replace(" ", "_") in code, word


def test_every_japanese_word_of_the_glossary_is_used_on_a_surface() -> None:
    surfaces = (ROOT / "locator_search" / "locales" / "ja.toml").read_text("utf-8")
    surfaces += sources("streamlit_app", "locator_search/cli", "locator_search/drive_search", "locator_assets")
    for word, _, japanese, _ in glossary():
        for part in japanese.split("・"):
            assert part in surfaces, f"{word}: {japanese}"


def test_no_table_or_column_goes_by_a_name_the_glossary_refuses() -> None:
    refused = {name.strip() for *_, names in glossary() for name in names.split(",") if name.strip()}
    statements = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "sql").glob("*.sql")))
    names = set(re.findall(r"create table (?:if not exists )?(\w+)", statements, re.IGNORECASE))
    names |= set(
        re.findall(r"^    (\w+) +(?:text|int|bigint|vector|bytea|jsonb|timestamptz)", statements, re.MULTILINE)
    )
    assert names, "the tables were not recognised"
    assert names & (refused | {f"{name}s" for name in refused}) == set()


def test_every_module_a_page_names_is_there() -> None:
    folders = ("locator_search", "locator_assets", "streamlit_app", "tests", "benchmarks")
    modules = [str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*.py")]
    pages = [*READMES, ROOT / "CONTRIBUTING.md", ROOT / "locator_assets" / "README.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for named in re.findall(r"`([a-z_/]+\.py)`", page.read_text("utf-8")):
            assert any(f"/{module}".endswith(f"/{named}") for module in modules), (relative(page), named)


def section(title: str) -> str:
    """One section of CONTRIBUTING.md, without its title."""
    return (ROOT / "CONTRIBUTING.md").read_text("utf-8").split(f"\n{title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_map_of_the_house_names_every_room_and_only_rooms_that_are_there() -> None:
    named = re.findall(r"`([^`\s]+/)`", section("## Map of the house"))
    named_rooms = {(ROOT / name).resolve() for name in named} | {
        (ROOT / "locator_search" / name).resolve() for name in named
    }
    rooms = [path.parent for path in (ROOT / "locator_search").glob("*/__init__.py")]
    assert {str(room.relative_to(ROOT)) for room in rooms if room.resolve() not in named_rooms} == set()
    assert [
        name for name in named if not (ROOT / name).exists() and not (ROOT / "locator_search" / name).exists()
    ] == []


def test_ten_questions_of_a_newcomer_lead_to_places_that_exist() -> None:
    rows = re.findall(r"^\| (.+\?) \| (.+) \|$", section("## Map of the house"), re.MULTILINE)
    assert len(rows) >= 10
    for question, answer in rows:
        places = re.findall(r"`([^`]+)`", answer)
        assert places, question
        assert [place for place in places if not (ROOT / place).exists()] == [], question


def test_adding_something_takes_at_most_ten_lines() -> None:
    how = re.split(r"^\*\*", section("## How do I add ..."), flags=re.MULTILINE)[1:]
    assert len(how) >= 3
    assert [part.split("**")[0] for part in how if len(part.strip().splitlines()) > 11] == []


def test_a_docstring_says_what_a_thing_is_and_not_what_it_is_about() -> None:
    begun = []
    for path in (
        path for room in ("locator_search", "locator_assets", "streamlit_app") for path in (ROOT / room).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                begun += [f"{path}: {doc}" for doc in [ast.get_docstring(node) or ""] if doc.startswith("What ")]
    assert begun == []
