"""The lines by which fields are shown over chat (docs/protocol.md, Showing the fields)."""

import hashlib

from seabattle import reveal as R
from seabattle.rng import Rng
from seabattle.wire import TEXT_MAX

SALT = b"00112233445566778899"


def line(n, out):
    return bytes(out[:n])


def field_line(size, decks, salt=SALT):
    out = bytearray(TEXT_MAX)
    return line(R.put_field(out, size, decks, salt), out)


def some_field(size, seed):
    rng = Rng(seed)
    return bytearray([rng.below(3) // 2 for _ in range(size * size)])


def checked(text):
    """Append the CRC to the line, computed bit by bit."""
    crc = 0xFFFF
    for byte in text:
        for bit in range(8):
            top = crc >> 15 ^ (byte >> (7 - bit) & 1)
            crc = (crc << 1 & 0xFFFF) ^ (0x1021 if top else 0)
    return text + (" %04x" % crc).encode()


def taken(text, size):
    decks = bytearray(100)
    return list(decks[: size * size]) if R.take_field(text, len(text), size, decks) else None


def test_a_field_is_four_cells_a_digit_row_by_row_from_the_top_left():
    decks = bytearray(36)
    for cell in (0, 3, 4, 35):
        decks[cell] = 7
    assert field_line(6, decks) == checked(b"#field 6 980000001 " + SALT)
    assert field_line(6, decks, None) == checked(b"#field 6 980000001 -")
    corner = bytearray(49)
    corner[48] = 1
    assert field_line(7, corner, None) == checked(b"#field 7 0000000000008 -")


def test_every_field_comes_back_as_it_was_and_fits_into_a_line_of_chat():
    for size in range(6, 11):
        for seed in range(20):
            decks = some_field(size, seed + 100 * size)
            for salt in (SALT, None):
                text = field_line(size, decks, salt)
                assert len(text) <= TEXT_MAX and R.kind(text, len(text)) == R.FIELD
                assert taken(text, size) == list(decks)


def test_a_field_that_is_not_well_formed_is_not_taken():
    decks = some_field(7, 3)
    good = field_line(7, decks)
    assert taken(good, 7) is not None
    for size in (6, 8, 9, 10):
        assert taken(good, size) is None
    for n in range(len(good)):
        assert taken(good[:n], 7) is None or good[:n] == good
    assert taken(good + b"0", 7) is None
    for i in range(len(good)):
        for other in b" -gA:\x00\xff":
            bad = bytearray(good)
            bad[i] = other
            if bytes(bad) != good and i > 6:
                assert taken(bad, 7) is None, bad
    # and where the CRC is right
    body = b"#field 7 " + b"0" * 12
    assert taken(checked(body + b"8 -"), 7) is not None
    for rest in (b"4 -", b"1 -", b"f -", b"8 - ", b"8 --", b"8-", b"8 ", b"8 " + SALT + b"0", b"8 " + SALT[1:], b"8 0"):
        assert taken(checked(body + rest), 7) is None, rest
    assert taken(checked(b"#field 07 " + b"0" * 13 + b" -"), 7) is None


def test_a_seal_is_the_beginning_of_the_hash_of_the_line_that_will_be_shown():
    text = field_line(10, some_field(10, 1))
    digest = hashlib.sha256(text).digest()
    out = bytearray(TEXT_MAX)
    sealed = line(R.put_seal(out, digest), out)
    shown = "".join(["%02x" % b for b in digest])
    assert sealed == checked(b"#seal " + shown[: 2 * R.HASH_BYTES].encode())
    assert len(sealed) <= TEXT_MAX and R.kind(sealed, len(sealed)) == R.SEAL
    seal = bytearray(R.HASH_BYTES)
    assert R.take_seal(sealed, len(sealed), seal)
    assert R.is_sealed_by(seal, digest)
    for cell in range(100):
        other = some_field(10, 1)
        other[cell] = 1 - other[cell]
        assert not R.is_sealed_by(seal, hashlib.sha256(field_line(10, other)).digest())
    for bad in (sealed[:-1], sealed + b"0", sealed[:-1] + b"x", checked(b"#seal " + b"F" * 48), b"#seal ", b"#seal x"):
        assert not R.take_seal(bad, len(bad), seal)


def test_a_salt_is_written_as_the_digits_of_its_bytes():
    out = bytearray(R.SALT_DIGITS)
    R.put_salt(out, bytes([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFF, 0x0F]))
    assert bytes(out) == b"0123456789abcdefff0f"


def test_ordinary_chat_is_none_of_these_lines():
    for text in (b"", b" ", b"#", b"hello", b"#shows", b"#show ", b"# show", b"#fields", b"show", b"#SHOW", b"#seal"):
        assert R.kind(text, len(text)) == R.NONE, text
    out = bytearray(TEXT_MAX)
    n = R.put_show(out)
    assert line(n, out) == b"#show" and R.kind(out, n) == R.SHOW
