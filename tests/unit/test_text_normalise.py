import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.text.normalise import normalise, normalise_with_offsets, original_span


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("ＡＢＣ　１２３", "abc 123"),
        ("ｻｰﾊﾞｰ", "サーバー"),
        ("か\u3099", "が"),
        ("㈱髙橋・山﨑", "(株)高橋・山崎"),
        ("渡邉と渡邊", "渡辺と渡辺"),
        ("①Ⅲ㋿㍻㎡", "1iii令和平成m2"),
        ("2024−09‐10―11–12", "2024-09-10-11-12"),
        ("2024ー09", "2024-09"),
        ("8〜10月、8～10月", "8~10月、8~10月"),
        ("葛\U000e0100城", "葛城"),
        ("見\u200b積\ufeff書", "見積書"),
        ("⼀覧", "一覧"),
        ("Straße İ", "straße i̇"),
    ],
)
def test_what_people_write_in_different_ways_compares_equal(written: str, compared: str) -> None:
    assert normalise(written) == compared


def test_a_long_vowel_stays_a_long_vowel() -> None:
    assert normalise("データーベース らーめん") == "データーベース らーめん"


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet=st.characters() | st.sampled_from("か\u3099ﾊﾟｰー㈱髙\u200b\ufe0f～−aİΣ👨\u200d👩")))
def test_offsets_lead_back_into_the_original(text: str) -> None:
    normalised, offsets = normalise_with_offsets(text)
    assert normalised == normalise(text)
    assert len(offsets) == len(normalised) + 1
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(text)


@given(st.text(min_size=1), st.data())
def test_a_match_always_covers_something_of_the_original(text: str, data: st.DataObject) -> None:
    normalised, offsets = normalise_with_offsets(text)
    if normalised:
        start = data.draw(st.integers(0, len(normalised) - 1))
        end = data.draw(st.integers(start + 1, len(normalised)))
        first, after = original_span(offsets, start, end)
        assert 0 <= first < after <= len(text)


def test_a_match_inside_one_original_character_marks_that_character() -> None:
    text = "これは㈱みどりです"
    normalised, offsets = normalise_with_offsets(text)
    start = normalised.index("株")
    first, after = original_span(offsets, start, start + 1)
    assert text[first:after] == "㈱"
