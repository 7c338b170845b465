"""Signing in to the emulated Drive with Google's own libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httplib2
import pytest
from google.auth.exceptions import RefreshError
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from locator_search.dev.drive_emulator import DriveEmulator
from tests.fakes.google_client import connect, reason_of


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


def test_one_token_serves_many_requests(drive: DriveEmulator) -> None:
    files = connect(drive).files()
    for _ in range(3):
        files.list().execute()
    assert drive.request_counts()["oauth.token"] == 1


def test_an_expired_access_token_is_refreshed_by_the_client(drive: DriveEmulator) -> None:
    files = connect(drive).files()
    files.list().execute()
    drive.oauth.expire_access_tokens()
    assert files.list().execute()["files"] == []
    assert [request.status for request in drive.requests] == [200, 200, 401, 200, 200]


def test_a_revoked_refresh_token_is_an_invalid_grant(drive: DriveEmulator) -> None:
    service = connect(drive)
    drive.oauth.revoke()
    with pytest.raises(RefreshError, match="invalid_grant") as caught:
        service.files().list().execute()
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"client_secret": "wrong"}, "invalid_client"),
        ({"refresh_token": "wrong"}, "invalid_grant"),
        ({"scopes": ["https://www.googleapis.com/auth/drive"]}, "invalid_scope"),
    ],
)
def test_wrong_credentials_have_the_error_of_the_token_endpoint(
    drive: DriveEmulator, change: dict[str, Any], error: str
) -> None:
    with pytest.raises(RefreshError, match=error):
        connect(drive, **change).files().list().execute()


def test_nobody_reads_without_a_token(drive: DriveEmulator) -> None:
    service = build("drive", "v3", http=httplib2.Http(), client_options={"api_endpoint": drive.api_endpoint})
    with pytest.raises(HttpError) as caught:
        service.files().list().execute()
    assert (caught.value.status_code, reason_of(caught.value)) == (401, "authError")


def test_a_scope_for_metadata_gives_no_content(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "x")
    drive.oauth.scopes = ("https://www.googleapis.com/auth/drive.metadata.readonly",)
    files = connect(drive).files()
    assert files.get(fileId=file_id).execute()["name"] == "a.txt"
    with pytest.raises(HttpError) as caught:
        files.get_media(fileId=file_id).execute()
    assert (caught.value.status_code, reason_of(caught.value)) == (403, "insufficientPermissions")


def test_consent_gives_a_code_that_is_good_for_one_refresh_token(drive: DriveEmulator) -> None:
    http = httplib2.Http()
    http.follow_redirects = False
    wanted = urlencode({"redirect_uri": "http://localhost:1/back", "state": "s", "response_type": "code"})
    response, _ = http.request(f"{drive.consent_uri}?{wanted}")
    sent_back = urlsplit(response["location"])
    query = parse_qs(sent_back.query)
    assert (response.status, sent_back.netloc, query["state"]) == (302, "localhost:1", ["s"])
    form = {
        "grant_type": "authorization_code",
        "code": query["code"][0],
        "client_id": drive.oauth.client_id,
        "client_secret": drive.oauth.client_secret,
    }
    answers = [http.request(drive.token_uri, "POST", urlencode(form)) for _ in range(2)]
    assert [answer[0].status for answer in answers] == [200, 400]
    assert b"refresh_token" in answers[0][1]


def test_another_site_cannot_reach_the_folder_through_a_browser(drive: DriveEmulator) -> None:
    response, _ = httplib2.Http().request(f"{drive.origin}/file/d/x/view", headers={"Host": "evil.example"})
    assert response.status == 403
