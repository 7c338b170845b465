"""What each word of a question tells about the file that is looked for."""

from __future__ import annotations

import pytest

from locator_search.retrieval.term_weights import FOREIGN, NOTHING, NOUN, PART_OF_NUMBER, SMALL_NOUN, VERB, how_telling


@pytest.mark.parametrize(
    ("text", "term", "told"),
    [
        ("年末調整の書類の締め切り", "w:調整", NOUN),
        ("タイヤを取り替える目安", "w:替える", VERB),
        ("届いている荷物", "w:居る", NOTHING),
        ("端数が出たらどう数える", "w:どう", NOTHING),
        ("育児で休める期間の知らせ方", "w:方", NOTHING),
        ("定例の第3回", "w:3", SMALL_NOUN),
        ("monthly reports of the branch", "e:report", NOUN),
        ("Docker のインストール", "e:docker", FOREIGN),
        ("Docker のインストール", "r:docker", NOTHING),
        ("HV-90 の docker", "r:hv-90", NOUN),
        ("monthly reports of the branch", "r:reports", NOTHING),
        ("monthly reports of the branch", "r:of", NOTHING),
        ("契約書 K-2031-999", "r:k-2031-999", NOUN),
        ("契約書 K-2031-999", "r:2031", PART_OF_NUMBER),
    ],
)
def test_nouns_tell_most_and_words_of_asking_nothing(text: str, term: str, told: float) -> None:
    assert how_telling(text)[term] == told


def test_pairs_across_a_particle_tell_nothing_and_those_within_a_noun_a_little() -> None:
    told = how_telling("年末調整の書類")
    assert told["g:整の"] == told["g:の書"] == NOTHING
    assert NOTHING < told["g:末調"] == told["g:書類"] < NOUN


def test_every_term_of_the_text_is_told_of() -> None:
    assert set(how_telling("令和6年9月の第三回 ㈱みどり HV-90")) >= {"y:2024年", "n:第3回", "k:株式会社", "r:hv-90"}


def test_a_noun_of_time_within_a_longer_noun_tells_as_a_noun() -> None:
    assert how_telling("年末調整の書類")["w:年末"] == 1.0
    assert how_telling("年末の書類")["w:年末"] < 1.0
