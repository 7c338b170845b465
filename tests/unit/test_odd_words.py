"""What may be a slip of what, without an index."""

from __future__ import annotations

from itertools import chain

import pytest

from locator_search.retrieval.odd_words import OddWord, likeliest, slips_of, sounding_alike


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("giude", "r:guide"),
        ("recieve", "r:receive"),
        ("adress", "r:address"),
        ("maintainance", "r:maintenance"),
        ("コンプレサー", "w:コンプレッサー"),
        ("ミィーティング", "w:ミーティング"),
    ],
)
def test_common_slips_lead_to_the_word(written: str, meant: str) -> None:
    assert meant in set(chain.from_iterable(slips_of(OddWord(written, written))))


@pytest.mark.parametrize("word", ["abc", "サバ", "19610", "議事禄", "🦄"])
def test_short_words_numbers_and_kanji_have_no_slips(word: str) -> None:
    assert list(slips_of(OddWord(word, word))) == []


def test_the_first_letter_stays() -> None:
    assert {term[2] for term in chain.from_iterable(slips_of(OddWord("docker", "docker")))} <= {"d", "o"}
    assert "r:locker" not in set(chain.from_iterable(slips_of(OddWord("docker", "docker"))))


def test_the_more_frequent_word_is_likelier() -> None:
    assert likeliest(OddWord("form", "form"), [("r:from", 3), ("r:farm", 90), ("r:fork", 1)]) == "farm"


def test_a_word_that_files_hold_in_another_form_is_no_inflection_of_it() -> None:
    odd = OddWord("reports", "reports", is_absent=False)
    assert likeliest(odd, [("r:report", 50), ("r:resorts", 50)]) == ""
    odd = OddWord("instalation", "instalation", is_absent=False)
    assert likeliest(odd, [("r:installation", 5)]) == "installation"


def test_nouns_that_only_look_alike_are_not_taken_for_a_slip() -> None:
    odd = OddWord("議事禄", "禄", before="議事", known=("g:議事",))
    assert sounding_alike(odd, ["議事堂の議事進行", "議事要旨"]) == ""
    assert sounding_alike(odd, ["議事堂と議事堂と議事録"]) == "議事録"


def test_of_a_long_row_one_character_may_differ_however_it_is_read() -> None:
    odd = OddWord("講入", "講入", before="備品", after="申請書", known=("g:備品",))
    assert sounding_alike(odd, ["備品購入申請書", "備品返却申請書"]) == "購入"
    assert sounding_alike(odd, ["備品返却申請書"]) == ""
