"""A page in English and its Japanese twin say the same: headings, code, tables, links, and names in code style."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGLISH_ALONE = {"architecture.md", "live-requirements.md", "performance.md"}
"""They are for people who work on the program."""
USERS = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    if not page.name.endswith(".ja.md") and page.name not in ENGLISH_ALONE
]
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
DICTIONARY = {"先頭:": "first:", "末尾:": "last:", "無視:": "ignore:"}
"""Words of `synonyms.txt`, which may be written in either language."""


def twin(page: Path) -> Path:
    return page.with_suffix(".ja.md")


def code(page: Path) -> list[tuple[str, list[str]]]:
    """Language and lines of each block, without comments; of a session on a terminal only what is typed."""
    blocks = []
    for language, text in BLOCK.findall(page.read_text("utf-8")):
        for japanese, english in DICTIONARY.items():
            text = text.replace(japanese, english)
        lines = [re.sub(r"(^|\s+)# .*", "", line) for line in text.splitlines()]
        blocks.append((language, [line for line in lines if language != "console" or line.startswith("$ ")]))
    return blocks


def prose(page: Path) -> str:
    return BLOCK.sub("", page.read_text("utf-8"))


def headings(page: Path) -> list[str]:
    return re.findall(r"^(#+) ", prose(page), re.MULTILINE)


def tables(page: Path) -> list[int]:
    """How many lines each table has."""
    return [len(table.splitlines()) for table in re.findall(r"(?:^ *\|.*\n?)+", prose(page), re.MULTILINE)]


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", prose(page))


def names(page: Path) -> set[str]:
    """Commands, settings, paths and the like: all that stands in code style."""
    return set(re.findall(r"`([^`\n]+)`", prose(page)))


def anchors(page: Path) -> set[str]:
    """What a link may name on a page: headings as GitHub writes them in an address, and anchors set by hand."""
    text = prose(page)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles} | set(
        re.findall(r'<a id="([^"]+)"></a>', text)
    )


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_every_page_for_users_has_a_japanese_twin() -> None:
    assert [name(page) for page in USERS if not twin(page).exists()] == []


TWINS = [page for page in USERS if twin(page).exists()]


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_name_each_other_in_their_first_sentences(page: Path) -> None:
    for here, there, language in ((page, twin(page), "日本語"), (twin(page), page, "English")):
        assert f"[{language}]({there.name})" in here.read_text("utf-8").split("\n\n")[1]


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_have_the_same_headings(page: Path) -> None:
    assert headings(twin(page)) == headings(page)


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_have_the_same_code_in_their_blocks(page: Path) -> None:
    assert code(twin(page)) == code(page)


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_have_tables_of_the_same_length(page: Path) -> None:
    assert tables(twin(page)) == tables(page)


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_have_the_same_links(page: Path) -> None:
    same = [Counter(link.replace(".ja.md", ".md") for link in links(side)) for side in (twin(page), page)]
    assert same[0] == same[1]


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_twins_name_the_same_commands_settings_and_paths(page: Path) -> None:
    assert names(twin(page)) == names(page)


@pytest.mark.parametrize("page", TWINS, ids=name)
def test_each_twin_leads_to_pages_in_its_own_language(page: Path) -> None:
    for here, there in ((page, twin(page)), (twin(page), page)):
        others = [link.split("#")[0] for link in links(here) if not link.startswith(("http", "#")) and ".md" in link]
        others.remove(there.name)
        foreign = [link for link in others if link.endswith(".ja.md") == (here == page)]
        assert [link for link in foreign if here == page or twin(here.parent / link).exists()] == []


@pytest.mark.parametrize("page", [*TWINS, *map(twin, TWINS)], ids=name)
def test_every_anchor_of_a_link_is_on_its_page(page: Path) -> None:
    for target in links(page):
        file, _, anchor = target.partition("#")
        if anchor and not file.startswith("http"):
            assert anchor in anchors(page.parent / file if file else page), target
