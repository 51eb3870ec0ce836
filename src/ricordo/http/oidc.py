"""Tokens of an identity provider (OpenID Connect): JWTs that name the user in a claim."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from ricordo.accounts import user_id_of
from ricordo.errors import InvalidInput
from ricordo.settings import Settings

#: Asymmetric ones alone: a public key must never do as the secret of an HMAC.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]
#: Seconds for which the provider's keys are kept, between two looks for new ones, and that fetching them may take;
#: by how much clocks may differ.
_FRESH, _PAUSE, _TIMEOUT, _LEEWAY = 3600.0, 30.0, 10.0, 60
_LARGEST = 1_000_000
#: What the library raises where JSON is of another form than it takes for granted.
_MALFORMED = (ValueError, TypeError, LookupError, RecursionError)

log = logging.getLogger("ricordo.http")


class Provider:
    """An identity provider: its issuer, its keys, and which claim is the user."""

    def __init__(self, issuer: str, audience: str, keys: str, claim: str) -> None:
        self._keys_at = keys
        self._claim = claim
        self._keys: KeySet | None = None
        self._looked = float("-inf")
        self._looking = asyncio.Lock()
        self._required = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": True},
        )

    @classmethod
    def of(cls, settings: Settings) -> Provider | None:
        """The provider that the settings name; None where they name none."""
        if settings.oidc_issuer is None or settings.oidc_audience is None or settings.oidc_keys is None:
            return None
        return cls(settings.oidc_issuer, settings.oidc_audience, settings.oidc_keys, settings.oidc_claim)

    async def user_of(self, token: str) -> str | None:
        """The user that a token names; None for a token that is not good."""
        claims = await self._claims(token, _FRESH)
        if claims is None and time.monotonic() - self._looked > _PAUSE:
            claims = await self._claims(token, 0.0)  # the provider may have a new key
        user = None if claims is None else claims.get(self._claim)
        if not isinstance(user, str):
            return None
        try:
            user_id_of(user)
        except InvalidInput:
            return None
        return user

    async def _claims(self, token: str, fresh: float) -> dict[str, Any] | None:
        keys = await self._key_set(fresh)
        if keys is None:
            return None
        try:
            read = jwt.decode(token, keys, algorithms=_ALGORITHMS)
            self._required.validate(read.claims)
        except (JoseError, *_MALFORMED) as error:
            log.info("token rejected: %s", type(error).__name__)
            return None
        return dict(read.claims)

    async def _key_set(self, fresh: float) -> KeySet | None:
        async with self._looking:
            if time.monotonic() - self._looked >= fresh:
                self._looked = time.monotonic()
                try:
                    self._keys = KeySet.import_key_set(json.loads(await asyncio.to_thread(self._fetch)))
                except (OSError, HTTPException, JoseError, *_MALFORMED) as error:
                    told = f"{type(error).__name__}: {error}"
                    log.warning("cannot read the identity provider's keys at %s: %s", self._keys_at, told)
            return self._keys

    def _fetch(self) -> bytes:
        if not self._keys_at.startswith(("http://", "https://")):
            return Path(self._keys_at).read_bytes()
        request = Request(self._keys_at, headers={"Accept": "application/json"})
        with urlopen(request, timeout=_TIMEOUT) as answer:
            return bytes(answer.read(_LARGEST))
