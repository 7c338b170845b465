"""Groups in the branching search: places and counts are those of documents."""

from __future__ import annotations

from dataclasses import replace

from locator_search.cli.search.as_json import evidence_as_json
from locator_search.drive_search.questions import SearchOptions
from locator_search.model import Evidence, Retrieval, SearchOutcome
from tests.fakes.scripted_index import evidence, retrieval
from tests.fakes.search_parts import KnownContents, SourceWithout
from tests.fakes.searches import ScriptedSearch, inputs


def with_copies(documents: int, *copies: int, top: float = 0.9) -> tuple[Retrieval, KnownContents]:
    """So many documents of the index; the files numbered are copies, and one of them."""
    files = retrieval(documents + max(0, len(copies) - 1), top, limit=80)
    return replace(files, hit_count=documents), KnownContents({f"file-{n}": "one text" for n in copies})


def played(
    script: tuple[Retrieval, KnownContents], *, gone: tuple[str, ...] = (), answer: str = ""
) -> tuple[SearchOutcome, ScriptedSearch]:
    parts = ScriptedSearch([script[0]], contents=script[1], source=SourceWithout(frozenset(gone)))
    return parts.play(inputs(), [answer]), parts


def ids(evidence: tuple[Evidence, ...]) -> list[str]:
    return [item.file_id for item in evidence]


def members(item: Evidence) -> list[str]:
    return [member.evidence.file_id for member in item.group]


def test_copies_are_folded_and_the_count_is_that_of_documents() -> None:
    outcome, _ = played(with_copies(3, 1, 3, 4))
    assert ids(outcome.evidence) == ["file-0", "file-1", "file-2"]
    assert members(outcome.evidence[1]) == ["file-3", "file-4"]
    assert outcome.message.startswith("3 件見つかりました。")
    assert "2 件は同じ文書の版やコピーのため、まとめて表示しています。" in outcome.notes
    assert outcome.rounds[0].hit_count == 3


def test_a_search_without_copies_says_nothing_of_them() -> None:
    outcome, _ = played(with_copies(5))
    assert not any("版やコピー" in note for note in outcome.notes)


def test_folded_files_use_up_none_of_the_ten_places() -> None:
    outcome, _ = played(with_copies(60, *range(6)))
    assert len(outcome.evidence) == 10
    assert members(outcome.evidence[0]) == [f"file-{n}" for n in range(1, 6)]
    assert ids(outcome.evidence[1:]) == [f"file-{n}" for n in range(6, 15)]


def test_a_result_that_moved_up_shows_its_best_place_too() -> None:
    found, texts = with_copies(60, *range(15))
    hits = tuple(replace(item, text="営業の資料はこちら。") for item in found.evidence)
    parts = ScriptedSearch([replace(found, evidence=hits)], contents=texts)
    run = parts.search.start("営業の資料", options=SearchOptions(interactive=False, show=20))
    shown = run.advance().evidence
    assert ids(shown[5:7]) == ["file-19", "file-20"]
    assert [bool(item.highlights) for item in shown[5:7]] == [False, True]


def test_copies_of_one_document_need_no_question_however_many_they_are() -> None:
    outcome, parts = played(with_copies(1, *range(61)))
    assert [len(item.group) for item in outcome.evidence] == [60]
    assert (outcome.rounds[0].hit_count, outcome.rounds[0].branch) == (1, "show")
    assert outcome.message.startswith("1 件見つかりました。")
    assert "rerank" not in parts.model.tasks()


def test_a_document_stays_for_the_sake_of_its_best_version() -> None:
    found = with_copies(11, 0, 1)[0]
    names = {"file-0": "計画_v1.pdf", "file-1": "計画_v2.pdf"}
    similarities = {"file-0": 0.8, "file-1": 0.71}
    hits = tuple(
        replace(item, file_name=names[item.file_id], similarity=similarities[item.file_id])
        if item.file_id in names
        else item
        for item in found.evidence
    )
    texts = KnownContents(
        {"file-0": "a b c d e f g", "file-1": "a b c d e f g h"}, {"file-0": "plan", "file-1": "plan"}
    )
    outcome, _ = played((replace(found, evidence=hits), texts))
    assert outcome.evidence[0].file_name == "計画_v2.pdf"
    assert members(outcome.evidence[0]) == ["file-0"]


def test_folded_files_are_asked_about_at_their_source_after_those_shown() -> None:
    outcome, parts = played(with_copies(2, 1, 2, 3), gone=("file-2",))
    assert parts.source.checked == ["file-0", "file-1", "file-2", "file-3"]
    assert members(outcome.evidence[1]) == ["file-3"]
    assert "1 件は取得元から削除されたか閲覧できないため、除きました。" in outcome.notes


def test_when_the_file_shown_is_gone_its_copy_takes_its_place() -> None:
    outcome, _ = played(with_copies(2, 1, 2, 3), gone=("file-1",))
    assert ids(outcome.evidence) == ["file-0", "file-2"]
    assert members(outcome.evidence[1]) == ["file-3"]


def test_a_group_survives_the_log_of_a_run() -> None:
    script = with_copies(2, 0, 2)
    parts = ScriptedSearch([script[0]], contents=script[1])
    run = parts.search.start("営業の資料")
    outcome = run.advance()
    assert members(outcome.evidence[0]) == ["file-2"]
    assert parts.search.resume(run.log).outcome == outcome


def test_the_json_names_the_members_of_a_group_and_why_they_are() -> None:
    outcome, _ = played(with_copies(2, 0, 2))
    first, second = map(evidence_as_json, outcome.evidence)
    assert second["group"] is None
    group = first["group"]
    assert isinstance(group, dict)
    assert group["kind"] == "copy"
    (member,) = group["members"]
    assert (member["file_id"], member["kind"], member["overlap"]) == ("file-2", "copy", 1.0)
    assert {"file_name", "link", "modified_at", "verified"} <= member.keys()
    assert evidence(2).link == member["link"]
