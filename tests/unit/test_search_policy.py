"""The branch table and the loop state of the branching search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.drive_search import policy
from locator_search.drive_search.policy import Attempt, Trail
from locator_search.model import Branch, Evidence, GroupMember, Retrieval, SearchFilters, Variant
from locator_search.text.terms import analyse
from tests.fakes.scripted_index import evidence, retrieval


@pytest.mark.parametrize(
    ("hit_count", "top", "branch"),
    [
        (0, None, "relax"),
        (1, 0.749, "show"),
        (1, 0.75, "show"),
        (2, 0.749, "rerank"),
        (2, 0.75, "rerank"),
        (5, 0.749, "rerank"),
        (5, 0.75, "rerank"),
        (9, 0.749, "rerank"),
        (9, 0.75, "rerank"),
        (10, 0.749, "narrow"),
        (10, 0.75, "refine"),
        (49, 0.749, "narrow"),
        (49, 0.75, "refine"),
        (50, 0.749, "narrow"),
        (50, 0.75, "narrow"),
        (120, 0.749, "narrow"),
        (120, 0.99, "narrow"),
    ],
)
def test_the_hit_count_decides_first(hit_count: int, top: float | None, branch: Branch) -> None:
    assert policy.choose_branch(hit_count, top) == branch


def attempt(threshold: float, *keywords: str) -> Attempt:
    return Attempt("質問", keywords, threshold, SearchFilters())


def after(trail: Trail, threshold: float, hit_count: int) -> Trail:
    return trail.after(attempt(threshold), policy.choose_branch(hit_count, 0.8), retrieval(hit_count, 0.8))


def test_a_round_is_told_as_it_was() -> None:
    variant = Variant("era", "令和6年", ("2024年",))
    found = Retrieval((), 12, 0.81, variants=(variant,))
    trail = Trail(3).after(Attempt("質問", ("営業",), 0.7, SearchFilters(), "period dropped"), "refine", found)
    trail = trail.after(attempt(0.75), "show", retrieval(1, 0.9))
    told = [
        (one.round, one.query, one.keywords, one.threshold, one.hit_count, one.top_similarity) for one in trail.rounds
    ]
    assert told == [(1, "質問", ("営業",), 0.7, 12, 0.81), (2, "質問", (), 0.75, 1, 0.9)]
    assert (trail.rounds[0].branch, trail.rounds[0].note, trail.rounds[0].variants) == (
        "refine",
        "period dropped",
        (variant,),
    )


@pytest.mark.parametrize(("hit_count", "floor"), [(9, None), (10, 0.7)])
def test_only_a_threshold_with_ten_hits_or_more_is_too_low(hit_count: int, floor: float | None) -> None:
    assert after(Trail(3), 0.70, hit_count).floor == floor


def test_the_bracket_keeps_its_highest_floor_and_lowest_ceiling() -> None:
    assert after(after(Trail(5), 0.75, 60), 0.70, 60).floor == 0.75
    assert after(after(Trail(5), 0.75, 0), 0.82, 0).ceiling == 0.75


def test_fewer_conditions_forget_the_bracket() -> None:
    trail = after(after(Trail(5), 0.70, 60), 0.82, 0).without_bounds()
    assert (trail.floor, trail.ceiling) == (None, None)


def test_where_nothing_was_learnt_yet_the_threshold_is_free() -> None:
    assert Trail(3).raised(0.82) == 0.82
    assert after(Trail(3), 0.70, 0).raised(0.82) == 0.35


def test_a_threshold_that_gave_nothing_is_not_asked_for_again() -> None:
    assert after(after(Trail(5), 0.60, 30), 0.82, 0).raised(0.82) == 0.71


def test_half_way_is_rounded_to_thousandths() -> None:
    assert after(after(Trail(5), 0.7003, 60), 0.75, 0).lowered() == 0.725


def test_a_bracket_of_the_smallest_step_is_closed() -> None:
    trail = after(after(Trail(5), 0.0, 60), policy.SMALLEST_STEP, 0)
    assert trail.lowered() is None


def test_a_group_is_as_similar_as_its_best_member() -> None:
    member = GroupMember(evidence(2, 0.95), "version", 0.9)
    assert policy.similarity_of_group(replace(evidence(1, 0.6), group=(member,))) == 0.95


def bearing(number: int, *terms: str) -> Evidence:
    return replace(evidence(number), explain={"matched_terms": list(terms)})


def all_of(found: tuple[Evidence, ...]) -> Retrieval:
    """A retrieval that found these and no more."""
    return Retrieval(found, len(found), None)


def test_those_that_bear_the_number_of_the_question_stand_out() -> None:
    found = (bearing(1, "k-12", "契約"), bearing(2, "契約"), bearing(3, "k", "12", "k-12"))
    assert [item.file_id for item in policy.standing_out("契約書 K-12", all_of(found))] == ["file-1", "file-3"]


def test_a_number_that_all_or_too_many_bear_tells_nothing_apart() -> None:
    assert policy.standing_out("HV-90の仕様", all_of(tuple(bearing(n, "hv-90") for n in range(20)))) == ()
    assert policy.standing_out("HV-90の仕様", all_of((bearing(1, "hv-90"), bearing(2, "hv-90")))) == ()


@pytest.mark.parametrize(
    ("similarity", "second", "stands"), [(0.75, 0.6, True), (0.749, 0.6, False), (0.75, 0.61, False)]
)
def test_the_first_stands_out_when_it_is_clear_and_the_next_far_behind(
    similarity: float, second: float, stands: bool
) -> None:
    found = (replace(evidence(1, similarity), score=1.0), replace(evidence(2, 0.7), score=second))
    assert bool(policy.standing_out("営業の資料", all_of(found))) is stands


def test_only_files_that_are_somewhat_similar_are_close() -> None:
    assert policy.close([evidence(1, 0.15), evidence(2, 0.149)]) == (evidence(1, 0.15),)


def test_after_too_many_the_threshold_rises_as_wanted() -> None:
    assert after(Trail(3), 0.70, 60).raised(policy.NARROWED) == 0.82


def test_the_threshold_never_rises_to_where_nothing_was_found() -> None:
    trail = after(after(Trail(5), 0.70, 0), 0.60, 30)
    assert trail.raised(policy.NARROWED) == 0.65


def test_after_narrowing_to_nothing_the_threshold_goes_back_half_way() -> None:
    trail = after(after(Trail(5), 0.70, 60), 0.82, 0)
    assert trail.lowered() == 0.76


def test_a_bracket_that_has_closed_leaves_no_room() -> None:
    trail = after(after(Trail(5), 0.70, 60), 0.71, 0)
    assert trail.lowered() is None
    assert trail.raised(0.82) is None


def test_without_earlier_hits_there_is_nothing_to_go_back_to() -> None:
    assert after(Trail(5), 0.70, 0).lowered() is None


def test_an_attempt_is_not_made_twice() -> None:
    trail = after(Trail(5), 0.70, 60)
    assert not trail.allows(attempt(0.70))
    assert trail.allows(attempt(0.70, "営業"))
    assert trail.allows(attempt(0.82))


def test_the_number_of_rounds_is_limited() -> None:
    trail = after(after(Trail(2), 0.70, 60), 0.82, 30)
    assert trail.last_round
    assert not trail.allows(attempt(0.9))


@given(st.lists(st.tuples(st.sampled_from([0, 1, 5, 10, 30, 60]), st.booleans()), max_size=15))
def test_the_bracket_only_ever_closes(steps: list[tuple[int, bool]]) -> None:
    trail, threshold = Trail(20), 0.70
    for hit_count, ask in steps:
        before = (trail.floor, trail.ceiling)
        trail = after(trail, threshold, hit_count)
        assert before[0] is None or trail.floor >= before[0]  # type: ignore[operator]
        assert before[1] is None or trail.ceiling <= before[1]  # type: ignore[operator]
        following = trail.raised(0.82) if ask else trail.lowered()
        if following is None:
            break
        threshold = following


@pytest.mark.parametrize(("now", "following"), [(0.0, 0.60), (0.60, 0.70), (0.70, 0.75), (0.75, 0.82), (0.9, 0.9)])
def test_refining_climbs_one_rung(now: float, following: float) -> None:
    assert policy.next_rung(now) == following


def test_refining_keeps_twenty_and_drops_what_is_below_the_bar() -> None:
    best = [evidence(n, 0.95 - n / 100) for n in range(30)]
    kept = policy.keep_best(best)
    assert len(kept) == 20
    assert min(item.similarity for item in kept) >= policy.CLEAR
    assert len(policy.keep_best([evidence(1, 0.9), evidence(2, 0.749), evidence(3, 0.75)])) == 2


def test_refining_never_drops_everything() -> None:
    assert policy.keep_best([evidence(1, 0.72), evidence(2, 0.71)]) == (evidence(1, 0.72), evidence(2, 0.71))


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        (["file-3", "file-1", "file-2"], [3, 1, 2]),
        (["file-3"], [3, 1, 2]),
        (["invented", "file-2", "file-2", "file-3"], [2, 3, 1]),
        ([], [1, 2, 3]),
        (["```json", "file-2", "file-1"], [2, 1, 3]),
    ],
)
def test_a_ranking_loses_and_invents_nothing(ranked: list[str], expected: list[int]) -> None:
    ordered = policy.in_ranked_order([evidence(1), evidence(2), evidence(3)], ranked)
    assert ordered == tuple(evidence(n) for n in expected)


@pytest.mark.parametrize(
    ("proposed", "kept"),
    [
        (["顧客A", "週次"], ("顧客A", "週次")),
        (["顧客A"], ("顧客A", "報告")),
        (["週次", "報告"], ("顧客A", "報告")),
        (["顧客A", "週次", "報告"], ("顧客A", "報告")),
        (["売上"], ("顧客A", "報告")),
        ([], ("顧客A", "報告")),
        (None, ("顧客A", "報告")),
    ],
)
def test_relaxing_leaves_out_what_may_be_spared_or_else_tells_least(
    proposed: list[str] | None, kept: tuple[str, ...]
) -> None:
    assert policy.fewer_keywords(("顧客A", "週次", "報告"), proposed, (0.6, 0.15, 0.25)) == kept


def test_of_keywords_that_tell_the_same_the_last_is_left_out() -> None:
    assert policy.fewer_keywords(("顧客A", "週次"), None, (0.0, 0.0)) == ("顧客A",)


@pytest.mark.parametrize(
    ("telling", "spared"), [((0.7, 0.3), True), ((0.6, 0.4), False), ((1.0,), False), ((0.1,), False), ((), False)]
)
def test_a_keyword_that_is_half_of_the_question_is_not_dropped(telling: tuple[float, ...], spared: bool) -> None:
    assert policy.has_one_to_spare(telling) is spared


def test_a_keyword_tells_what_its_terms_tell() -> None:
    parts = dict.fromkeys(analyse("北斗製鋼").terms, 0.2)
    assert policy.telling_of(("北斗製鋼", "報告"), parts) == pytest.approx((0.2 * len(parts), 0.0))


def test_counting_hits_does_not_need_their_list() -> None:
    assert Trail(3).after(attempt(0.7), "narrow", Retrieval((), 120, 0.9)).floor == 0.7
