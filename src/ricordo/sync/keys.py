"""The secret of a synced memory: made once, shown as words, and the keys that follow from it.

The words are a BIP-39 mnemonic of 128 random bits with a checksum, so that a mistyped word is noticed. Keys follow by
HKDF-SHA-256. Every segment has a key of its own, made from a random salt, so that no key ever encrypts two messages.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo.errors import InvalidInput, ModelUnavailable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from mnemonic import Mnemonic

#: Bits of the secret, which are twelve words.
_BITS = 128
SALT_BYTES = 32
#: One key encrypts one message, so the nonce need not differ.
NONCE = bytes(12)


def new_words() -> str:
    """The words of a new secret."""
    return str(_list().to_mnemonic(secrets.token_bytes(_BITS // 8)))


def secret_of(words: str) -> bytes:
    """The secret that these words spell. Raises InvalidInput."""
    clean = " ".join(words.lower().split())
    if not _list().check(clean):
        raise InvalidInput(
            "words", "are not the words of a key: expected the twelve words that `ricordo sync init` showed, in order"
        )
    return bytes(_list().to_entropy(clean))


@dataclass(frozen=True)
class Key:
    """The key of one memory, until it is rotated."""

    memory: UUID
    secret: bytes = field(repr=False)

    @cached_property
    def id(self) -> str:
        """Names the key in the folder, and says nothing about it."""
        return self._derived(b"", b"id", 8).hex()

    def cipher(self, salt: bytes, device: UUID, number: int) -> ChaCha20Poly1305:
        """The cipher of one segment."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(self._derived(salt, b"segment " + device.bytes + number.to_bytes(8, "big"), 32))

    def _derived(self, salt: bytes, purpose: bytes, length: int) -> bytes:
        _require_library()
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        info = b"ricordo sync 1 " + self.memory.bytes + purpose
        return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt or None, info=info).derive(self.secret)


def sha256(raw: bytes) -> str:
    """The hash by which segments name each other."""
    return hashlib.sha256(raw).hexdigest()


def _list() -> Mnemonic:
    _require_library()
    from mnemonic import Mnemonic

    return Mnemonic("english")


def _require_library() -> None:
    try:
        import cryptography
        import mnemonic  # noqa: F401
    except ImportError:
        raise ModelUnavailable("sync needs more packages: pip install 'ricordo[sync]'") from None
    del cryptography
