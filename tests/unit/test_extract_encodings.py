"""The encoding ladder."""

from __future__ import annotations

import random
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.adapters.extractors.text_formats.encodings import decode, looks_like_text

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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp"])
@pytest.mark.parametrize("text", [MINUTES, MINUTES + "。", "Minutes of the 12th meeting\n", ASCII_HEAVY_CSV])
@pytest.mark.parametrize("nuls", [1, 2, 5])
def test_a_nul_here_and_there_is_left_out_of_a_text(text: str, encoding: str, nuls: int) -> None:
    whole = text.encode(encoding)
    for place in {0, 7, len(whole) // 2, len(whole)}:
        damaged = whole[:place] + b"\0" * nuls + whole[place:]
        if encoding == "utf-8-sig" and place == 0:
            continue  # then the mark is no longer at the beginning
        assert looks_like_text(damaged[:4096])
        assert decode(damaged).text == text


@pytest.mark.parametrize("text", ["a", "ab", "hello", "メモ"])
def test_a_short_text_survives_a_nul_too(text: str) -> None:
    assert looks_like_text(text.encode() + b"\0")
    assert decode(text.encode() + b"\0").text == text


@pytest.mark.parametrize(
    "text", ["Plain English, line by line.\n" * 3, "Протокол заседания комиссии.\n" * 3, "りんごをたべました。\n" * 3]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_the_nuls_of_utf16_are_part_of_its_characters(text: str, encoding: str) -> None:
    assert looks_like_text(text.encode(encoding))
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<64I", *range(64)),
        b"".join(struct.pack("<If8s", number, number / 7, b"item") for number in range(50)),
        zlib.compress(MINUTES.encode() * 50),
        random.Random(1).randbytes(2000),
        b"name\0\0\0\0\0\0\0\0" * 40,
    ],
    ids=["integers", "records", "compressed", "random", "padded fields"],
)
def test_binary_data_with_nuls_stays_binary(data: bytes) -> None:
    assert not looks_like_text(data[:4096])
