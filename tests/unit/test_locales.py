"""Every sentence a person reads stands once per language, under a key that a surface declares and uses."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import typing
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from locator_search.core.errors import ConfigurationError
from locator_search.locales import (
    Common,
    Plural,
    Section,
    files,
    language_name,
    languages,
    name_in_english,
    refuse_faulty_files,
)
from streamlit_app.shared.texts import Texts

ROOT = Path(__file__).parents[2]
PRODUCT = ("locator_search", "locator_assets", "streamlit_app")


def _modules() -> dict[str, str]:
    """The source of every module of the product, by its name."""
    tracked = subprocess.check_output(["git", "ls-files", "--cached", "--others", "*.py"], cwd=ROOT, text=True).split()
    paths = [path for path in tracked if path.startswith(PRODUCT) and (ROOT / path).exists()]
    return {path[:-3].replace("/", "."): (ROOT / path).read_text("utf-8") for path in paths}


def _declared() -> Iterator[tuple[str, str]]:
    """Module and name of every class of texts."""
    for module, source in _modules().items():
        for node in ast.parse(source).body if "section=" in source else ():
            if isinstance(node, ast.ClassDef) and any(keyword.arg == "section" for keyword in node.keywords):
                yield module, node.name


SECTIONS: list[type[Section]] = [getattr(importlib.import_module(module), name) for module, name in _declared()]


def test_all_files_have_the_same_keys_and_placeholders() -> None:
    refuse_faulty_files()
    assert languages()[:2] == ["ja", "en"]
    assert [language_name(language) for language in ("ja", "en")] == ["日本語", "English"]
    assert [name_in_english(language) for language in ("ja", "en")] == ["Japanese", "English"]


@pytest.mark.parametrize("kind", SECTIONS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_field_has_a_text_of_its_type(kind: type[Section], language: str) -> None:
    texts = kind.of(language)
    for name, hint in typing.get_type_hints(kind).items():
        value = getattr(texts, name)
        if hint in (str, Plural):
            assert isinstance(value, hint), name
        elif typing.get_origin(hint) is tuple:
            assert all(isinstance(text, str) for text in value), name
        elif typing.get_origin(hint) is not typing.ClassVar:
            keys = typing.get_args(hint)[0]
            assert isinstance(value, Mapping), name
            assert keys is str or set(value) == set(typing.get_args(keys)), name


@pytest.mark.parametrize("language", ["ja", "en"])
def test_parts_of_streamlit_have_names_of_their_own_by_which_a_page_knows_them_again(language: str) -> None:
    names = Texts.of(language).streamlit_names
    assert len(set(names.values())) == len(names)
    assert all(own.count("{}") == name.count("{}") <= 1 for own, name in names.items())


def test_every_key_is_a_field() -> None:
    fields = {f"{kind.section}.{name}" for kind in SECTIONS for name in vars(kind)["__annotations__"]}
    sections = {kind.section for kind in SECTIONS}
    keys = {key for key in _keys(files.texts_of("ja"), sections) if key != "language"}
    assert keys == fields


ONE_FORM = {
    "common.model_usage",
    "common.same_thread",
    "service_faults.sentences.keeps_ending",
    "drive_search.found_in_order",
    "drive_search.all_of_them",
    "drive_search.too_many",
    "drive_search.needs_answer",
    "drive_search.answer_left_nothing",
    "drive_search.question_too_long",
    "drive_search.too_many_saved",
    "live_search.question_too_long",
    "x_search.long_question",
    "x_search.long_model_name",
    "x_search.small_budget",
    "x_search.sheet_counts",
    "analysis.many_found",
    "analysis.too_many_contributions",
    "analysis.asked",
    "offline.more_edits",
    "offline.both_change",
    "alarms.sentences.dropped",
    "roots.warnings.missing",
    "cli.operating.calibration_measured",
    "cli.operating.model_calls_value",
    "cli.operating.crawl_beginning",
    "cli.operating.crawl_progress",
    "cli.operating.crawl_report",
    "cli.operating.crawl_skipped",
    "cli.operating.crawl_waiting",
    "cli.operating.crawl_batch",
    "cli.quality.too_few_files",
    "cli.quality.measured",
    "cli.x.estimate",
    "cli.x.more_posts",
    "cli.contributions.done",
    "pages.shared.sums_differ",
    "pages.shared.newest_of",
    "pages.shared.retried",
    "pages.shared.scale_measured",
    "pages.status.progress",
    "pages.status.time_left",
    "pages.adding.cost",
    "pages.adding.cost_unknown",
    "pages.x.estimate",
    "pages.x.shown",
    "pages.contributions.here",
}
"""Sentences that are right for one, too, or whose counts are never one."""


def test_every_english_count_before_a_word_has_a_form_for_one() -> None:
    """A count is a placeholder that has a counter behind it in Japanese, or is named so."""
    japanese, english = (files._flat({**files.texts_of(each), "said": {}}) for each in ("ja", "en"))
    written = "\n".join(str(text) for text in japanese.values())
    counts = {
        "count",
        "hit_count",
        *re.findall(r"\{(\w+)(?::[^}]*)?\} ?(?:件|個|人|問|文|回|ページ|部分|か所|トークン)", written),
    }
    before_a_word = re.compile(rf"\{{({'|'.join(sorted(counts))})(:[^}}]*)?\}} [a-z]")
    assert {key for key, text in english.items() if isinstance(text, str) and before_a_word.search(text)} == ONE_FORM
    plurals = {key: text for key, text in english.items() if files.is_plural(text)}
    assert [key for key, text in plurals.items() if not text.get("one") or "{count" not in text["other"]] == []


def _keys(table: Mapping[str, Any], sections: set[str], section: str = "") -> Iterator[str]:
    for key, value in table.items():
        whole = f"{section}.{key}".removeprefix(".")
        inner = isinstance(value, dict) and any(f"{each}.".startswith(f"{whole}.") for each in sections)
        yield from _keys(value, sections, whole) if inner else (whole,)


def test_every_key_is_used() -> None:
    """In a folder whose modules know the class, in Python or in a template."""
    used: dict[str, set[str]] = defaultdict(set)
    knowing: dict[type[Section], set[str]] = defaultdict(set)
    for module, source in _modules().items():
        folder = module.rpartition(".")[0]
        names = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
        used[folder] |= names
        for kind in SECTIONS:
            if kind is Common or kind.__module__ in (module, *re.findall(r"from ([\w.]+) import", source)):
                knowing[kind].add(folder)
    for template in (ROOT / "streamlit_app").rglob("*.jinja"):
        used[f"streamlit_app.{template.parent.name}"] |= set(re.findall(r"\.(\w+)", template.read_text("utf-8")))
    unused = [
        f"{kind.section}.{name}"
        for kind in SECTIONS
        for name in vars(kind)["__annotations__"]
        if not any(name in used[folder] for folder in knowing[kind])
    ]
    assert unused == []


NOT_FOR_PERSONS = {
    "locator_search.adapters.live_servers.mock_data",  # made-up documents
    "locator_search.dev.drive_emulator.drive.synthetic",
    "locator_search.mcp_server.texts",  # descriptions of tools, read by models
    "locator_search.text.questions",  # a pattern
    "locator_search.text.statements.phrases.japanese",  # patterns
}


def test_no_japanese_sentence_stands_in_the_code() -> None:
    """But in docstrings, and where it stands beside its English (`Search X. / X を検索します。`)."""
    found = [
        f"{module}: {text}"
        for module, source in _modules().items()
        if module not in NOT_FOR_PERSONS
        for text in _strings(ast.parse(source))
        if re.search("[ぁ-ん]{2}.*。", text) and " / " not in text
    ]
    assert found == []


def _strings(tree: ast.Module) -> Iterator[str]:
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_no_two_keys_have_the_same_texts() -> None:
    places = defaultdict(list)
    for kind in SECTIONS:
        japanese, english = kind.of("ja"), kind.of("en")
        for name in vars(kind)["__annotations__"]:
            if not isinstance(getattr(japanese, name), tuple):  # headings of a table
                places[str(getattr(japanese, name)), str(getattr(english, name))].append(f"{kind.section}.{name}")
    assert [keys for keys in places.values() if len(keys) > 1] == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The locale files in a folder of their own, to which a translator adds one."""
    for path in files.FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    return tmp_path


class Doorman(Section, section="guard"):
    """Two texts of a surface."""

    sign_in: str
    signed_in_as: str


def _add(folder: Path, old: str = "", new: str = "") -> None:
    english = (folder / "en.toml").read_text("utf-8")
    assert old in english
    korean = english.replace(
        'name = "English"\nname_in_english = "English"', 'name = "한국어"\nname_in_english = "Korean"'
    )
    (folder / "ko.toml").write_text(korean.replace(old, new), "utf-8")


def test_a_language_is_added_by_adding_a_file(folder: Path) -> None:
    _add(folder, 'sign_in = "Sign in"', 'sign_in = "로그인"')
    assert languages() == ["ja", "en", "ko"]
    assert (language_name("ko"), name_in_english("ko")) == ("한국어", "Korean")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('sign_in = "Sign in"\n', "", "the text `guard.sign_in` is missing."),
        (
            'sign_in = "Sign in"\n',
            'sing_in = "x"\nsign_in = "y"\n',
            "there is no text `guard.sing_in` in this program.",
        ),
        ("as {name}", "as {nmae}", "the text `guard.signed_in_as` needs {name}, and has {nmae}."),
        ("as {name}", "as", "the text `guard.signed_in_as` needs {name}, and has no braces."),
        (
            "as {name}",
            "as {name",
            "the text `guard.signed_in_as` cannot be filled in: expected '}' before end of string.",
        ),
        ('sign_in = "Sign in"', "sign_in = Sign in", "cannot be read: Invalid value (at line"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(folder: Path, old: str, new: str, problem: str) -> None:
    _add(folder, old, new)
    with pytest.raises(ConfigurationError) as refused:
        files.texts_of("ko")
    assert re.search(rf"ko\.toml:? {re.escape(problem)}", refused.value.message)


def test_a_language_whose_file_is_gone_is_said_in_japanese() -> None:
    assert files.texts_of("none") == files.texts_of("ja")


def test_a_plural_has_a_form_for_one_where_the_language_has() -> None:
    assert [Plural("{count} files", "one file").format(count) for count in (0, 1, 2)] == [
        "0 files",
        "one file",
        "2 files",
    ]
    assert Plural("{count} 件").format(1) == "1 件"


def test_the_days_of_a_period_are_joined_as_the_language_does_it() -> None:
    japanese, english = Common.of("ja"), Common.of("en")
    assert japanese.dates("2026-04-01..2027-03-31 (2026年度)") == "2026-04-01〜2027-03-31 (2026年度)"
    assert [english.dates(period) for period in ("2026-04-01..2027-03-31", "2026-04-01..", "2026-04")] == [
        "2026-04-01 – 2027-03-31",
        "2026-04-01 –",
        "2026-04",
    ]


def test_how_much_was_searched_is_said_of_one_file_too() -> None:
    english = Common.of("en")
    assert english.coverage_line(0, 0, "there") == "There is no file that you may read."
    assert english.coverage_line(1, 1, "there") == "The one listed file was searched."
    assert english.coverage_line(91, 90, "there") == (
        "90 of 91 listed files were searched; 1 has not been read (there)."
    )
