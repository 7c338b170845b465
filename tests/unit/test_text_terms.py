import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.model import Block, Document
from locator_search.text.questions import parse_question
from locator_search.text.snippets import make_snippet
from locator_search.text.terms import analyse, bare, telling_parts
from locator_search.text.words import PIECE_LENGTH, pieces, words


def terms_of(text: str) -> set[str]:
    return set(analyse(text).terms)


def shared(one: str, other: str) -> set[str]:
    return terms_of(one) & terms_of(other)


@pytest.mark.parametrize(
    ("question", "file_text"),
    [
        ("打合せ", "本日の打ち合わせについて"),
        ("サーバ", "サーバーの構成図"),
        ("server", "サーバーの構成図"),
        ("report", "Quarterly Reports"),
        ("ｹｲﾔｸ", "ケイヤク"),
        ("髙橋", "高橋さん"),
        ("予算", "来年度予算案"),
        ("東京", "東京都庁"),
        ("ABC-1234", "契約番号 ABC-1234 の更新"),
        ("1234", "契約番号 ABC-1234 の更新"),
        ("38.901", "TS 38.901 の改訂"),
        ("１，２３４", "合計1234円"),
        ("県", "長野県の人口"),
        ("IT", "IT部門の計画"),
        ("Привет", "привет, мир"),
    ],
)
def test_a_question_meets_the_file_it_means(question: str, file_text: str) -> None:
    assert shared(question, file_text)


def test_a_broken_file_name_is_analysed_without_its_broken_bytes() -> None:
    assert terms_of("契約\udc83書") == terms_of("契約書")
    assert analyse("\udc83").terms == ()


def test_characters_that_do_not_touch_make_no_pair() -> None:
    assert "g:京大" not in terms_of("東京 大阪")
    assert "g:京大" in terms_of("東京大阪")


def test_grammar_makes_no_terms_beside_real_words() -> None:
    assert not {bare(term) for term in terms_of("契約書を確認してください")} & {"を", "て", "くだ", "ださ", "さい"}


@pytest.mark.parametrize("text", ["の", "※", "から まで", "すべて", "あ", "x", "7", "😀"])
def test_the_smallest_question_still_has_terms(text: str) -> None:
    assert analyse(text).length >= 1


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b"])
def test_nothing_visible_has_no_terms(text: str) -> None:
    assert analyse(text).terms == ()


def test_a_text_in_hiragana_only_is_found_by_its_pairs() -> None:
    assert "g:ぽん" in shared("ぺんぽろぽん", "むかしぺんぽろぽんがいました")


def test_words_and_pairs_are_counted_apart() -> None:
    terms = analyse("東京")
    assert dict(zip(terms.terms, terms.frequencies, strict=True)) == {"w:東京": 1, "g:東京": 1}


def test_english_words_are_stemmed_and_kept_as_written() -> None:
    assert {"e:report", "r:reports", "e:cast", "r:casting"} <= terms_of("the reports of casting")
    assert not {"e:the", "e:of", "w:オブ"} & terms_of("the reports of casting")


def test_a_very_long_line_is_analysed_in_pieces() -> None:
    text = "日本語の長い文章" * 10_000
    assert max(len(piece) for _, piece in pieces(text)) <= PIECE_LENGTH
    assert "".join(piece for _, piece in pieces(text)) == text
    assert analyse(text).length > 10_000
    assert analyse("𠮷" * 20_000).length > 0


@pytest.mark.parametrize("run", ["1", "a", "aB3", "a-", "1,", "ー", "漢", "株式会社", "「", "。", " "])
def test_monotonous_text_takes_no_time(run: str) -> None:
    text = (run * 30_000)[:30_000]
    began = time.thread_time()
    analyse(text)
    parse_question(text[:1_000], date(2024, 10, 5))
    make_snippet(text[:10_000], text[:200])
    HeadingChunker().chunk(Document((Block("paragraph", text), Block("table", text)), "text/plain"))
    assert time.thread_time() - began < 4


def test_words_know_where_they_stand() -> None:
    text = "あ。" * PIECE_LENGTH + "東京タワー"
    last = list(words(text))[-1]
    assert text[last.start : last.end] == last.surface == "タワー"


def test_many_threads_get_the_same_terms_as_one() -> None:
    texts = [f"第{number}回の会議でserversの予算{number}を決めた" for number in range(200)]
    alone = [analyse.__wrapped__(text) for text in texts]
    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(analyse.__wrapped__, texts)) == alone


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_analysed(text: str) -> None:
    terms = analyse(text)
    assert len(set(terms.terms)) == len(terms.terms) == len(terms.frequencies)
    assert all(term[:2] in {"w:", "e:", "g:", "r:", "n:", "y:", "q:", "k:"} and bare(term) for term in terms.terms)
    assert all(frequency >= 1 for frequency in terms.frequencies)


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("令和6年度の予算案はＡＢＣ-1234として承認", {"令和", "6", "年度", "予算", "算案", "abc", "1234", "承認"}),
        ("サーバーを見た", {"サーバー"}),
        ("The reports of 2024", {"reports", "2024"}),
        ("서울 회의", {"서울", "회의"}),
        ("から まで", {"から", "まで"}),
        ("※", {"※"}),
        ("", set()),
    ],
)
def test_a_sentence_tells_of_its_kanji_katakana_words_and_numbers(sentence: str, parts: set[str]) -> None:
    assert telling_parts(sentence) == parts
