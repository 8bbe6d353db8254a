"""The chat lines by which players of a serial game show each other their fields afterwards.

    #seal H C            before the first shot: my field is sealed; H is the start of its hash
    #show                after the game: show me your field
    #field S CELLS T C   the answer: size, cells and salt of my field

H is the first 24 bytes of the SHA-256 of the whole `#field ...` line that will be shown, as 48 digits. S is the number
of cells per side, in decimal. CELLS has one digit per four cells, row by row from the top left, the first of the four
in the highest bit, 1 for a deck; unused bits of the last digit are 0. T is the salt, 20 random digits for each game, or
`-` for a field that was not sealed. C is the CRC-16 (crc.py) of everything before it and its space, 4 digits: the
protocol has no checksum, and nobody must be accused because of a damaged byte. Digits are lower-case hexadecimal.

A line is at most 61 bytes of ASCII, and readable for people whose programs do not know it. Nothing is allocated after
construction.
"""

from .const import const
from .crc import crc16

# Kinds of lines.
NONE = const(0)
SEAL = const(1)
SHOW = const(2)
FIELD = const(3)

HASH_BYTES = const(24)  # bytes of the hash that are sent
SALT_DIGITS = const(20)

_CHECK = const(5)  # a space and the CRC

_SEAL = b"#seal "
_SHOW = b"#show"
_FIELD = b"#field "
_DIGITS = b"0123456789abcdef"
_SPACE = const(32)
_ZERO = const(48)
_NO_SALT = const(45)  # a hyphen
_BAD = const(16)  # not a hexadecimal digit


def kind(text: "bytes | bytearray", n: int) -> int:
    """Classify the first n bytes of a text by its first word: SEAL, SHOW, FIELD, or NONE for ordinary chat."""
    if n == len(_SHOW) and _begins(text, n, _SHOW):
        return SHOW
    if _begins(text, n, _SEAL):
        return SEAL
    return FIELD if _begins(text, n, _FIELD) else NONE


def put_show(out: bytearray) -> int:
    """Write the question into `out`; return its length."""
    return _put(out, 0, _SHOW)


def put_seal(out: bytearray, digest: bytes) -> int:
    """Write the seal into `out`; return its length.

    digest: HASH_BYTES or more bytes of the hash of put_field()'s line.
    """
    n = _put(out, 0, _SEAL)
    for i in range(HASH_BYTES):
        out[n] = _DIGITS[digest[i] >> 4]
        out[n + 1] = _DIGITS[digest[i] & 15]
        n += 2
    return _put_check(out, n)


def put_field(out: bytearray, size: int, ship: bytearray, salt: "bytearray | None") -> int:
    """Write a field of `size` cells per side, 6..10, into `out`; return the length.

    ship: by cell, nonzero for a deck. salt: SALT_DIGITS digits as bytes, or None if the field was not sealed.
    """
    n = _put(out, 0, _FIELD)
    if size > 9:
        out[n] = _ZERO + size // 10
        n += 1
    out[n] = _ZERO + size % 10
    out[n + 1] = _SPACE
    n += 2
    digit = 0
    cells = size * size
    for cell in range((cells + 3) & ~3):
        digit = digit * 2 + (1 if cell < cells and ship[cell] else 0)
        if cell & 3 == 3:
            out[n] = _DIGITS[digit]
            n += 1
            digit = 0
    out[n] = _SPACE
    n += 1
    if salt is None:
        out[n] = _NO_SALT
        return _put_check(out, n + 1)
    for i in range(SALT_DIGITS):
        out[n] = salt[i]
        n += 1
    return _put_check(out, n)


def put_salt(out: bytearray, lots: bytearray) -> None:
    """Write the digits of a salt into `out`. lots: SALT_DIGITS // 2 random bytes."""
    for i in range(SALT_DIGITS):
        out[i] = _DIGITS[lots[i >> 1] >> 4 if i & 1 == 0 else lots[i >> 1] & 15]


def take_seal(text: "bytes | bytearray", n: int, seal: bytearray) -> bool:
    """Parse the hash of a seal of n bytes into `seal`, HASH_BYTES bytes. Return False if it is malformed."""
    start = len(_SEAL)
    n = _checked(text, n)
    if n != start + 2 * HASH_BYTES:
        return False
    for i in range(HASH_BYTES):
        high = _value(text[start + 2 * i])
        low = _value(text[start + 2 * i + 1])
        if high == _BAD or low == _BAD:
            return False
        seal[i] = high * 16 + low
    return True


def take_field(text: "bytes | bytearray", n: int, size: int, decks: bytearray) -> bool:
    """Parse a shown field of n bytes into `decks`, by cell 1 for a deck.

    Return False, with `decks` possibly changed, if it is malformed or not of `size` cells per side.
    """
    at = len(_FIELD)
    n = _checked(text, n)
    if size > 9:
        if at >= n or text[at] != _ZERO + size // 10:
            return False
        at += 1
    cells = size * size
    digits = (cells + 3) >> 2
    salt = at + 2 + digits + 1
    if salt >= n or text[at] != _ZERO + size % 10 or text[at + 1] != _SPACE or text[salt - 1] != _SPACE:
        return False
    at += 2
    for i in range(digits):
        value = _value(text[at + i])
        if value == _BAD:
            return False
        for k in range(4):
            deck = value >> (3 - k) & 1
            if 4 * i + k < cells:
                decks[4 * i + k] = deck
            elif deck:
                return False
    if n == salt + 1:
        return text[salt] == _NO_SALT
    if n != salt + SALT_DIGITS:
        return False
    for i in range(salt, n):
        if _value(text[i]) == _BAD:
            return False
    return True


def is_sealed_by(seal: "bytes | bytearray", digest: bytes) -> bool:
    """Return whether a seal of take_seal() belongs to a line with this hash."""
    for i in range(HASH_BYTES):
        if seal[i] != digest[i]:
            return False
    return True


def _begins(text: "bytes | bytearray", n: int, word: bytes) -> bool:
    if n < len(word):
        return False
    for i in range(len(word)):
        if text[i] != word[i]:
            return False
    return True


def _put(out: bytearray, n: int, word: bytes) -> int:
    for b in word:
        out[n] = b
        n += 1
    return n


def _put_check(out: bytearray, n: int) -> int:
    # Append a space and the CRC to a line of n bytes; return its length.
    crc = crc16(out, n)
    out[n] = _SPACE
    for i in range(4):
        out[n + 4 - i] = _DIGITS[crc & 15]
        crc >>= 4
    return n + _CHECK


def _checked(text: "bytes | bytearray", n: int) -> int:
    # Return how many bytes of a line of n precede its space and CRC; 0 if these are wrong.
    n -= _CHECK
    if n <= 0 or text[n] != _SPACE:
        return 0
    crc = crc16(text, n)
    for i in range(4):
        if _value(text[n + 4 - i]) != crc & 15:
            return 0
        crc >>= 4
    return n


def _value(b: int) -> int:
    # The value of a digit, _BAD if it is none.
    if 48 <= b <= 57:
        return b - 48
    return b - 87 if 97 <= b <= 102 else _BAD
