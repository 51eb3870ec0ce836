"""Messages in the wire format of protocol buffers, as far as ONNX's upper levels need it.

Numbers of fixed width are not understood. Source: https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The kind of field that tells its length.
_OF_LENGTH = 2


@dataclass(frozen=True)
class Message:
    """A message: number and content of each field, in their order."""

    fields: Sequence[tuple[int, Content]]

    @classmethod
    def read(cls, message: memoryview) -> Message:
        fields: list[tuple[int, Content]] = []
        at = 0
        while at < len(message):
            tag, at = _number(message, at)
            number, at = _number(message, at)
            if tag & 7 == _OF_LENGTH:
                fields.append((tag >> 3, message[at : at + number]))
                at += number
            else:
                fields.append((tag >> 3, number))
        return cls(fields)

    def written(self) -> bytes:
        return b"".join(self._pieces())

    def _pieces(self) -> list[bytes | memoryview]:
        """The message in pieces, so that what it holds is copied once, however deep it stands."""
        pieces: list[bytes | memoryview] = []
        for number, content in self.fields:
            if isinstance(content, int):
                pieces += [_digits(number << 3), _digits(content)]
            else:
                inner = content._pieces() if isinstance(content, Message) else [content]
                pieces += [_digits(number << 3 | _OF_LENGTH), _digits(sum(map(len, inner))), *inner]
        return pieces

    def parts(self, number: int) -> list[memoryview]:
        """The contents of a field that holds texts, bytes or messages, but for messages that were put into it here."""
        return [
            memoryview(each) for field, each in self.fields if field == number and isinstance(each, bytes | memoryview)
        ]

    def texts(self, number: int) -> list[str]:
        return [str(each, "utf-8") for each in self.parts(number)]

    def having(self, number: int, contents: Sequence[Content]) -> Message:
        """The same message with other contents of one field."""
        others = [field for field in self.fields if field[0] != number]
        return Message([*others, *((number, each) for each in contents)])


Content = int | bytes | memoryview | Message


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """The whole number that begins at `at`, seven bits a byte with the lowest first, and where it ends."""
    number = shift = 0
    while True:
        byte = message[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7


def _digits(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])
