"""C11 with an identity provider: its tokens name the user, and nothing that only looks like one opens anything."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey

from http_server import running
from ricordo.http import oidc
from stores import settings_for

_ISSUER, _AUDIENCE = "https://id.example", "ricordo"


def _claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    claims = {"iss": _ISSUER, "aud": _AUDIENCE, "sub": "x", "email": "ada@example.org", "iat": now, "exp": now + 600}
    return {name: value for name, value in (claims | changes).items() if value is not None}


def test_c11_a_providers_token_is_its_users_and_no_other_token_is(server_home: Path, tmp_path: Path) -> None:
    key, other = ECKey.generate_key("P-256", {"kid": "one"}), ECKey.generate_key("P-256", {"kid": "one"})
    keys = tmp_path / "jwks.json"
    keys.write_text(json.dumps(KeySet([key]).as_dict(private=False)))
    settings = settings_for(
        server_home, oidc_issuer=_ISSUER, oidc_audience=_AUDIENCE, oidc_keys=str(keys), oidc_claim="email"
    )
    head = {"alg": "ES256", "kid": "one"}
    public = json.dumps(key.as_dict(private=False)).encode()
    with running(settings) as server:
        good = jwt.encode(head, _claims(), key)
        server.post("/v1/notes", {"content": "ada's"}, token=good)
        assert [each["content"] for each in server.get("/v1/memories", token=good)["items"]] == ["ada's"]
        assert server.get("/v1/memories", token=jwt.encode(head, _claims(email="bob@example.org"), key))["items"] == []
        assert server.post("/v1/keys", {"name": "notebook"}, token=good)["key"]["user"] == "ada@example.org"
        bad = {
            "another key": jwt.encode(head, _claims(), other),
            "another issuer": jwt.encode(head, _claims(iss="https://evil.example"), key),
            "another audience": jwt.encode(head, _claims(aud="mail"), key),
            "expired": jwt.encode(head, _claims(exp=int(time.time()) - 3600), key),
            "without an end": jwt.encode(head, _claims(exp=None), key),
            "without a user": jwt.encode(head, _claims(email=None), key),
            "no user's name": jwt.encode(head, _claims(email=" "), key),
            "a public key as a secret": jwt.encode(
                {"alg": "HS256", "kid": "one"}, _claims(), OctKey.import_key(public)
            ),
            "without a signature": ".".join([*good.split(".")[:2], ""]),
        }
        for what, token in bad.items():
            assert server.ask("GET", "/v1/memories", token=token).status_code == 401, what
        assert server.ask("GET", "/v1/memories").status_code == 200  # keys go on beside the provider


def test_c11_tokens_and_keys_of_an_unknown_form_are_refused_and_nothing_fails(
    server_home: Path, tmp_path: Path
) -> None:
    key = ECKey.generate_key("P-256", {"kid": "one"})
    good = json.dumps(KeySet([key]).as_dict(private=False))
    keys = tmp_path / "jwks.json"
    settings = settings_for(server_home, oidc_issuer=_ISSUER, oidc_audience=_AUDIENCE, oidc_keys=str(keys))
    token = jwt.encode({"alg": "ES256", "kid": "one"}, _claims(), key)

    def coded(value: Any) -> str:
        return urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode()).decode().rstrip("=")

    named = ("alg", "kid", "crit", "b64", "jwk", "x5c", "typ", "jku")
    heads: list[Any] = [
        {"alg": "ES256", "kid": "one", name: value}
        for name in named
        for value in (5, None, [], {}, ["x"], {"x": []}, "none", "\0", True)
        if (name, value) not in (("typ", "none"), ("typ", "\0"))
    ]
    heads += [[], 5, "x", None, b"\xff", b"[" * 9000, {}, {"alg": "none"}, {"alg": "HS256", "kid": "one"}]
    keys.write_text(good)
    with running(settings) as server:
        bodies = (_claims(), [], 5, b"\xff", b"[" * 9000)
        for head, body in [*zip(heads, cycle(bodies)), *product(heads[::20], bodies)]:
            forged = f"{coded(head)}.{coded(body)}.{coded(b'x' * 64)}"
            assert server.ask("GET", "/v1/user", token=forged).status_code == 401, (head, body)
        assert server.get("/v1/user", token=token)["user"] == "x"
    for wrong in ("", "5", "[]", "{}", '{"keys": 5}', '{"keys": [5]}', '{"keys": [{"kty": []}]}', "[" * 99_999):
        keys.write_text(wrong)
        with running(settings) as server:
            assert server.ask("GET", "/v1/user", token=token).status_code == 401, wrong


def test_c11_clocks_may_differ_by_a_minute_and_a_new_key_of_the_provider_is_looked_for(
    server_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = (ECKey.generate_key("P-256", {"kid": kid}) for kid in ("old", "new"))
    keys = tmp_path / "jwks.json"
    keys.write_text(json.dumps(KeySet([old]).as_dict(private=False)))
    settings = settings_for(server_home, oidc_issuer=_ISSUER, oidc_audience=_AUDIENCE, oidc_keys=str(keys))
    now = int(time.time())
    with running(settings) as server:

        def status(key: ECKey, **claims: Any) -> int:
            token = jwt.encode({"alg": "ES256", "kid": key.kid}, _claims(**claims), key)
            return server.ask("GET", "/v1/user", token=token).status_code

        assert [status(old, exp=now + after) for after in (-30, -90)] == [200, 401]
        assert [status(old, nbf=now + after) for after in (30, 90)] == [200, 401]
        assert [status(old, iat=now + after) for after in (30, 90)] == [200, 401]
        assert [status(old, aud=aud) for aud in ([_AUDIENCE, "mail"], ["mail"], _AUDIENCE + "x", [], {}, 5)] == [
            200, 401, 401, 401, 401, 401,
        ]  # fmt: skip
        keys.write_text(json.dumps(KeySet([new]).as_dict(private=False)))
        assert (status(new), status(old)) == (401, 200)  # it was looked for just now
        monkeypatch.setattr(oidc, "_PAUSE", 0.0)
        assert (status(new), status(old)) == (200, 401)
