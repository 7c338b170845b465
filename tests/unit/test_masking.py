"""Secrets do not leave: by value as whole words, in the forms they travel in, and by shape."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from locator_search.config.settings import Settings, load_settings
from locator_search.core.errors import ServiceRefused, StoreUnavailable
from locator_search.core.masking import Masker, mask
from locator_search.locales.service_faults import fault_sentence


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
    refused = ServiceRefused("error", detail="Bearer abc.def-123 is not known")
    assert fault_sentence(refused.fault, "en") == "It answered with an error: Bearer *** is not known"


def masker(*secrets: str) -> Masker:
    made = Masker()
    for secret in secrets:
        made.remember([secret, None, ""])
    return made


def test_nothing_is_masked_by_value_before_a_secret_is_known() -> None:
    assert masker()("opensesame-1") == "opensesame-1"


def test_secrets_told_one_after_the_other_are_all_known() -> None:
    assert masker("first-secret-1", "second-secret-2")("first-secret-1, second-secret-2") == "***, ***"


@pytest.mark.parametrize(
    ("secret", "known"),
    [("abcdefgh", True), ("abcdefg", False), ("ab1d", True), ("ab1", False), ("1", False)],
)
def test_what_could_be_a_word_or_a_number_is_no_secret_by_value(secret: str, known: bool) -> None:
    assert (masker(secret)(f"so {secret} it is") == "so *** it is") is known


@pytest.mark.parametrize("written", ["hunter%2022", "hunter 22"])
def test_the_password_of_an_address_is_known_as_it_is_written_and_as_it_is_meant(written: str) -> None:
    assert masker("postgresql://me:hunter%2022@db.example/x")(f"no {written}!") == "no ***!"


def test_an_address_that_is_none_is_a_secret_as_a_whole() -> None:
    assert masker("http://[broken-1")("at http://[broken-1") == "at ***"


@pytest.mark.parametrize("secret", ['pa/ss "wörd" +1&x', "a secret 1\udcff"])
def test_a_secret_is_known_in_addresses_json_and_headers(secret: str) -> None:
    odd = "surrogateescape"
    plain = secret.encode("utf-8", odd)
    forms = [
        secret,
        json.dumps(secret)[1:-1],
        quote(secret, errors=odd),
        quote(secret, safe="", errors=odd),
        quote_plus(secret, errors=odd),
        base64.b64encode(plain).decode().rstrip("="),
        base64.urlsafe_b64encode(plain).decode().rstrip("="),
    ]
    assert [masker(secret)(f"<{form}>") for form in forms] == ["<***>"] * len(forms)


def test_a_short_secret_is_not_looked_for_in_base64() -> None:
    short, long = "abc-123", "abcd-123"
    assert masker(short)(base64.b64encode(short.encode()).decode()).startswith("YWJj")
    assert masker(long)(base64.b64encode(long.encode()).decode()).startswith("***")


@pytest.mark.parametrize("around", ["X{}", "x{}", "0{}", "_{}", "{}X", "{}x", "{}0", "{}_"])
def test_a_secret_inside_a_word_is_part_of_that_word_unless_it_is_long(around: str) -> None:
    short, long = "secret-7-secret", "secret-8-secrets"
    assert (len(short), len(long)) == (15, 16)
    assert masker(short)(around.format(short)) == around.format(short)
    assert masker(long)(around.format(long)) == around.format("***")


@pytest.mark.parametrize("around", ["パス{}です", "({})", "a-{}", "{}"])
def test_a_secret_beside_a_word_is_masked(around: str) -> None:
    assert masker("secret-7")(around.format("secret-7")) == around.format("***")


def test_a_secret_that_begins_or_ends_with_a_mark_is_masked_beside_letters() -> None:
    assert masker("-secret-7!")("a-secret-7!b") == "a***b"
