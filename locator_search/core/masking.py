"""Secrets blotted out of whatever leaves the program but is no answer: logs, errors, reasons, runs.

Those that are known are found by value, as whole words and in the forms they travel in; those that are not, a token in
the last words of a server for instance, by shape.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus, unquote, urlsplit

MASK = "***"
SHORTEST = 4
"""Characters of a secret that is looked for by value."""
LONGEST_WORD = 7
"""A secret of letters alone must be longer than this: `app` is a word, too."""
SURE = 16
"""A secret at least this long is blotted out inside words, too: no ordinary word contains it by chance."""

ODD_BYTES = "surrogateescape"
"""How Python decodes variables of the environment that are no valid UTF-8."""

_VALUE = r"""[^\s"'&,;)}\]<>]"""
_SHAPES = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        # The password, or the token alone, before the host of an address
        r"(\b[a-z][a-z0-9+.-]*://[^\s/?#:@\"']*:)[^\s/?#@\"']+(?=@)",
        r"(\b[a-z][a-z0-9+.-]*://)[^\s/?#:@\"']{20,}(?=@)",
        # Headers
        rf"(\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token|digest|negotiate)\s+)?){_VALUE}+",
        r"(\b(?:bearer|token)\s+)(?=[\w.~+/-]*[\d._=])[\w.~+/-]{8,}=*",
        r"(\bbasic\s+)(?=[a-z0-9+/]*[\d=])[a-z0-9+/]{8,}=*",
        r"(\b(?:set-)?cookie\s*:\s*)[^\n]+",
        rf"(\bx-[\w-]*(?:key|token|secret)[\"']?\s*[:=]\s*[\"']?){_VALUE}+",
        # name=value and "name": "value", and name: value where the value is no word
        rf"((?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\"']?"
        rf"\s*(?:=\s*[\"']?|:\s*[\"'])){_VALUE}+",
        rf"((?:password|passwd|pwd|passphrase|secret|token|api[_-]?key)\s*:\s*)(?={_VALUE}*\d){_VALUE}{{6,}}",
        rf"([?&](?:key|sig|signature|x-(?:amz|goog)-signature|code|assertion)=){_VALUE}+",
        # Tokens of services
        r"()(?<![a-z0-9])sk-(?:[\w-]{20,}|(?=[\w-]*\d)[\w-]{8,})",
        r"()(?<![a-z0-9])(?:xox[a-z]-|xapp-|xwfp-)[\w-]{6,}",
        r"()(?<![a-z0-9])(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|pypi-)\w[\w-]{9,}",
        r"()(?<![a-z0-9])(?:ya29\.|1//|GOCSPX-)[\w.-]{10,}",
        r"()(?<![a-z0-9])(?:AIza[\w-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{12,})",
        r"()(?<![a-z0-9])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*",
    )
)


class Masker:
    """Blots out secrets in texts: those it was told to remember, and whatever has the shape of one."""

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._by_value: re.Pattern[str] | None = None

    def remember(self, values: Iterable[str | None]) -> None:
        """Remember secrets; of an address, the password in it."""
        new = {form for value in values if value for secret in _secrets_in(value) for form in _forms(secret)}
        if new - self._forms:
            self._forms |= new
            longest_first = sorted(self._forms, key=len, reverse=True)  # so that no part of one remains
            self._by_value = re.compile("|".join(map(_as_a_whole, longest_first)))

    def __call__(self, text: str) -> str:
        """The text with *** in the place of each secret."""
        if self._by_value is not None:
            text = self._by_value.sub(MASK, text)
        for shape in _SHAPES:
            text = shape.sub(rf"\g<1>{MASK}", text)
        return text


mask = Masker()
"""The masker of this process. Settings tell it their secrets."""


def _secrets_in(value: str) -> Iterator[str]:
    try:
        password = urlsplit(value).password if "://" in value else None
    except ValueError:
        password = None
    for secret in (value, password, unquote(password) if password else None):
        if secret and (len(secret) > LONGEST_WORD or (len(secret) >= SHORTEST and not secret.isalpha())):
            yield secret


def _forms(secret: str) -> Iterator[str]:
    """The forms of a secret in addresses, JSON and headers."""
    yield from (secret, json.dumps(secret)[1:-1], quote_plus(secret, errors=ODD_BYTES))
    yield from (quote(secret, safe, errors=ODD_BYTES) for safe in ("/", ""))
    if len(secret) > LONGEST_WORD:
        plain = secret.encode("utf-8", ODD_BYTES)
        yield from (made(plain).decode().rstrip("=") for made in (base64.b64encode, base64.urlsafe_b64encode))


def _as_a_whole(form: str) -> str:
    if len(form) >= SURE:
        return re.escape(form)
    before = r"(?<![A-Za-z0-9_])" if re.match(r"\w", form) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"\w$", form) else ""
    return f"{before}{re.escape(form)}{after}"
