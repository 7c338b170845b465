"""Secrets do not leave: by value as whole words, in the forms they travel in, and by shape."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from locator_search.config.settings import Settings, load_settings
from locator_search.core.errors import ServiceRefused, StoreUnavailable
from locator_search.core.masking import mask


@pytest.mark.parametrize("password", ["app", "db", "up", "search", "x"])
def test_a_password_that_is_a_word_does_not_eat_other_words(password: str) -> None:
    Settings(_env_file=None, database_url=f"postgresql://me:{password}@db.example/locator")
    said = "Run `document-locator db apply`; searching up to xx of the application's databases."
    assert mask(said) == said
    shown = mask(f"no connection to postgresql://me:{password}@db.example/locator (password={password})")
    assert f":{password}@" not in shown
    assert f"={password}" not in shown


def test_a_known_secret_goes_in_every_form_it_travels_in() -> None:
    secret = 'pa/ss "wörd" +1&x'
    mask.remember([secret])
    forms = [secret, quote(secret), quote(secret, safe=""), base64.b64encode(secret.encode()).decode()]
    shown = mask(" | ".join(forms))
    assert shown.replace("=", "") == "*** | *** | *** | ***"


def test_one_secret_that_is_part_of_another_leaves_nothing_of_it() -> None:
    mask.remember(["hunter2-abc", "hunter2-abc-and-more"])
    assert mask("hunter2-abc-and-more, hunter2-abc") == "***, ***"


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("invalid key sk-proj-Abc123_def456", "Abc123"),
        ("xoxp-123456-abcdef was refused", "123456"),
        ("ghp_abcdefghij0123456789 is bad", "abcdefghij"),
        ("github_pat_11ABCDEFG0abcdefghij is bad", "11ABCDEFG0"),
        ("ya29.a0AfH6SMBxyz_123 expired", "a0AfH6"),
        ("refresh token 1//0gabcdefghijkl", "0gabcdefghijkl"),
        ("key AIzaSyA-abcdefghijklmnopqrstuvw", "SyA-abc"),
        ("Authorization: Bearer abcdefgh", "abcdefgh"),
        ("{'Authorization': 'Basic dXNlcjpwYXNz'}", "dXNlcjpwYXNz"),
        ("sent Bearer s3cr3t-t0ken to it", "s3cr3t"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "c2lnbmF0dXJl"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY----- x", "MIIEow"),
        ("host=h user=u password=hunter port=5", "hunter"),
        ("GET https://api.example/v1?access_token=abc&x=1", "abc&"),
        ("https://storage.example/f?X-Goog-Signature=0a1b&x=1", "0a1b"),
        ("redis://:hunter@cache:6379/0", "hunter"),
        ("https://x-access-token:hunter@github.com/o/r", "hunter"),
        ("https://abcdefghij0123456789abcd@github.com/o/r", "abcdefghij"),
        ('{"api_key": "abc", "n": 1}', '"abc"'),
        ("password: hunter2!", "hunter2"),
        ("X-Api-Key: abcdef", "abcdef"),
        ("Set-Cookie: sid=abc; Path=/", "sid=abc"),
    ],
)
def test_what_has_the_shape_of_a_secret_is_blotted_out(said: str, secret: str) -> None:
    shown = mask(said)
    assert secret not in shown
    assert "***" in shown


@pytest.mark.parametrize(
    "said",
    [
        "Run `document-locator db apply` first.",
        "The token is refused. Check OPENAI_API_KEY, or leave it blank.",
        "partly set credentials, missing: GOOGLE_CLIENT_SECRET",
        "Settings are wrong: X_BEARER_TOKEN: Input should be a valid string.",
        "400 tokens of max_tokens: 800; risk-assessment-2026-report-final.docx",
        "Bearer authentication is needed; basic authentication is not.",
        'password authentication failed for user "me"',
        "https://docs.google.com/document/d/1AbCdEf/edit#heading=h.1 by taro@hokuto.co.jp",
        "http://127.0.0.1:8501/live?ask=a@b",
        "killed: quarantined after 3 tries at 12:30",
    ],
)
def test_ordinary_sentences_stay(said: str) -> None:
    assert mask(said) == said


def test_every_error_of_ours_is_masked_whoever_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "local-key-0815")
    load_settings()
    error = StoreUnavailable("The server said: local-key-0815 is no password.", hint="Not xoxp-123456-abcdef either.")
    assert (error.message, str(error)) == ("The server said: *** is no password.",) * 2
    assert error.hint == "Not *** either."
    assert error.__notes__ == [error.hint]
    refused = ServiceRefused("error", said="Bearer abc.def-123 is not known")
    assert refused.fault.said() == refused.message == "It answered with an error: Bearer *** is not known"
