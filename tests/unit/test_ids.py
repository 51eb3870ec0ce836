"""UUIDs of version 7, as RFC 9562 draws them."""

from __future__ import annotations

import time
import uuid

from ricordo.ids import new_id


def test_an_id_is_a_uuid_of_version_7_that_begins_with_its_millisecond() -> None:
    before = time.time_ns() // 1_000_000
    ids = [new_id() for _ in range(1_000)]
    after = time.time_ns() // 1_000_000
    assert {(each.version, each.variant) for each in ids} == {(7, uuid.RFC_4122)}
    assert all(before <= each.int >> 80 <= after for each in ids)


def test_ids_never_repeat_and_every_random_bit_is_used() -> None:
    ids = [new_id().int for _ in range(2_000)]
    assert len(set(ids)) == len(ids)
    ever_one, ever_zero = 0, 0
    for each in ids:
        ever_one, ever_zero = ever_one | each, ever_zero | ~each
    random_bits = (1 << 76) - 1 & ~(0b11 << 62)
    assert ever_one & ever_zero & random_bits == random_bits


def test_later_ids_sort_behind_earlier_ones() -> None:
    first = new_id()
    time.sleep(0.002)
    assert first < new_id()
