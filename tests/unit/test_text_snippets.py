import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.text.cutting import (
    around_difference,
    estimate_tokens,
    grapheme_boundary,
    sentence_spans,
    sentences,
    truncate,
    truncate_at_sentence,
)
from locator_search.text.snippets import Snippet, make_snippet

FILLER = "これは本題に入る前の長い前置きであり、探している事柄には触れていない。" * 8


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.highlights]


def test_a_snippet_shows_the_place_that_answers() -> None:
    snippet = make_snippet(f"{FILLER}宿泊費の上限は一泊一万円とする。{FILLER}", "宿泊費の上限")
    assert "宿泊費の上限は一泊一万円とする。" in snippet.text
    assert marked(snippet) == ["宿泊費の上限"]
    assert len(snippet.text) <= 160
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("ｻｰﾊﾞｰの更新", "サーバー", ["ｻｰﾊﾞｰ"]),
        ("㈱髙橋工業の見積", "高橋工業", ["髙橋工業"]),
        ("㈱みどり", "株", ["㈱"]),
        ("Reports on sensors", "sensor report", ["Reports", "sensors"]),
        ("打ち合わせの記録", "打合せ", ["打ち合わせ"]),
        ("契約番号 K-2024-017、2024年", "K-2024-017", ["K-2024-017"]),
        ("HP-350を120台", "HP-350の納期", ["HP-350"]),
        ("Training in 2012", "in 12", []),
        ("秘密保持の義務", "秘密保持契約", ["秘密保持"]),
        ("コンプレッサーを更新する", "コンプレッサー更新", ["コンプレッサー", "更新"]),
        ("それはそれとして", "それは何か", []),
        ("おすしの注文", "すし", ["すし"]),
        ("議事録の記録者", "令和6年の議事録", ["議事録"]),
    ],
)
def test_matches_are_marked_as_they_are_written(text: str, query: str, marks: list[str]) -> None:
    assert marked(make_snippet(text, query)) == marks


def test_a_text_without_a_match_shows_its_beginning() -> None:
    snippet = make_snippet(FILLER, "見積")
    assert FILLER.startswith(snippet.text.removesuffix("…"))
    assert snippet.highlights == ()


def test_a_snippet_is_one_line() -> None:
    assert make_snippet("一行目\n二行目\t三列目", "二行目").text == "一行目 二行目 三列目"


@settings(deadline=None)
@given(
    st.text(alphabet=st.characters() | st.sampled_from("契約か\u3099ﾊﾟ㈱髙👨\u200d👩 ab1-\n"), max_size=300),
    st.text(alphabet=st.characters() | st.sampled_from("契約がパ株高👨ab1-"), max_size=12),
    st.integers(3, 60),
)
def test_every_snippet_is_short_and_its_marks_lie_in_it(text: str, query: str, max_length: int) -> None:
    snippet = make_snippet(text, query, max_length)
    assert len(snippet.text) <= max_length
    position = 0
    for start, end in snippet.highlights:
        assert position <= start < end <= len(snippet.text)
        position = end


def test_sentences_end_at_their_marks_and_at_line_breaks() -> None:
    text = "「はい。そうです。」と答えた。次の文！\n見出し\nIt costs 3.5 EUR. See Fig. 2 for more. End"
    assert sentences(text) == [
        "「はい。そうです。」と答えた。",
        "次の文！",
        "見出し",
        "It costs 3.5 EUR.",
        "See Fig. 2 for more.",
        "End",
    ]


def test_a_unit_ends_a_sentence_and_an_initial_does_not() -> None:
    text = "It moves at 120 km/h. It weighs 3 t. A. Smith saw it."
    assert sentences(text) == ["It moves at 120 km/h.", "It weighs 3 t.", "A. Smith saw it."]


def test_a_bracket_that_stays_open_ends_with_its_line() -> None:
    assert sentences("「閉じない。\n次の行。終わり。") == ["「閉じない。", "次の行。", "終わり。"]


@given(st.text())
def test_sentences_keep_every_visible_character(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


def test_a_cut_keeps_what_looks_like_one_character() -> None:
    assert truncate("か\u3099き" * 3, 4) == "がきが…"
    assert truncate("👨\u200d👩\u200d👧" * 3, 7) == "👨\u200d👩\u200d👧…"
    assert truncate("短い", 10) == "短い"
    assert truncate("なにか", 0) == ""


def test_a_cut_prefers_the_end_of_a_sentence() -> None:
    assert truncate_at_sentence("最初の文です。次の文はもっと長いです。", 15) == "最初の文です。"
    assert truncate_at_sentence("文末のない長い文がずっと続く", 8) == "文末のない長い…"


@given(st.text(), st.integers(0, 30))
def test_a_cut_is_never_too_long_and_lies_between_graphemes(text: str, length: int) -> None:
    assert len(truncate(text, length)) <= length
    assert len(truncate_at_sentence(text, length)) <= length
    boundary = grapheme_boundary(text, length)
    assert boundary <= max(length, 0) or boundary == len(text)


@given(st.text(alphabet=st.characters() | st.sampled_from("か\u3099ﾊﾟ\u200d👨👩🇯🇵\r\n각ᄀ")), st.integers(0, 30))
def test_a_boundary_is_the_last_one_before_the_position(text: str, position: int) -> None:
    ends = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    assert grapheme_boundary(text, position) == max(end for end in ends if end <= position)


def test_tokens_of_japanese_are_not_counted_like_english() -> None:
    assert estimate_tokens("契約書の更新について") >= 10
    assert estimate_tokens("the renewal of the contract") <= 10
    assert estimate_tokens("") == 0


def test_of_long_texts_the_place_where_they_differ_is_shown_between_whole_words() -> None:
    start = "The terminal registers in every cell of the network "
    shown = around_difference(f"{start * 3}at once and waits for it.", f"{start * 3}later and waits for it.", 60)
    assert shown == (
        "…registers in every cell of the network at once and waits…",
        "…registers in every cell of the network later and waits for…",
    )
    assert around_difference("one", "two", 60) == ("one", "two")
    assert around_difference("", f"{start * 3}", 30) == ("", "The terminal registers in…")


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200), st.integers(2, 80))
def test_what_is_shown_of_two_texts_is_no_longer_than_allowed(start: str, one: str, other: str, longest: int) -> None:
    assert all(len(shown) <= longest for shown in around_difference(start + one, start + other, longest))
