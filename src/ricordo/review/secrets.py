"""What secrets look like: keys and tokens of vendors, private keys, signed tokens, passwords in what is assigned.

A vendor's key is told by its prefix and length, of which its documentation tells. Placeholders are no secrets: what has
few different characters, or says so.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable

#: A rule: what it finds, the pattern (its group `it`, or the whole), and what must hold of that beside.
Rule = tuple[str, re.Pattern[str], Callable[[str], bool]]

_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|…|<|>|\$\{|\{\{|your|example|placeholder|changeme|redacted|dummy|insert|sample|0{6,}|1234567890",
    re.IGNORECASE,
)


def _random(text: str) -> bool:
    """Whether it looks drawn by lot: many different characters, and no word that stands for a secret."""
    return len(set(text)) >= min(10, len(text) // 2) and not _PLACEHOLDER.search(text)


def _signed(text: str) -> bool:
    """Whether the first part of a JWT is a header (RFC 7515)."""
    head = text.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (ValueError, binascii.Error):
        return False
    return isinstance(header, dict) and "alg" in header


def _password(text: str) -> bool:
    """Whether what is assigned to a name such as `password` may be one, and no word, variable, call or path."""
    if _PLACEHOLDER.search(text) or len(text) < 8 or text[0] in "/~@$(" or re.search(r"\(|\)|\[|::|->", text):
        return False
    if re.fullmatch(r"[a-z]+([._-][a-z]+)+", text, re.IGNORECASE):  # a name of names, such as os.environ.token
        return False
    kinds = (str.isdigit, str.islower, str.isupper, lambda each: not each.isalnum())
    return sum(any(map(kind, text)) for kind in kinds) >= 2 and any(not each.isalpha() for each in text)


def _any(text: str) -> bool:
    return True


def _rule(kind: str, pattern: str, holds: Callable[[str], bool] = _random, flags: int = 0) -> Rule:
    return kind, re.compile(pattern, flags | re.ASCII), holds


_B, _E = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"
_PEM = r"(?:[A-Z]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?"
_NAMED = (
    r"(?:password|passwd|passphrase|passwort|kennwort|contraseña|mot de passe|pwd|secret|token|api[ _-]?key|"
    r"access[ _-]?key|private[ _-]?key|client[ _-]?secret|auth[ _-]?key|credentials?)"
)
# To its end line, or as far as base64 goes where that is missing.
_BLOCK = rf"-----BEGIN {_PEM}-----(?:[^-]{{0,20000}}-----END {_PEM}-----|[A-Za-z0-9+/=\s\\]{{0,20000}})"
_BEARER = (
    r"(?i:\bauthorization\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)\s{1,3})(?P<it>[A-Za-z0-9._~+/=-]{16,2000})"
)
_ASSIGNED = (
    rf"(?i:{_NAMED}[a-z0-9_]{{0,20}})[\"']?\s{{0,3}}(?::=|=>|=|:)\s{{0,3}}"
    r"(?P<q>[\"'`]?)(?P<it>[^\s\"'`,;]{8,200})(?P=q)"
)
_TOLD = (
    r"(?i:\b(?:password|passphrase|passwort|kennwort|contraseña|clave|mot de passe|pin code|wifi key|wi-fi key)"
    r"(?: (?:for|für|vom|von|del?|para|du|pour) [^\n:;,]{1,40}?)?"
    r"(?: is| was| ist| war| lautet| now is| es| era| est| était| c'est)(?: now| jetzt| ahora)?:?)"
    r"\s{1,3}[\"'`“„«]?(?P<it>[^\s\"'`”“»,;]{8,100})"
)

RULES: tuple[Rule, ...] = (
    _rule("private key", _BLOCK, _any),
    _rule("private key", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", _any),
    _rule("signed token", rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]{{4,}}\.[A-Za-z0-9_-]{{10,}}", _signed),
    _rule("AWS key", rf"{_B}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}{_E}"),
    _rule("AWS key", r"(?i:aws.{0,20}?(?:secret|key).{0,20}?)[\"'=:\s](?P<it>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    _rule("GitHub token", rf"{_B}gh[pousr]_[A-Za-z0-9]{{36,255}}{_E}"),
    _rule("GitHub token", rf"{_B}github_pat_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}{_E}"),
    _rule("GitLab token", rf"{_B}gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{{20,64}}{_E}"),
    _rule("Slack token", rf"{_B}xox[abeoprs]-[A-Za-z0-9-]{{10,250}}{_E}"),
    _rule("Slack token", rf"{_B}xapp-\d-[A-Z0-9]{{8,}}-\d+-[a-f0-9]{{32,}}{_E}"),
    _rule("Slack webhook", r"https://hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{8,12}/B?[A-Za-z0-9/]{16,60}"),
    _rule("Discord webhook", r"https://discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,72}"),
    _rule("Stripe key", rf"{_B}(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{{16,247}}{_E}"),
    _rule("Stripe key", rf"{_B}whsec_[A-Za-z0-9+/=]{{24,64}}"),
    _rule("Anthropic key", rf"{_B}sk-ant-(?:api|admin|sid)\d\d-[A-Za-z0-9_-]{{60,120}}"),
    _rule("OpenRouter key", rf"{_B}sk-or-v1-[a-f0-9]{{64}}{_E}"),
    _rule("OpenAI key", rf"{_B}sk-(?:(?:proj|svcacct|admin|None)-)?[A-Za-z0-9_-]{{20,}}T3BlbkFJ[A-Za-z0-9_-]{{20,}}"),
    _rule("OpenAI key", rf"{_B}sk-proj-[A-Za-z0-9_-]{{40,}}"),
    _rule("Google key", rf"{_B}AIza[A-Za-z0-9_-]{{35}}{_E}"),
    _rule("Google key", rf"{_B}GOCSPX-[A-Za-z0-9_-]{{28}}{_E}"),
    _rule("Google key", rf"{_B}ya29\.[A-Za-z0-9_-]{{30,}}"),
    _rule("SendGrid key", rf"{_B}SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{_E}"),
    _rule("Mailgun key", rf"{_B}key-[a-f0-9]{{32}}{_E}"),
    _rule("Mailchimp key", rf"{_B}[a-f0-9]{{32}}-us\d{{1,2}}{_E}"),
    _rule("Twilio key", rf"{_B}SK[a-f0-9]{{32}}{_E}"),
    _rule("npm token", rf"{_B}npm_[A-Za-z0-9]{{36}}{_E}"),
    _rule("PyPI token", rf"{_B}pypi-AgE[A-Za-z0-9_-]{{50,}}"),
    _rule("Hugging Face token", rf"{_B}hf_[A-Za-z]{{34}}{_E}"),
    _rule("DigitalOcean token", rf"{_B}do[opr]_v1_[a-f0-9]{{64}}{_E}"),
    _rule("Telegram token", rf"{_B}\d{{8,10}}:AA[A-Za-z0-9_-]{{33}}{_E}"),
    _rule("Discord token", rf"{_B}[MNO][A-Za-z0-9]{{23,27}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,40}}{_E}"),
    _rule("Azure key", r"AccountKey=(?P<it>[A-Za-z0-9+/]{86}==)"),
    _rule("Shopify token", rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}{_E}"),
    _rule("Databricks token", rf"{_B}dapi[a-f0-9]{{32}}(?:-\d)?{_E}"),
    _rule("Linear key", rf"{_B}lin_api_[A-Za-z0-9]{{40}}{_E}"),
    _rule("Notion token", rf"{_B}(?:ntn_[A-Za-z0-9]{{40,50}}|secret_[A-Za-z0-9]{{43}}){_E}"),
    _rule("Groq key", rf"{_B}gsk_[A-Za-z0-9]{{52}}{_E}"),
    _rule("xAI key", rf"{_B}xai-[A-Za-z0-9]{{80}}{_E}"),
    _rule("Vault token", rf"{_B}hvs\.[A-Za-z0-9_-]{{24,}}"),
    _rule("Sentry token", rf"{_B}sntry[su]_[A-Za-z0-9_=+/-]{{40,}}"),
    _rule("Ricordo key", rf"{_B}rk_[A-Za-z0-9_-]{{86}}{_E}"),
    _rule("password in a URL", r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s:/@]{1,100}:(?P<it>[^\s/@]{3,200})@[A-Za-z0-9.-]+",
          lambda text: not _PLACEHOLDER.search(text) and text.lower() not in ("password", "pass", "pwd", "secret")),
    _rule("bearer token", _BEARER),
    _rule("password", _ASSIGNED, _password),
    _rule("password", _TOLD, _password),
)  # fmt: skip
