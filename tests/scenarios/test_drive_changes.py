"""What happens in Drive, and the index right after one tick. Each test ends by comparing with a full listing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from locator_search.core.errors import SourceError
from locator_search.dev.drive_emulator import Announce, DriveEmulator, FaultRule
from locator_search.dev.drive_emulator.faults import Fault
from tests.builders.drive import DriveBench
from tests.builders.registry import all_known

ONE_REQUEST = {"changes.list": 1}


@pytest.fixture
def bench(drive_bench: DriveBench) -> Iterator[DriveBench]:
    """After the test the index is what a full listing would make of it."""
    yield drive_bench
    assert drive_bench.agrees_with_a_full_listing()


def settled(bench: DriveBench) -> None:
    """Take in what is there, and forget what that cost."""
    bench.tick()
    bench.requests()


# Nothing, and one file


def test_a_tick_without_changes_costs_one_request_and_no_write(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.add_synthetic(30, bench.target, per_folder=5)
    settled(bench)
    before = bench.database_writes()
    snapshot = bench.tick()
    assert bench.requests() == ONE_REQUEST
    assert not snapshot.known
    assert bench.database_writes() == before


def test_one_changed_file_costs_its_own_requests_only(drive: DriveEmulator, bench: DriveBench) -> None:
    files = drive.add_synthetic(30, bench.target, per_folder=5)
    settled(bench)
    drive.write(files[7], "まったく新しい内容")
    bench.tick()
    assert bench.requests() == {"changes.list": 1, "files.media": 1}
    assert bench.count("file_chunk", "text LIKE '%新しい内容%'") == 1


def test_changes_out_of_scope_cost_nothing_more(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.add_file("中.txt", "中の文書", bench.target)
    settled(bench)
    elsewhere = drive.add_folder("よそ")
    for number in range(5):
        drive.rename(drive.add_file(f"{number}.txt", "よその文書", elsewhere), f"改{number}.txt")
    bench.tick()
    assert bench.requests() == ONE_REQUEST
    assert list(bench.places()) == ["中.txt"]


def test_an_upload_with_an_old_date_is_found(drive: DriveEmulator, bench: DriveBench) -> None:
    settled(bench)
    drive.add_file("古い.txt", "十年前の文書", bench.target, modified=datetime(2016, 1, 1, tzinfo=UTC))
    bench.tick()
    assert list(bench.places()) == ["古い.txt"]


def test_a_new_permission_reads_nothing_again(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("a.txt", "本文", bench.target)
    document = drive.add_document("議事録", "# 議事\n\n本文", bench.target)
    settled(bench)
    for changed in (file, document):
        drive.set_permission(changed, "reader")
    bench.tick()
    assert bench.requests() == ONE_REQUEST


def test_a_renamed_file_is_not_read_again(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("旧.txt", "本文", bench.target)
    settled(bench)
    drive.rename(file, "新.txt")
    bench.tick()
    assert bench.requests() == ONE_REQUEST
    assert list(bench.places()) == ["新.txt"]


# Trash, deletion, permission


@pytest.mark.parametrize("announce", ["item", "subtree"])
def test_a_trashed_folder_takes_its_files_along_and_brings_them_back(
    drive: DriveEmulator, bench: DriveBench, announce: Announce
) -> None:
    folder = drive.add_folder("案件", bench.target)
    deep = drive.add_folder("資料", folder)
    drive.add_file("深い.txt", "深い所の文書", deep)
    drive.add_file("残る.txt", "残る文書", bench.target)
    settled(bench)
    drive.trash(folder, announce)
    bench.tick()
    assert bench.places() == {"残る.txt": "共有"}
    assert bench.count("folder_tree") == 1
    drive.untrash(folder, announce)
    bench.tick()
    assert bench.places() == {"残る.txt": "共有", "深い.txt": "共有/案件/資料"}


def test_a_trashed_file_goes_and_comes_back(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("a.txt", "本文", bench.target)
    drive.add_file("b.txt", "別の本文", bench.target)
    settled(bench)
    drive.trash(file)
    bench.tick()
    assert list(bench.places()) == ["b.txt"]
    drive.untrash(file)
    bench.tick()
    assert set(bench.places()) == {"a.txt", "b.txt"}


def test_a_file_that_comes_back_before_it_is_purged_stays(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("a.txt", "本文", bench.target)
    settled(bench)
    drive.trash(file)
    bench.look()
    drive.untrash(file)
    assert bench.tick().plan.gone == ()
    assert list(bench.places()) == ["a.txt"]


def test_deleted_files_and_folders_are_forgotten(drive: DriveEmulator, bench: DriveBench) -> None:
    folder = drive.add_folder("案件", bench.target)
    drive.add_file("中.txt", "中の文書", folder)
    file = drive.add_file("外.txt", "外の文書", bench.target)
    drive.add_file("残る.txt", "残る文書", bench.target)
    settled(bench)
    drive.delete(folder)
    drive.delete(file)
    bench.tick()
    assert list(bench.places()) == ["残る.txt"]
    assert bench.count("file_state") == 1


def test_lost_permission_prunes_and_returned_permission_restores(drive: DriveEmulator, bench: DriveBench) -> None:
    folder = drive.add_folder("機密", bench.target)
    drive.add_file("機密.txt", "機密の文書", folder)
    file = drive.add_file("個別.txt", "個別に共有された文書", bench.target)
    drive.add_file("残る.txt", "残る文書", bench.target)
    settled(bench)
    drive.revoke(folder)
    drive.revoke(file)
    bench.tick()
    assert list(bench.places()) == ["残る.txt"]
    drive.set_permission(folder, None)
    drive.set_permission(file, None)
    bench.tick()
    assert set(bench.places()) == {"機密.txt", "個別.txt", "残る.txt"}


def test_a_file_whose_content_may_no_longer_be_read_leaves_the_index_and_comes_back_for_nothing(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    file = drive.add_file("機密.txt", "機密の文書", bench.target)
    drive.add_file("残る.txt", "残る文書", bench.target)
    settled(bench)
    paid = bench.chat_model.answers
    drive.forbid_download(file)
    bench.tick()
    assert list(bench.places()) == ["残る.txt"]
    assert bench.count("file_chunk") == bench.count("embedding_code", "ordinal >= 0") == 1
    known = all_known(bench.registry)[file]
    assert (known.state, known.reason) == ("no_access", "no-access")
    bench.tick()
    assert all_known(bench.registry)[file].state == "no_access", "it is not forgotten either"
    drive.allow_download(file)
    bench.tick()
    assert set(bench.places()) == {"機密.txt", "残る.txt"}
    assert bench.chat_model.answers == paid


def test_an_edit_whose_content_is_refused_takes_the_former_text_out(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("機密.txt", "機密の文書", bench.target)
    settled(bench)
    drive.write(file, "新しい機密の文書")
    drive.flag_as_abusive(file)  # the metadata say nothing of it
    bench.tick()
    assert bench.count("drive_file_index") == bench.count("file_chunk") == 0
    assert all_known(bench.registry)[file].state == "no_access"


# Moves and names of folders


def test_files_and_folders_that_move_out_and_in(drive: DriveEmulator, bench: DriveBench) -> None:
    elsewhere = drive.add_folder("よそ")
    outgoing, incoming = drive.add_folder("出る", bench.target), drive.add_folder("入る", elsewhere)
    drive.add_file("出る.txt", "出て行く文書", drive.add_folder("下", outgoing))
    drive.add_file("入る.txt", "入って来る文書", drive.add_folder("下", incoming))
    file = drive.add_file("一枚.txt", "一枚だけ出る文書", bench.target)
    drive.add_file("残る.txt", "残る文書", bench.target)
    settled(bench)
    drive.move(outgoing, elsewhere)
    drive.move(incoming, bench.target)
    drive.move(file, elsewhere)
    bench.tick()
    assert bench.places() == {"残る.txt": "共有", "入る.txt": "共有/入る/下"}


def test_a_renamed_parent_renames_the_paths_below_without_a_request(drive: DriveEmulator, bench: DriveBench) -> None:
    folder = drive.add_folder("旧名", bench.target)
    deep = drive.add_folder("下", folder)
    drive.add_file("a.txt", "本文", deep)
    drive.add_document("議事録", "# 議事\n\n決まったこと", folder)
    settled(bench)
    answers = bench.chat_model.answers
    drive.rename(folder, "新/名")
    bench.tick()
    assert bench.places() == {"a.txt": "共有/新／名/下", "議事録": "共有/新／名"}
    assert bench.requests() == ONE_REQUEST
    assert bench.chat_model.answers == answers


def test_a_folder_that_moves_within_the_target_takes_its_files_along(drive: DriveEmulator, bench: DriveBench) -> None:
    year, folder = drive.add_folder("2025", bench.target), drive.add_folder("案件", bench.target)
    drive.add_file("a.txt", "本文", folder)
    settled(bench)
    drive.move(folder, year)
    bench.tick()
    assert bench.places() == {"a.txt": "共有/2025/案件"}
    assert bench.requests() == ONE_REQUEST


def test_a_renamed_target_folder_renames_every_path(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.add_file("a.txt", "本文", drive.add_folder("下", bench.target))
    settled(bench)
    drive.rename(bench.target, "全社")
    bench.tick()
    assert bench.places() == {"a.txt": "全社/下"}


def test_a_folder_created_and_filled_between_ticks(drive: DriveEmulator, bench: DriveBench) -> None:
    settled(bench)
    folder = drive.add_folder("新設", bench.target)
    for number in range(3):
        drive.add_file(f"{number}.txt", f"文書{number}", drive.add_folder(f"下{number}", folder))
    bench.tick()
    assert bench.places() == {f"{number}.txt": f"共有/新設/下{number}" for number in range(3)}


def test_a_known_folder_that_moves_into_a_new_one(drive: DriveEmulator, bench: DriveBench) -> None:
    known = drive.add_folder("既知", bench.target)
    drive.add_file("a.txt", "本文", drive.add_folder("下", known))
    settled(bench)
    new = drive.add_folder("新設", bench.target)
    drive.move(known, new)
    bench.tick()
    assert bench.places() == {"a.txt": "共有/新設/既知/下"}


def test_everything_at_once(drive: DriveEmulator, bench: DriveBench) -> None:
    folders = [drive.add_folder(f"部{number}", bench.target) for number in range(4)]
    files = [drive.add_file(f"{number}.txt", f"文書{number}", folders[number % 4]) for number in range(12)]
    elsewhere = drive.add_folder("よそ")
    settled(bench)
    drive.move(folders[0], folders[1])
    drive.rename(folders[1], "改")
    drive.move(folders[2], elsewhere)
    drive.move(files[2], folders[0])
    drive.trash(folders[3])
    drive.move(files[7], bench.target)
    drive.write(files[4], "書き直した文書")
    bench.tick()
    assert bench.places() == {
        "0.txt": "共有/改/部0",
        "1.txt": "共有/改",
        "2.txt": "共有/改/部0",
        "4.txt": "共有/改/部0",
        "5.txt": "共有/改",
        "7.txt": "共有",
        "8.txt": "共有/改/部0",
        "9.txt": "共有/改",
    }


# Shortcuts, two targets, shared drives


def test_a_shortcut_to_a_folder_brings_its_files_into_scope(drive: DriveEmulator, bench: DriveBench) -> None:
    elsewhere = drive.add_folder("よそ")
    outside = drive.add_folder("資料庫", elsewhere)
    deep = drive.add_file("深い.txt", "外にある文書", drive.add_folder("下", outside))
    holder = drive.add_folder("近道置き場", bench.target)
    settled(bench)
    shortcut = drive.add_shortcut("近道", outside, holder)
    bench.tick()
    assert bench.places() == {"深い.txt": "共有/近道置き場/資料庫/下"}
    drive.write(deep, "外で書き直した文書")
    drive.rename(holder, "棚")
    bench.tick()
    assert bench.places() == {"深い.txt": "共有/棚/資料庫/下"}
    assert bench.count("file_chunk", "text LIKE '%書き直した%'") == 1
    drive.add_file("残る.txt", "残る文書", bench.target)
    drive.trash(shortcut)
    bench.tick()
    assert bench.places() == {"残る.txt": "共有"}


def test_a_shortcut_to_a_file_follows_the_file(drive: DriveEmulator, bench: DriveBench) -> None:
    elsewhere = drive.add_folder("よそ")
    outside = drive.add_file("外.txt", "外にある文書", elsewhere)
    inside = drive.add_file("中.txt", "中にある文書", bench.target)
    holder = drive.add_folder("近道置き場", bench.target)
    drive.add_shortcut("中への近道", inside, holder)
    shortcut = drive.add_shortcut("外への近道", outside, holder)
    settled(bench)
    assert bench.places() == {"外.txt": "共有/近道置き場", "中.txt": "共有"}
    drive.write(outside, "外で書き直した文書")
    drive.rename(holder, "棚")
    bench.tick()
    assert bench.places() == {"外.txt": "共有/棚", "中.txt": "共有"}
    assert bench.count("file_chunk", "text LIKE '%書き直した%'") == 1
    drive.delete(shortcut)
    bench.tick()
    assert list(bench.places()) == ["中.txt"]


def test_shortcuts_in_a_circle_end(drive: DriveEmulator, bench: DriveBench) -> None:
    first, second = drive.add_folder("一", bench.target), drive.add_folder("二")
    drive.add_file("a.txt", "本文", second)
    drive.add_shortcut("二へ", second, first)
    drive.add_shortcut("一へ", first, second)
    drive.add_shortcut("上へ", bench.target, second)
    settled(bench)
    assert bench.places() == {"a.txt": "共有/一/二"}
    drive.rename(second, "弐")
    bench.tick()
    assert bench.places() == {"a.txt": "共有/一/弐"}


def test_a_file_in_two_target_folders_is_indexed_once_and_stays_until_it_left_both(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    other = drive.add_folder("別")
    bench.crawl_folders(bench.target, other)
    file = drive.add_file("両方.txt", "両方にある文書", bench.target)
    drive.add_file("残る.txt", "残る文書", other)
    drive.add_parent(file, other)
    settled(bench)
    assert bench.places() == {"両方.txt": "共有", "残る.txt": "別"}
    drive.move(file, other)
    bench.tick()
    assert bench.places() == {"両方.txt": "別", "残る.txt": "別"}
    drive.move(file, drive.add_folder("よそ"))
    bench.tick()
    assert list(bench.places()) == ["残る.txt"]


def test_a_target_folder_inside_another_one_is_crawled_once(drive: DriveEmulator, bench: DriveBench) -> None:
    inner = drive.add_folder("内", bench.target)
    drive.add_file("a.txt", "本文", inner)
    bench.crawl_folders(bench.target, inner)
    settled(bench)
    assert bench.places() == {"a.txt": "内"}
    drive.rename(bench.target, "外")
    bench.tick()
    assert bench.places() == {"a.txt": "内"}


def test_my_drive_and_a_shared_drive_cost_one_request_each(drive: DriveEmulator, bench: DriveBench) -> None:
    shared = drive.add_shared_drive("営業本部")
    file = drive.add_file("共有.txt", "共有ドライブの文書", drive.add_folder("下", shared))
    drive.add_file("自分.txt", "マイドライブの文書", bench.target)
    bench.crawl_folders(bench.target, shared)
    settled(bench)
    assert bench.places() == {"共有.txt": "営業本部/下", "自分.txt": "共有"}
    bench.tick()
    assert bench.requests() == {"changes.list": 2}
    drive.move(file, bench.target)
    bench.tick()
    assert bench.places() == {"共有.txt": "共有", "自分.txt": "共有"}


def test_a_shortcut_into_another_shared_drive_is_followed_from_then_on(drive: DriveEmulator, bench: DriveBench) -> None:
    shared = drive.add_shared_drive("営業本部")
    folder = drive.add_folder("下", shared)
    file = drive.add_file("共有.txt", "共有ドライブの文書", folder)
    settled(bench)
    drive.add_shortcut("近道", folder, bench.target)
    bench.tick()
    assert bench.places() == {"共有.txt": "共有/下"}
    drive.rename(file, "改.txt")
    bench.tick()
    assert bench.places() == {"改.txt": "共有/下"}


# Cursors


def test_an_edit_during_the_sweep_is_seen_by_the_next_tick(drive: DriveEmulator, bench: DriveBench) -> None:
    folder = drive.add_folder("下", bench.target)
    file = drive.add_file("a.txt", "初版", folder)
    sweep = bench.source.sweep()
    files = sweep.files()
    seen = [next(files)]
    drive.write(file, "一覧の途中で改訂された版")
    drive.add_file("b.txt", "一覧の途中で加わった文書", bench.target)
    seen += files
    bench.registry.record_listing(seen, bench.clock.now())
    bench.feed_log.save(*sweep.ending(), full_at=bench.clock.now())
    bench.tick()
    assert set(bench.places()) == {"a.txt", "b.txt"}
    assert bench.count("file_chunk", "text LIKE '%途中で改訂%'") == 1


@pytest.mark.parametrize("status", [400, 410])
def test_a_refused_cursor_means_a_full_listing(drive: DriveEmulator, bench: DriveBench, status: int) -> None:
    files = [drive.add_file(f"{name}.txt", f"文書{name}", bench.target) for name in "ab"]
    settled(bench)
    drive.delete(files[0])
    drive.add_file("c.txt", "文書c", bench.target)
    drive.expire_change_tokens(status)
    bench.tick()
    assert set(bench.places()) == {"b.txt", "c.txt"}
    assert bench.requests()["files.list"] == 1
    bench.tick()
    assert bench.requests() == ONE_REQUEST


@pytest.mark.parametrize("fault", ["lostPageToken", "expiredPageToken"])
def test_page_tokens_lost_in_the_middle_lose_no_file(drive: DriveEmulator, bench: DriveBench, fault: Fault) -> None:
    drive.add_synthetic(25, bench.target)
    drive.set_faults(FaultRule(faults=(fault,), method="files.list", first=1))
    bench.crawl_folders(bench.target, page_size=10)
    settled(bench)
    assert len(bench.places()) == 25
    drive.add_file("新しい.txt", "あとから来た文書", bench.target)
    drive.set_faults(FaultRule(faults=(fault,), method="changes.list", first=1))
    bench.tick()
    assert len(bench.places()) == 26


def test_files_that_answered_404_once_are_searched_in_the_end(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.add_synthetic(12, bench.target)
    drive.set_faults(FaultRule(faults=("404",), method="files.media", every=3, first=12))
    settled(bench)
    assert len(bench.places()) < 12
    drive.set_faults()
    for _ in range(2):
        bench.wait_for_reconciliation()
        bench.tick()
    assert len(bench.places()) == 12


def test_other_target_folders_mean_a_full_listing(drive: DriveEmulator, drive_bench: DriveBench) -> None:
    bench = drive_bench
    drive.add_file("旧.txt", "旧い文書", bench.target)
    settled(bench)
    other = drive.add_folder("別")
    drive.add_file("新.txt", "新しい文書", other)
    bench.crawl_folders(other)
    bench.tick()
    assert bench.places() == {"旧.txt": "共有", "新.txt": "別"}, "a listing speaks for its own roots alone"


def test_everything_is_listed_again_once_in_a_while(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.add_file("a.txt", "本文", bench.target)
    settled(bench)
    bench.wait_for_reconciliation()
    bench.tick()
    assert bench.requests() == {"files.get": 1, "changes.getStartPageToken": 1, "files.list": 1}


def test_many_changes_come_in_pages_and_a_tick_out_of_time_goes_on_where_it_stopped(
    drive: DriveEmulator, bench: DriveBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locator_search.adapters.google_drive.client.LARGEST_PAGE", 3)
    settled(bench)
    for number in range(8):
        drive.add_file(f"{number}.txt", f"文書{number}", bench.target)
    position = bench.feed_log.position()
    assert position is not None
    seen: list[str] = []
    reads = 0
    while True:
        changes = bench.source.changes_since(position.cursor, out_of_time=lambda: True)
        seen += [file.file_name for file in changes.changed]
        position, reads = changes.position, reads + 1
        if changes.complete:
            break
    assert sorted(seen) == [f"{number}.txt" for number in range(8)]
    assert reads == 3
    bench.tick()
    assert bench.requests()["changes.list"] == 6


def test_a_crawl_that_dies_after_looking_loses_nothing(drive: DriveEmulator, bench: DriveBench) -> None:
    file = drive.add_file("a.txt", "本文", bench.target)
    gone = drive.add_file("b.txt", "消える文書", bench.target)
    settled(bench)
    drive.write(file, "改訂した本文")
    drive.delete(gone)
    bench.look()
    bench.tick()
    assert list(bench.places()) == ["a.txt"]
    assert bench.count("file_chunk", "text LIKE '%改訂した%'") == 1


def test_a_failed_file_waits_for_its_time_and_is_then_found_due(drive: DriveEmulator, bench: DriveBench) -> None:
    from locator_search.core.errors import ModelUnavailable

    def unavailable() -> None:
        raise ModelUnavailable("The model does not answer.")

    drive.add_file("a.txt", "本文", bench.target)
    bench.chat_model.before = unavailable
    bench.tick()
    bench.chat_model.before = lambda: None
    assert bench.tick().plan.to_index == ()
    bench.wait(minutes=2)
    bench.tick()
    assert list(bench.places()) == ["a.txt"]


# Target folders that cannot be crawled


@pytest.mark.parametrize("what", ["trashed", "revoked", "deleted"])
def test_a_lost_target_folder_is_named_and_nothing_is_deleted(
    drive: DriveEmulator, drive_bench: DriveBench, what: str
) -> None:
    bench = drive_bench
    drive.add_file("a.txt", "本文", bench.target)
    settled(bench)
    {"trashed": drive.trash, "revoked": drive.revoke, "deleted": drive.delete}[what](bench.target)
    for _ in range(2):
        error = bench.tick_that_fails()
        assert isinstance(error, SourceError)
        assert bench.target in error.message
    assert list(bench.places()) == ["a.txt"]


def test_leaving_a_shared_drive_is_named_and_deletes_nothing(drive: DriveEmulator, drive_bench: DriveBench) -> None:
    bench = drive_bench
    shared = drive.add_shared_drive("営業本部")
    drive.add_file("共有.txt", "共有ドライブの文書", shared)
    bench.crawl_folders(bench.target, shared)
    settled(bench)
    drive.set_membership(shared, "none")
    drive.add_file("後.txt", "もう一つの文書", bench.target)
    bench.tick()
    assert set(bench.places()) == {"共有.txt", "後.txt"}, "the other target folder goes on"
    [warning] = bench.root_warnings()
    assert (warning.kind, warning.root.handle) == ("unreachable", shared)
    drive.set_membership(shared, "reader")
    bench.wait(hours=1)
    bench.tick()
    assert bench.root_warnings() == ()
    assert bench.agrees_with_a_full_listing()


def test_a_folder_shared_out_of_a_drive_we_are_no_member_of_is_crawled_and_followed(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    strange = drive.add_shared_drive("他部署", role="none")
    shared, linked = drive.add_folder("共有された", strange), drive.add_folder("近道の先", strange)
    for folder in (shared, linked):
        drive.set_permission(folder, "reader")
    file = drive.add_file("a.txt", "本文", drive.add_folder("下", shared))
    drive.add_file("b.txt", "別の本文", linked)
    drive.add_shortcut("近道", linked, bench.target)
    bench.crawl_folders(bench.target, shared)
    settled(bench)
    assert bench.places() == {"a.txt": "共有された/下", "b.txt": "共有/近道の先"}
    drive.write(file, "改訂した本文")
    drive.rename(linked, "改名")
    bench.tick()
    assert bench.requests() == {"changes.list": 1, "files.media": 1}
    assert bench.places() == {"a.txt": "共有された/下", "b.txt": "共有/改名"}


def test_a_folder_that_cannot_be_listed_keeps_its_files_and_what_lies_below(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    folder = drive.add_folder("部", bench.target)
    drive.add_file("a.txt", "文書", folder)
    drive.add_file("b.txt", "下の文書", drive.add_folder("課", folder))
    settled(bench)
    drive.set_faults(FaultRule(faults=("insufficientFilePermissions",), method="files.list", every=2))
    bench.wait_for_reconciliation()
    bench.tick()
    assert bench.places() == {"a.txt": "共有/部", "b.txt": "共有/部/課"}
    [warning] = bench.root_warnings()
    assert (warning.kind, warning.detail) == ("folders", "共有/部")
    drive.set_faults()
    bench.wait(hours=1)
    bench.tick()
    assert bench.root_warnings() == ()


def test_more_than_half_that_the_changes_report_as_gone_is_kept_until_it_is_seen_again(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    folder = drive.add_folder("部", bench.target)
    drive.add_synthetic(25, folder)
    drive.add_file("a.txt", "文書", bench.target)
    settled(bench)
    drive.revoke(folder)
    for _ in range(3):
        assert bench.tick().plan.gone == ()
    assert bench.count("drive_file_index") == 26
    [warning] = bench.root_warnings()
    assert (warning.kind, warning.count) == ("missing", 25)
    bench.wait_for_reconciliation()
    assert len(bench.tick().plan.gone) == 25, "a full listing, more than an hour later, says the same"
    assert bench.root_warnings() == ()
