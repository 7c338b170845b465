"""Calibration, fusion and query terms: pure functions of retrieval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.retrieval.calibration import (
    KEYWORD_CALIBRATION,
    SHIPPED,
    Calibration,
    background_of,
    calibration_of,
    keyword_calibration,
)
from locator_search.retrieval.fusion import Found, WordScores, fuse, keyword_weight
from locator_search.retrieval.query_terms import (
    MOST_BEARERS,
    NUMBER_SHARE,
    Lead,
    QueryTerm,
    decisive,
    leading,
    rarest,
    terms_of,
    weigh,
)
from locator_search.text.terms import is_numbered

EVERY_CALIBRATION = [*SHIPPED.values(), *(keyword_calibration(chunks) for chunks in (0, 3_000, 1_000_000))]


@pytest.mark.parametrize("calibration", EVERY_CALIBRATION)
def test_a_similarity_and_its_raw_score_are_inverse(calibration: Calibration) -> None:
    for similarity in (0.60, 0.70, 0.75, 0.82, 0.95):
        assert calibration.similarity(calibration.raw_at(similarity)) == pytest.approx(similarity)


@given(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from(EVERY_CALIBRATION))
def test_a_higher_raw_score_never_has_a_lower_similarity(one: float, other: float, calibration: Calibration) -> None:
    low, high = sorted((one, other))
    assert 0 <= calibration.similarity(low) <= calibration.similarity(high) <= 1


def test_the_ends_of_a_calibration_are_flat() -> None:
    calibration = Calibration(((0.1, 0.0), (0.5, 0.9)))
    assert (calibration.similarity(-1.0), calibration.similarity(1.0)) == (0.0, 0.9)
    assert calibration.raw_at(0.0) == pytest.approx(0.1)
    assert calibration.raw_at(0.95) == math.inf


@pytest.mark.parametrize(
    "anchors", [(), ((0.0, 0.0),), ((0.0, 0.5), (1.0, 0.4)), ((0.5, 0.1), (0.5, 0.2)), ((0, 0), (1, 1.1))]
)
def test_anchors_that_do_not_rise_are_refused(anchors: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match=r"anchors|similarities"):
        Calibration(anchors)


def test_a_model_without_a_profile_gets_the_usual_scale_above_its_background() -> None:
    for model, profile in SHIPPED.items():
        assert calibration_of(model, 0.5) == profile
    high, low = calibration_of("my-model", 0.75), calibration_of("my-model", 0.0)
    assert high.background == 0.75
    for cosine in (0.1, 0.3, 0.45, 0.6, 0.9):
        assert high.similarity(0.75 + 0.25 * cosine) == pytest.approx(low.similarity(cosine))
    assert calibration_of("my-model") == low


def test_the_background_is_the_middle_of_all_pairs_and_wants_enough_of_them() -> None:
    rng = np.random.default_rng(7)
    drawn = rng.standard_normal((12, 300)) + 0.8  # a cosine of about 0.8 ** 2 / (1 + 0.8 ** 2)
    sample = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    assert background_of(sample) == pytest.approx(0.39, abs=0.03)
    alike = np.concatenate([sample, np.repeat(sample[:1], 4, axis=0)])
    assert background_of(alike) == pytest.approx(background_of(sample), abs=0.03)
    assert background_of(sample[:9]) is None


def test_fused_scores_are_shares_of_the_best_by_words_and_by_vectors() -> None:
    found = [
        Found("both", 0.4, WordScores(5.0, 5.0)),
        Found("near", 0.8),
        Found("worded", -0.2, WordScores(10.0, 10.0)),
    ]
    ranked = fuse(found, weight=0.6)
    assert [one.key for one, _ in ranked] == ["worded", "both", "near"]
    assert [score for _, score in ranked] == pytest.approx([0.6, 0.5, 0.4])


def test_where_a_model_puts_its_cosines_changes_nothing() -> None:
    def ranked(lift: float) -> list[tuple[str, float]]:
        found = [
            Found("worded", 0.10 + lift, WordScores(10.0, 10.0)),
            Found("meant", 0.60 + lift, WordScores(4.0, 4.0)),
            Found("near", 0.30 + lift),
            Found("far", -0.05 + lift),
        ]
        return [(one.key, round(score, 6)) for one, score in fuse(found, 0.5, background=lift)]

    assert ranked(0.0) == ranked(0.3)
    assert [key for key, _ in ranked(0.3)] == ["meant", "worded", "near", "far"]


def test_a_narrow_band_of_cosines_has_its_say() -> None:
    found = [Found("worded", 0.84, WordScores(10.0, 10.0)), Found("meant", 0.90, WordScores(6.0, 6.0))]
    assert next(one.key for one, _ in fuse(found, 0.5)) == "worded"
    background = calibration_of("multilingual-e5-small-q4").background
    assert next(one.key for one, _ in fuse(found, 0.5, background=background)) == "meant"


def test_the_first_of_both_rankings_has_the_score_one_by_ranks() -> None:
    first, second = Found("b", vector_rank=1, keyword_rank=1), Found("a", vector_rank=2)
    ranked = fuse([second, first], 0.5, "ranks")
    assert ranked[0] == (first, 1.0)
    assert ranked[1][1] == pytest.approx(0.5 * 61 / 62)


def test_what_is_equal_stays_in_the_order_given() -> None:
    assert [one.key for one, _ in fuse([Found("b"), Found("a")], 0.5)] == ["b", "a"]


def test_keywords_weigh_more_beside_the_offline_vectors() -> None:
    assert keyword_weight("offline-hashed-ngrams-2") > keyword_weight("text-embedding-3-small")


def test_a_repeated_word_is_one_term() -> None:
    terms = terms_of("予算の予算", ["予算"])
    assert len(terms) == len(set(terms))


def test_the_masses_of_a_question_sum_to_one_rarest_first() -> None:
    weighed = weigh(["w:a", "w:b", "w:c"], {"w:a": 90, "w:b": 2}, {}, chunks=100)
    assert math.fsum(term.mass for term in weighed) == pytest.approx(1.0)
    assert [term.term for term in weighed] == ["w:c", "w:b", "w:a"]
    assert weighed[0].idf == pytest.approx((weighed[1].idf + weighed[2].idf) / 2), "an unknown word weighs the mean"


def test_the_share_takes_what_a_term_tells_and_pairs_that_occur_nowhere_weigh_nothing() -> None:
    known = {"w:会議": 5, "w:多い": 5, "g:会議": 5}
    told = {"w:会議": 1.0, "w:多い": 0.25, "g:会議": 0.25, "g:議の": 1.0}
    weighed = {term.term: term for term in weigh(list(told), known, {}, chunks=100, telling=told)}
    assert weighed["g:議の"].mass == 0
    assert weighed["w:会議"].mass == pytest.approx(4 * weighed["w:多い"].mass)
    assert weighed["w:会議"].idf == weighed["w:多い"].idf, "the ranking does not ask what a term tells"
    assert math.fsum(term.mass for term in weighed.values()) == pytest.approx(1.0)


def test_a_question_that_tells_nothing_is_held_by_what_holds_its_letters() -> None:
    weighed = weigh(["g:どこ", "w:何処"], {"g:どこ": 1}, {}, chunks=9, telling={"g:どこ": 0.0, "w:何処": 0.0})
    assert [term.mass for term in weighed] == [0.5, 0.5]


def test_idf_stays_above_zero_for_a_term_that_is_everywhere() -> None:
    assert weigh(["w:a"], {"w:a": 3}, {}, chunks=3)[0].idf > 0
    assert weigh(["w:a"], {"w:a": 3}, {}, chunks=0)[0].idf > 0


def test_a_number_of_few_files_is_worth_a_hit_by_itself_and_that_of_a_product_is_not() -> None:
    few, many = ({"r:a-100": count} for count in (MOST_BEARERS, MOST_BEARERS + 1))
    assert weigh(["r:a-100"], {"r:a-100": 9}, few, chunks=100)[0].floor == NUMBER_SHARE
    assert weigh(["r:a-100"], {"r:a-100": 9}, many, chunks=100)[0].floor == 0.0


def test_a_large_index_asks_for_a_larger_share_of_the_question() -> None:
    sizes = [0, 850, 2_000, 7_000, 15_000, 1_000_000]
    shares = [keyword_calibration(chunks).raw_at(0.60) for chunks in sizes]
    assert shares == sorted(shares)
    assert shares[0] == shares[1] == pytest.approx(0.50)
    assert shares[-2] == shares[-1] == pytest.approx(0.59)


@pytest.mark.parametrize("chunks", [0, 3_000, 1_000_000])
def test_a_document_number_is_a_hit_of_a_narrowed_search_too(chunks: int) -> None:
    assert keyword_calibration(chunks).similarity(NUMBER_SHARE) > 0.82


def test_files_with_other_numbers_are_no_hits_for_a_number_that_does_not_exist() -> None:
    known = {"r:k": 9, "w:契約": 9, "g:契約": 9}
    weighed = weigh([*known, "r:k-2031-999"], known, {"r:k-2031-999": 0}, chunks=100)
    share = math.fsum(term.mass for term in weighed if term.found)
    assert KEYWORD_CALIBRATION.similarity(share) < 0.60


@pytest.mark.parametrize("term", ["r:a-100", "r:r2-0045", "r:pj2024", "r:12-345"])
def test_document_numbers_are_recognised(term: str) -> None:
    assert is_numbered(term)


@pytest.mark.parametrize("term", ["r:2024", "r:1,234.5", "r:plan", "w:a-100", "r:q1"])
def test_plain_figures_and_words_are_no_document_numbers(term: str) -> None:
    assert not is_numbered(term)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sets(st.integers(0, 20), max_size=8)), min_size=1, max_size=10),
    st.floats(0.05, 1.0),
)
def test_every_file_that_reaches_the_share_holds_a_decisive_term(
    terms: list[tuple[int, set[int]]], share: float
) -> None:
    """Terms with the files that hold them; the frequency is free, because terms may repeat within a file."""
    held = {f"w:{number}": files for number, (_, files) in enumerate(terms)}
    frequencies = {f"w:{number}": len(files) + extra for number, (extra, files) in enumerate(terms) if files}
    weighed = weigh(list(held), frequencies, {}, chunks=100)
    chosen = decisive(weighed, share)
    for file in range(21):
        reached = math.fsum(term.mass for term in weighed if file in held[term.term])
        if reached >= share:
            assert any(file in held[term] for term in chosen)


def in_chunks(*frequencies: int, idf: float = 3.0) -> list[QueryTerm]:
    return [QueryTerm(f"w:{n}", idf, 0.1, 0.0, frequency, (f"w:{n}'",)) for n, frequency in enumerate(frequencies)]


def test_rare_terms_lead_alone_and_the_next_two_with_one_of_the_two_after_them() -> None:
    lead = leading(in_chunks(0, 10, 40, 60, 70, 80, 90, 99), most=100)
    assert lead == Lead(
        ("w:1", "w:1'", "w:2", "w:2'"),
        (
            (("w:3", "w:3'"), ("w:4", "w:4'", "w:5", "w:5'")),
            (("w:4", "w:4'"), ("w:5", "w:5'", "w:6", "w:6'")),
        ),
    )


def test_terms_in_as_many_chunks_are_forms_of_one_word_and_lead_nowhere_together() -> None:
    lead = leading(in_chunks(60, 60, 70, 70), most=50)
    assert lead == Lead((), ((("w:0", "w:0'"), ("w:2", "w:2'")),))
    assert leading(in_chunks(60, 60), most=50) is None


def test_a_term_in_every_fifth_chunk_says_nothing_beside_another_one() -> None:
    assert leading([*in_chunks(10, 60), *in_chunks(70, idf=1.4)], most=50) is None


def test_a_last_common_term_is_left_out_beside_enough_others() -> None:
    assert leading(in_chunks(25, 1000), most=100) == Lead(("w:0", "w:0'"), ())
    assert leading(in_chunks(24, 1000), most=100) is None


@pytest.mark.parametrize("terms", [[], in_chunks(0), in_chunks(10, 20, 70)])
def test_questions_of_rare_terms_need_no_lead(terms: list[QueryTerm]) -> None:
    assert leading(terms, most=100) is None


def test_terms_are_added_until_enough_chunks_hold_them_and_one_at_least() -> None:
    weighed = [QueryTerm(f"w:{n}", 1.0, 0.25, 0.0, frequency=10) for n in range(4)]
    assert rarest(weighed, least=0) == ["w:0"]
    assert rarest(weighed, least=20) == ["w:0", "w:1"]
    assert rarest(weighed, least=21) == ["w:0", "w:1", "w:2"], "even if it is in many"
    assert decisive(weighed, share=0.6) == ["w:0", "w:1"], "one of the two is in every file with 0.6"


def test_terms_decide_that_have_most_mass_for_the_chunks_to_look_at() -> None:
    terms = [
        QueryTerm("w:rare", 1.0, 0.1, 0.0, frequency=10),
        QueryTerm("w:weightless", 1.0, 0.0, 0.0, frequency=20),
        QueryTerm("w:telling", 1.0, 0.5, 0.0, frequency=40, alternatives=("w:言う",)),
        QueryTerm("w:common", 1.0, 0.4, 0.0, frequency=90),
    ]
    assert decisive(terms, share=0.7) == ["w:telling", "w:言う"]
    assert decisive(terms, share=0.45) == ["w:telling", "w:言う", "w:rare"]
    assert decisive(terms, share=1.5) == [], "no file can reach it"


def test_a_term_whose_floor_is_a_hit_decides_and_terms_in_no_file_are_out_of_reach() -> None:
    terms = [
        QueryTerm("w:absent", 1.0, 0.5, 0.0, frequency=0),
        QueryTerm("r:k-7", 1.0, 0.2, NUMBER_SHARE, frequency=3),
        QueryTerm("w:word", 1.0, 0.3, 0.0, frequency=9),
    ]
    assert decisive(terms, share=0.7) == ["r:k-7"]
    assert decisive(terms, share=0.25) == ["r:k-7", "w:word"]
