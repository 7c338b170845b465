"""Bearer tokens of the providers that people sign in with: whose they are, once everything about them is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import jwt

from locator_search.core.errors import ConfigurationError
from locator_search.guard.sign_in import Provider, SignIn

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures that only the issuer can make; whoever knows a public key can make those of the other kinds."""
REQUIRED = ("iss", "sub", "aud", "exp")
PROVIDER_SECONDS = 10
SKEW_SECONDS = 30
"""How far the issuer's clock may be ahead."""
LONGEST_METADATA = 1_000_000


@dataclass(frozen=True, slots=True)
class Issuer:
    """A provider by the name that stands in its tokens, and its keys, which are asked for again when one is new."""

    name: str
    client_id: str
    keys: jwt.PyJWKClient


class Issuers:
    """The providers of a sign-in, for tokens that are made for `resource` or for our own client there.

    Asks each who it is. Raises ConfigurationError where one does not answer.
    """

    def __init__(self, sign_in: SignIn, resource: str) -> None:
        self._resource = resource
        self._issuers = {issuer.name: issuer for issuer in map(_issuer, sign_in.providers)}

    @property
    def names(self) -> list[str]:
        """The issuers, in the order of the settings."""
        return list(self._issuers)

    def claims(self, token: str) -> Mapping[str, Any]:
        """The claims of a token. Raises jwt.PyJWTError for one that counts for nothing here."""
        named = jwt.decode(token, options={"verify_signature": False})  # only to know whose keys to hold it against
        issuer = self._issuers.get(str(named.get("iss")))
        if issuer is None:
            raise jwt.InvalidIssuerError("an issuer that is not in [auth]")
        found: dict[str, Any] = jwt.decode(
            token,
            issuer.keys.get_signing_key_from_jwt(token),
            algorithms=ALGORITHMS,
            audience=[self._resource, issuer.client_id],
            issuer=issuer.name,
            leeway=SKEW_SECONDS,
            options={"require": list(REQUIRED)},
        )
        return found


def _issuer(provider: Provider) -> Issuer:
    try:
        with urlopen(provider.server_metadata_url, timeout=PROVIDER_SECONDS) as answer:  # noqa: S310 - from our settings
            metadata = json.loads(answer.read(LONGEST_METADATA))
        keys = jwt.PyJWKClient(metadata["jwks_uri"], timeout=PROVIDER_SECONDS)
        return Issuer(str(metadata["issuer"]), provider.client_id, keys)
    except (OSError, ValueError, KeyError, TypeError, jwt.PyJWTError) as error:
        raise ConfigurationError(
            f"The sign-in provider does not say who it is: {provider.server_metadata_url} ({type(error).__name__}).",
            hint="server_metadata_url in [auth] must be its address that ends with /.well-known/openid-configuration.",
        ) from None
