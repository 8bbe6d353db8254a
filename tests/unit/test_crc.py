"""The checksum of saved records is the one that others call CRC-16/CCITT-FALSE."""

from binascii import crc_hqx

from hypothesis import given
from hypothesis import strategies as st

from seabattle.crc import crc16


def reference(data: bytes) -> int:
    return crc_hqx(data, 0xFFFF)


@given(st.binary(max_size=300))
def test_it_is_what_the_library_computes(data: bytes) -> None:
    assert crc16(data, len(data)) == reference(data)


@given(st.binary(max_size=50), st.binary(max_size=50))
def test_it_can_be_computed_in_parts(first: bytes, second: bytes) -> None:
    assert crc16(second, len(second), crc16(first, len(first))) == reference(first + second)


def test_only_the_first_bytes_count() -> None:
    assert crc16(b"abcxyz", 3) == reference(b"abc")
