"""The encoding ladder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.adapters.extractors.encodings import decode, looks_like_text

MINUTES = (
    "第12回 営業会議の議事録\n日時：令和6年9月10日\n出席者は田中、鈴木、ほか三名。\n売上が伸びたことを報告した。\n"
)
ASCII_HEAVY_CSV = (
    "id,name,amount\n" + "".join(f"{n},item-{n},{n * 100}\n" for n in range(300)) + "301,合計の金額です,45150\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("text", [MINUTES, ASCII_HEAVY_CSV], ids=["minutes", "csv whose Japanese comes last"])
def test_japanese_text_is_read_in_every_common_encoding(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("text", ["髙島屋㈱①", "ｻｰﾊﾞｰ ﾒﾓ ｶﾅ", "株式会社", "〜−①Ⅲ のメモ"])
def test_windows_characters_and_half_width_kana_are_cp932(text: str) -> None:
    assert decode(text.encode("cp932")).text == text.encode("cp932").decode("cp932")


def test_iso_2022_jp_is_not_taken_for_the_ascii_it_also_is() -> None:
    assert decode("会議のお知らせ".encode("iso2022_jp")).encoding == "iso2022_jp"


def test_utf16_of_pure_japanese_shows_by_its_kana() -> None:
    assert decode("これはひらがなのながいぶんしょうです".encode("utf-16-be")).encoding == "utf-16-be"


def test_text_that_is_not_japanese_is_left_to_the_general_detector() -> None:
    text = "Протокол заседания: присутствовали все члены комиссии, решение принято единогласно. " * 3
    assert decode(text.encode("cp1251")).text == text


def test_a_cut_last_character_does_not_change_the_encoding() -> None:
    decoded = decode("東京都の議事録".encode()[:-1])
    assert (decoded.encoding, decoded.text) == ("utf-8", "東京都の議事")


@given(st.binary(max_size=400))
def test_any_bytes_decode_to_something(data: bytes) -> None:
    decoded = decode(data)
    assert decoded.confidence <= 1
    assert len(decoded.text) <= len(data)


def test_binary_data_is_no_text() -> None:
    assert not looks_like_text(bytes(range(256)) * 8)
    assert looks_like_text(MINUTES.encode("utf-16-le"))
