"""C11 with an identity provider: its tokens name the user, and nothing that only looks like one opens anything."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey

from http_server import running
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
        assert [each["content"] for each in server.get("/v1/memories", token=good)["memories"]] == ["ada's"]
        assert (
            server.get("/v1/memories", token=jwt.encode(head, _claims(email="bob@example.org"), key))["memories"] == []
        )
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
