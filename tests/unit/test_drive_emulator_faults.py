"""Each fault as the real client meets it, which rule hits which request, and what the request log says."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from googleapiclient.errors import HttpError

from locator_search.core.errors import ConfigurationError
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule, read_plan
from locator_search.dev.drive_emulator.faults import Faults, ReasonFault
from locator_search.locales.said import error_in_words
from tests.fakes.google_client import connect, reason_of


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


def rule(fault: Any, **how: Any) -> FaultRule:
    return FaultRule(faults=(fault,), **how)


def refusal(request: Any) -> HttpError:
    with pytest.raises(HttpError) as caught:
        request.execute()
    return caught.value


def test_429_may_say_when_to_come_back(drive: DriveEmulator) -> None:
    request = connect(drive).files().list()
    drive.set_faults(rule("429", method="files.*"))
    assert "retry-after" not in refusal(request).resp
    drive.set_faults(rule("429", method="files.*", retry_after=7))
    error = refusal(request)
    assert (error.status_code, error.resp["retry-after"], reason_of(error)) == (429, "7", "rateLimitExceeded")


@pytest.mark.parametrize("status", ["500", "502", "503", "504"])
def test_server_errors_have_googles_shape(drive: DriveEmulator, status: Any) -> None:
    drive.set_faults(rule(status, method="files.list"))
    error = refusal(connect(drive).files().list())
    assert error.status_code == int(status)
    assert {"domain", "reason", "message"} <= error.error_details[0].keys()


@pytest.mark.parametrize("reason", get_args(ReasonFault))
def test_every_403_has_its_reason(drive: DriveEmulator, reason: Any) -> None:
    drive.set_faults(rule(reason, method="files.list"))
    error = refusal(connect(drive).files().list())
    assert (error.status_code, reason_of(error)) == (403, reason)


def test_the_clients_own_retries_know_the_rate_reasons(drive: DriveEmulator) -> None:
    drive.set_faults(rule("userRateLimitExceeded", method="files.list", first=1))
    assert connect(drive).files().list().execute(num_retries=1)["files"] == []
    assert [request.status for request in drive.requests if request.method == "files.list"] == [403, 200]


def test_a_connection_reset_before_the_answer_reaches_the_caller(drive: DriveEmulator) -> None:
    service = connect(drive)
    drive.set_faults(rule("reset_before_headers", method="files.list"))
    with pytest.raises(OSError, match="reset"):
        service.files().list().execute()
    assert drive.requests[-1].status == 0


def test_a_connection_reset_after_the_headers_reaches_the_caller(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.bin", b"x" * 100_000)
    drive.set_faults(rule("reset_after_headers", method="files.media"))
    with pytest.raises((OSError, http.client.HTTPException)):
        connect(drive).files().get_media(fileId=file_id).execute()


def test_a_truncated_body_is_an_incomplete_read(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.bin", b"x" * 1000)
    drive.set_faults(rule("truncated_body", method="files.media"))
    with pytest.raises(http.client.IncompleteRead) as caught:
        connect(drive).files().get_media(fileId=file_id).execute()
    assert len(caught.value.partial) == 500


def test_a_proxys_page_comes_back_as_a_string(drive: DriveEmulator) -> None:
    drive.set_faults(rule("html", method="files.list"))
    answer = connect(drive).files().list().execute()
    assert isinstance(answer, str)
    assert "sign in" in answer.lower()


def test_a_slow_answer_is_right_and_late(drive: DriveEmulator) -> None:
    service = connect(drive)
    service.files().list().execute()
    drive.set_faults(rule("slow", seconds=0.2))
    began = time.monotonic()
    assert service.files().list().execute()["files"] == []
    assert time.monotonic() - began >= 0.2


def test_rules_choose_requests_by_method_path_and_file(drive: DriveEmulator) -> None:
    good, bad = drive.add_file("good.txt", "x"), drive.add_file("bad.txt", "x")
    drive.set_faults(rule("cannotDownloadFile", method="files.media", file_id=bad), rule("500", path="*/about"))
    service = connect(drive)
    assert service.files().get_media(fileId=good).execute() == b"x"
    assert reason_of(refusal(service.files().get_media(fileId=bad))) == "cannotDownloadFile"
    assert service.files().get(fileId=bad).execute()["name"] == "bad.txt"
    assert refusal(service.about().get(fields="user")).status_code == 500


def hits(faults: Faults, requests: int) -> list[str | None]:
    drawn = [faults.hits("files.list", "/drive/v3/files", None) for _ in range(requests)]
    return [found[0].fault if found else None for found in drawn]


def test_every_nth_and_the_first_n_requests_can_be_hit() -> None:
    assert hits(Faults((rule("500", every=3),)), 6) == [None, None, "500", None, None, "500"]
    assert hits(Faults((rule("500", first=2),)), 4) == ["500", "500", None, None]


def test_chance_is_the_same_for_the_same_seed() -> None:
    rules = (FaultRule(faults=("429", "503", "reset_before_headers"), probability=0.1),)
    first = hits(Faults(rules, seed=7), 2000)
    assert first == hits(Faults(rules, seed=7), 2000)
    assert first != hits(Faults(rules, seed=8), 2000)
    assert 150 < len([fault for fault in first if fault]) < 250
    assert set(first) == {None, "429", "503", "reset_before_headers"}


def test_a_plan_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    path.write_text('{"seed": 7, "rules": [{"faults": ["429", "slow"], "probability": 0.1, "retry_after": 1}]}')
    plan = read_plan(path)
    assert (plan.seed, plan.rules) == (7, (FaultRule(faults=("429", "slow"), probability=0.1, retry_after=1),))


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"rules": [{"faults": ["418"]}]}', '{"rules": [{"faults": []}]}', '{"rules": [{"fault": "429"}]}'],
)
def test_a_wrong_plan_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "faults.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"The fault file .* is wrong: "):
        read_plan(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_plan(tmp_path / "nothing.json")


def test_files_can_be_lost_and_only_requests_for_files_are(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "本文")
    drive.set_faults(rule("404"))
    assert len(connect(drive).files().list().execute()["files"]) == 1
    error = refusal(connect(drive).files().get(fileId=file_id))
    assert (error.resp.status, reason_of(error)) == (404, "notFound")
    assert file_id in str(error)


@pytest.mark.parametrize(
    ("fault", "status", "reason"), [("lostPageToken", 400, "invalid"), ("expiredPageToken", 410, "gone")]
)
def test_page_tokens_can_be_lost_and_only_requests_with_one_are_hit(
    drive: DriveEmulator, fault: str, status: int, reason: str
) -> None:
    for number in range(3):
        drive.add_file(f"{number}.txt", "本文")
    drive.set_faults(rule(fault, first=2))
    page = connect(drive).files().list(pageSize=2, fields="nextPageToken").execute()
    error = refusal(connect(drive).files().list(pageSize=2, pageToken=page["nextPageToken"]))
    assert (error.resp.status, reason_of(error)) == (status, reason)
    start = connect(drive).changes().getStartPageToken().execute()["startPageToken"]
    assert refusal(connect(drive).changes().list(pageToken=start)).resp.status == status
    assert connect(drive).changes().list(pageToken=start).execute()["changes"] == []


@pytest.mark.parametrize("text", ["x", '{"rules": [{"faults": ["418"]}]}', '{"rules": [{"faults": []}]}'])
def test_what_is_wrong_with_a_plan_is_told_in_japanese(tmp_path: Path, text: str) -> None:
    path = tmp_path / "faults.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_plan(path)
    words, hint = error_in_words(caught.value, "ja")
    assert not re.search(r"[A-Za-z]{2,} [a-z]{2,}", words.replace(str(path), ""))
    assert hint.startswith("障害の名前: 429") or not hint
    with pytest.raises(ConfigurationError) as caught:
        read_plan(tmp_path / "nothing.json")
    assert error_in_words(caught.value, "ja")[0].endswith("を読めません（見つかりません）。")


def test_a_folder_or_port_that_cannot_be_served_is_told_in_japanese(tmp_path: Path, drive: DriveEmulator) -> None:
    with pytest.raises(ConfigurationError) as caught:
        DriveEmulator(tmp_path / "nothing")
    assert error_in_words(caught.value, "ja")[1] == "公開するフォルダーを指定してください。"
    with pytest.raises(ConfigurationError) as caught:
        DriveEmulator(port=int(drive.origin.rpartition(":")[2]))
    assert "を使えません" in error_in_words(caught.value, "ja")[0]


def test_the_log_counts_requests_in_flight(drive: DriveEmulator) -> None:
    for seconds in (0.2, 2, 20):  # until all four came in time, however slow the machine
        drive.clear_requests()
        drive.set_faults(rule("slow", method="files.list", seconds=seconds))
        threads = [threading.Thread(target=lambda: connect(drive).files().list().execute()) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if drive.most_in_flight == 4:
            break
    assert drive.most_in_flight == 4
    assert drive.request_counts() == {"files.list": 4, "oauth.token": 4}


def test_a_client_that_asks_one_after_another_is_never_counted_twice(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.bin", b"x" * 3_000_000)
    files = connect(drive).files()
    for _ in range(30):
        files.list().execute()
        files.get_media(fileId=file_id).execute()
    assert drive.most_in_flight == 1


def test_the_log_tells_what_was_asked_and_keeps_no_secret(drive: DriveEmulator) -> None:
    before = time.time()
    connect(drive).files().list(pageSize=5).execute()
    token, listing = drive.requests
    assert (token.method, listing.method, listing.path) == ("oauth.token", "files.list", "/drive/v3/files")
    assert (listing.parameters["pageSize"], listing.status, listing.faults) == ("5", 200, ())
    assert before <= listing.at
    assert listing.started <= listing.ended
    assert drive.oauth.refresh_token is not None
    assert drive.oauth.refresh_token not in repr(drive.requests)
    drive.clear_requests()
    assert drive.requests == []
