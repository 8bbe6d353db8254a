"""The table of exchanges against the protocol's text, and the reader of frames."""

from seabattle import wire
from seabattle.fleet import NO_ROOM, OK, check

# "Frames" of the protocol: opcode, bytes behind it (-1: a length byte leads them), sender, reply.
PAGE = (
    (0xAA, 0, "m", 0x01),
    (0xA0, 0, "both", 0x0A),
    (0xA1, 0, "m", 0x1A),
    (0xA2, 0, "m", 0x2A),
    (0xA3, 0, "m", 0x3A),
    (0xA4, 0, "s", 0x4A),
    (0xA5, 0, "m", 0x5A),
    (0xA6, 0, "both", 0x6A),
    (0xA7, 0, "both", 0x7A),
    (0xA8, 0, "both", 0x8A),
    (0xA9, 0, "both", 0x9A),
    (0xB1, -1, "both", 0x1B),
    (0xB2, 5, "m", 0x2B),
    (0xB3, -1, "both", 0x3B),
    (0xC0, 2, "both", 0x0C),
)


def frames(reader, data):
    """Return what the reader makes of these bytes: a list of (opcode, body)."""
    out = []
    for b in data:
        if reader.feed(b) == wire.FRAME:
            out.append((reader.op, bytes(reader.data[: reader.size])))
    return out


def test_every_opcode_of_the_page_is_in_the_table_and_the_first_byte_tells_commands_and_replies_and_noise():
    assert len(PAGE) == len(wire.TABLE)
    for op, size, sender, reply in PAGE:
        row = wire.exchange(op)
        assert row[wire.OPCODE] == op and row[wire.REPLY] == reply
        assert {wire.MASTER: "m", wire.SLAVE: "s", wire.BOTH: "both"}[row[wire.SENDER]] == sender
        fields = row[wire.FIELDS].split()
        assert (-1 if fields[:1] == ["l"] else len(fields)) == size
        # A reply is its command with the nibbles swapped, except sync.
        assert reply == (op >> 4 | (op & 15) << 4) or op == 0xAA
    answers = dict([(reply, op) for op, _, _, reply in PAGE] + [(0x1C, 0xC0), (0x2C, 0xC0), (0x3C, 0xC0)])
    commands = [row[0] for row in PAGE]
    for b in range(256):
        assert bool(wire.is_command(b)) == (b in commands) and bool(wire.is_reply(b)) == (b in answers)
        assert wire.command_of(b) == answers.get(b, 0)
        assert (wire.exchange(b) is not None) == (b in commands or b in answers)


def test_reader_takes_frames_apart_and_skips_noise():
    data = bytes([0xAA, 0xC0, 3, 4, 0xB1, 2, 0xAA, 0x41, 0xB2, 10, 1, 2, 3, 4, 0x2B, 10, 1, 2, 3, 4, 0xB3, 0, 0x01])
    assert frames(wire.Reader(), data) == [
        (0xAA, b""),
        (0xC0, b"\x03\x04"),
        (0xB1, b"\xaaA"),
        (0xB2, b"\x0a\x01\x02\x03\x04"),
        (0x2B, b"\x0a\x01\x02\x03\x04"),
        (0xB3, b""),
        (0x01, b""),
    ]
    longest = bytes([i for i in range(255)])
    assert frames(wire.Reader(), b"\xb3\xff" + longest + b"\xaa") == [(0xB3, longest), (0xAA, b"")]
    r = wire.Reader()
    assert [r.feed(b) for b in (0x00, 0x55, 0xFF, 0xAA)] == [wire.NOISE, wire.NOISE, wire.NOISE, wire.FRAME]


def test_reader_drops_a_frame_whose_next_byte_stays_away_for_more_than_4_ticks():
    r = wire.Reader()
    r.feed(0xC0)
    assert [r.tick() for _ in range(5)] == [False, False, False, False, True]
    assert not r.within and r.feed(0xAA) == wire.FRAME
    r.feed(0xC0)
    for _ in range(4):
        r.tick()
    r.feed(1)
    for _ in range(4):
        assert not r.tick()
    assert r.feed(2) == wire.FRAME
    assert not r.tick()


def test_signature_tells_frames_apart_and_long_ones_by_any_of_their_bytes():
    short = [b"\xc0\x01\x02", b"\xc0\x02\x01", b"\xb1\x01A", b"\xb1\x01B", b"\xb1\x02AB", b"\xb1\x02BA"]
    short += [b"\xaa", b"\xa1"]
    text = b"a line of chat, as people write"
    head = bytes([0xB3, len(text)])
    long = [head + text] + [head + text[:i] + b"#" + text[i + 1 :] for i in range(len(text))]
    r = wire.Reader()
    signs = []
    for data in short + long + short[:1]:
        for b in data:
            r.feed(b)
        signs.append(r.sign)
    assert len(set(signs)) == len(signs) - 1 and signs[-1] == signs[0] and max(signs) < 2**24


def test_tagged_counts():
    assert [wire.count_of(4, b) for b in (0x01, 0x41, 0x40)] == [1, 1, 0]
    assert wire.count_of(1, 0x1A) == 10 and wire.count_of(1, 0x0A) == 10
    assert wire.count_of(3, 0x41) == 0x41  # another ship's tag stays visible to the range check


def test_who_may_send_what_when():
    M, S, NONE = wire.MASTER, wire.SLAVE, wire.NOBODY
    for op, sender, state, turn, winner, why in (
        (0xC0, M, 4, M, NONE, 0),
        (0xC0, S, 4, M, NONE, wire.R_TURN),
        (0xC0, M, 3, M, NONE, wire.R_STATE),
        (0xC0, S, 4, S, M, wire.R_FLEET_SUNK),
        (0xA9, S, 4, S, S, 0),
        (0xA9, S, 4, S, NONE, wire.R_NOT_WON),
        (0xA4, M, 3, NONE, NONE, wire.R_SENDER),
    ):
        assert wire.illegal(op, sender, state, turn, winner) == why, (op, sender, state)
    assert wire.may_send(0xA6, S, 1) and not wire.may_send(0xA6, S, 9)
    assert wire.may_send(0xA4, S, 3) and not wire.may_send(0xA4, M, 3)
    assert wire.tolerated(0xA5, M, 4) and wire.tolerated(0xA5, S, 2)
    assert wire.tolerated(0xA5, M, 1) is None and wire.tolerated(0xA4, S, 2) is None


def test_parameters_are_refused_by_their_ranges_and_by_the_lenient_reading_of_the_wall_rule():
    assert wire.params_fault(bytes([10, 1, 2, 3, 4])) == 0
    assert wire.params_fault(bytes([10, 0x41, 0x32, 0x25, 0x1A])) == 0
    for i in (1, 2, 3, 4):  # one of them is tagged
        numbers = bytearray([10, 1, 2, 5, 10])
        numbers[i] |= 5 - i << 4
        assert wire.params_fault(numbers) == 0
    assert wire.params_fault(bytes([6, 1, 2, 5, 10])) == wire.R_FLEET
    for text in ("5 1 2 3 4", "11 1 2 3 4", "10 2 2 3 4", "10 1 3 3 4", "10 1 2 6 4", "10 1 2 3 0", "10 1 2 3 11"):
        assert wire.params_fault(bytes([int(n) for n in text.split()])) == wire.R_PARAMS, text
    only_lenient = (6, 0, 1, 4, 2)
    assert (check(*only_lenient), check(*only_lenient, True)) == (NO_ROOM, OK)
    assert wire.params_fault(bytes(only_lenient)) == 0
