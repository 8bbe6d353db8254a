"""The board's saved data: settings, statistics, the last placement.

One record with a CRC-16, in two slots written alternately: if power fails while one is being written, the other still
holds the previous record.
"""

from seabattle import crc, wire
from seabattle.const import TYPE_CHECKING, const
from seabattle.link import BY_SHOTS, WE_LOST, WE_WON

if TYPE_CHECKING:
    from seabattle.field import Field
    from seabattle.fleet import Fleet
    from seabattle.link import Link

    from .parts import Buffer, Store


SIZE = const(72)

_MAGIC = const(0x5B)
# Offsets in the record.
_FORM = const(1)  # the version of this layout
_SEQUENCE = const(2)  # two bytes, to find the newer slot
_LANGUAGE = const(4)
_LEVEL = const(5)
_LETTERS = const(6)
_TAGGED = const(7)
_SOUND = const(8)
_NICK_SIZE = const(9)
_NICK = const(10)
_OFFER = const(20)  # size, n4, n3, n2, n1
_COUNTS = const(25)  # three bytes each: games, won, lost, broken off, shots; then one: the fewest shots of a won game
_BEST = const(40)
_FLEET = const(41)  # size, n4, n3, n2, n1 of the last placement,
_PLACED = const(46)  # and the first cell of each ship, long to short, bit 7 for a vertical one
_SHIPS = const(18)
_CRC = const(70)

GAMES = const(0)
WON = const(1)
LOST = const(2)
BROKEN = const(3)
SHOTS = const(4)

_VERSION = const(1)
_COUNT_MOST = const(0xFFFFFF)

# Transliteration of А..Я; Ё is Е.
_LATIN = b"A,B,V,G,D,E,ZH,Z,I,Y,K,L,M,N,O,P,R,S,T,U,F,KH,TS,CH,SH,SHCH,,Y,,E,YU,YA,"


class Storage:
    """store: the board's, or None. language: the default when the store is empty."""

    nick_at = _NICK

    def __init__(self, store: "Store | None", language: int) -> None:
        self.store = store
        self.data = bytearray(SIZE)
        self.changed = False
        self.new = False  # nothing has been saved yet
        other = bytearray(SIZE)
        self.slot = 1
        if self._load(0, self.data):
            self.slot = 0
            if self._load(1, other) and (self._sequence(other) - self._sequence(self.data)) & 0xFFFF < 0x8000:
                self.data, self.slot = other, 1
        elif not self._load(1, self.data):
            self._fresh(language)

    def _fresh(self, language: int) -> None:
        self.new = True
        d = self.data
        for i in range(SIZE):
            d[i] = 0
        d[0] = _MAGIC
        d[_FORM] = _VERSION
        d[_LANGUAGE] = language
        d[_LEVEL] = 3
        d[_SOUND] = 1
        d[_NICK_SIZE] = 5
        for i in range(5):
            d[_NICK + i] = b"board"[i]
            d[_OFFER + i] = b"\x0a\x01\x02\x03\x04"[i]

    def _load(self, slot: int, data: bytearray) -> bool:
        """Read a slot into `data`; return whether its record is valid."""
        if self.store is None or self.store.read(slot, data) != SIZE:
            return False
        return (
            data[0] == _MAGIC
            and data[_FORM] == _VERSION
            and crc.crc16(data, _CRC) == data[_CRC] | data[_CRC + 1] << 8
            and data[_NICK_SIZE] <= wire.NICK_MAX
            and 1 <= data[_LEVEL] <= 4
        )

    def _sequence(self, data: bytearray) -> int:
        return data[_SEQUENCE] | data[_SEQUENCE + 1] << 8

    def save(self) -> None:
        """Write the record if it has changed. Not during a session: writing flash may block everything else.

        If the flash is full or worn out, the data is lost but not the game; the next save tries again.
        """
        if self.store is None or not self.changed:
            return
        self.changed = False
        d = self.data
        n = (self._sequence(d) + 1) & 0xFFFF
        d[_SEQUENCE] = n & 255
        d[_SEQUENCE + 1] = n >> 8
        n = crc.crc16(d, _CRC)
        d[_CRC] = n & 255
        d[_CRC + 1] = n >> 8
        try:
            self.store.write(1 - self.slot, d)
            self.slot = 1 - self.slot
        except OSError:
            self.changed = True

    # Settings

    @property
    def language(self) -> int:
        """0 English, 1 Russian."""
        return self.data[_LANGUAGE] & 1

    @language.setter
    def language(self, n: int) -> None:
        self._put(_LANGUAGE, n)

    @property
    def level(self) -> int:
        """Skill of the board's gunner: 1..4, as in seabattle.gunner."""
        return self.data[_LEVEL]

    @level.setter
    def level(self, n: int) -> None:
        self._put(_LEVEL, n)

    @property
    def letters(self) -> bool:
        """Whether the nick is sent in code page 866; else in ASCII."""
        return self.data[_LETTERS] != 0

    @letters.setter
    def letters(self, on: bool) -> None:
        self._put(_LETTERS, 1 if on else 0)

    @property
    def tagged(self) -> bool:
        """Whether the counts of B2 are sent with the deck number in the high nibble."""
        return self.data[_TAGGED] != 0

    @tagged.setter
    def tagged(self, on: bool) -> None:
        self._put(_TAGGED, 1 if on else 0)

    @property
    def sound(self) -> bool:
        return self.data[_SOUND] != 0

    @sound.setter
    def sound(self, on: bool) -> None:
        self._put(_SOUND, 1 if on else 0)

    def _put(self, i: int, n: int) -> None:
        self.data[i] = n
        self.changed = True

    @property
    def nick_size(self) -> int:
        """Bytes of the nick, which is in data[nick_at:]."""
        return self.data[_NICK_SIZE]

    def give_nick(self, link: "Link", out: bytearray) -> None:
        """Set the link's nick: as it is, or in ASCII, which is safe with every program. out: a buffer for it."""
        k = 0
        for i in range(self.nick_at, self.nick_at + self.nick_size):
            c = self.data[i]
            if c < 128 or self.letters:
                out[k] = c
                k += 1
            else:
                k = _transliterate(c, out, k)
        link.nick(out, min(k, wire.NICK_MAX))

    def set_nick(self, text: "Buffer", size: int) -> None:
        """Set the nick: 1..10 bytes in code page 866."""
        for i in range(size):
            self.data[_NICK + i] = text[i]
        self._put(_NICK_SIZE, size)

    def get_offer(self, offer: bytearray) -> None:
        for i in range(5):
            offer[i] = self.data[_OFFER + i]

    def set_offer(self, offer: bytearray) -> None:
        for i in range(5):
            self._put(_OFFER + i, offer[i])

    # Statistics

    def count(self, i: int) -> int:
        """Return a counter: GAMES, WON, LOST, BROKEN or SHOTS."""
        i = _COUNTS + 3 * i
        return self.data[i] | self.data[i + 1] << 8 | self.data[i + 2] << 16

    def add(self, i: int, n: int) -> None:
        n = min(self.count(i) + n, _COUNT_MOST)
        i = _COUNTS + 3 * i
        self._put(i, n & 255)
        self._put(i + 1, n >> 8 & 255)
        self._put(i + 2, n >> 16)

    @property
    def best(self) -> int:
        """Return the fewest shots of a game won by shots, 0 before the first."""
        return self.data[_BEST]

    def played(self, result: int, how: int, shots: int) -> None:
        """Count a finished game: WE_WON, WE_LOST or NO_RESULT, BY_SHOTS or BY_SURRENDER, and my number of shots."""
        self.add(GAMES, 1)
        self.add(SHOTS, shots)
        if result == WE_WON:
            self.add(WON, 1)
            if how == BY_SHOTS and shots and (not self.best or shots < self.best):
                self._put(_BEST, min(shots, 255))
        elif result == WE_LOST:
            self.add(LOST, 1)

    def reset(self) -> None:
        """Clear the statistics."""
        for i in range(_COUNTS, _BEST + 1):
            self._put(i, 0)

    # The last placement

    def keep_fleet(self, fleet: "Fleet") -> None:
        """Start saving a placement of this fleet; call keep() next."""
        self._put(_FLEET, fleet.width)
        for decks in range(1, 5):
            self._put(_FLEET + 5 - decks, fleet.count[decks])

    def same_fleet(self, fleet: "Fleet") -> bool:
        """Return whether the saved placement is one of this fleet."""
        d = self.data
        for decks in range(1, 5):
            if d[_FLEET + 5 - decks] != fleet.count[decks]:
                return False
        return d[_FLEET] == fleet.width

    def keep(self, field: "Field", step: int) -> bool:
        """Save the ships of 4 - step decks; return False when none are left."""
        d = self.data
        decks = 4 - step
        at = _PLACED
        for longer in range(4, decks, -1):
            at += d[_FLEET + 5 - longer]
        w = d[_FLEET]
        ship = field.ship
        for cell in range(w * w):
            s = ship[cell]
            if not s or cell % w and ship[cell - 1] == s or cell >= w and ship[cell - w] == s:
                continue
            # the first cell of a ship: find its length and direction
            down = cell + w < w * w and ship[cell + w] == s
            by = w if down else 1
            n = 1
            while n < 4 and cell + n * by < w * w and ship[cell + n * by] == s and (down or (cell + n) % w):
                n += 1
            if n == decks and at < _PLACED + _SHIPS:
                d[at] = cell | (0x80 if down else 0)
                at += 1
        self.changed = True
        return decks > 1

    def place(self, field: "Field", step: int) -> bool:
        """Place the saved ship number `step`, from 0; return False when none is left."""
        d = self.data
        k = step
        for decks in range(4, 0, -1):
            n = d[_FLEET + 5 - decks]
            if k < n:
                break
            k -= n
        else:
            return False
        b = d[_PLACED + step]
        w = d[_FLEET]
        field.place((b & 127) % w, (b & 127) // w, decks, b >= 128)
        return True


def _transliterate(c: int, out: bytearray, k: int) -> int:
    """Write a Russian letter in ASCII letters into `out` from `k` on; return the next position."""
    if c >= 240:
        n = 5 if c == 240 else 37
    else:
        n = c - 128 if c < 176 else c - 176
    entry = 0
    first = True
    for b in _LATIN:
        if b == 44:
            entry += 1
        elif entry == n & 31:
            out[k] = b if first and n < 32 else b | 32
            first = False
            k += 1
    return k
