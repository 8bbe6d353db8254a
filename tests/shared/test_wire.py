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
    """What the reader makes of these bytes: a list of (opcode, body)."""
    out = []
    for b in data:
        if reader.feed(b) == wire.FRAME:
            out.append((reader.op, bytes(reader.data[: reader.size])))
    return out


def test_every_opcode_of_the_page_is_in_the_table():
    assert len(PAGE) == len(wire.TABLE)
    for op, size, sender, reply in PAGE:
        row = wire.exchange(op)
        assert row[wire.OPCODE] == op and row[wire.REPLY] == reply
        assert {wire.MASTER: "m", wire.SLAVE: "s", wire.BOTH: "both"}[row[wire.SENDER]] == sender
        fields = row[wire.FIELDS].split()
        assert (-1 if fields[:1] == ["l"] else len(fields)) == size


def test_a_reply_is_its_command_with_the_nibbles_swapped_except_sync():
    for row in wire.TABLE:
        op = row[wire.OPCODE]
        if op != 0xAA:
            assert row[wire.REPLY] == (op >> 4 | (op & 15) << 4)


def test_commands_and_replies_and_noise_are_told_by_the_first_byte():
    commands = [b for b in range(256) if wire.is_command(b)]
    replies = [b for b in range(256) if wire.is_reply(b)]
    assert commands == sorted([p[0] for p in PAGE])
    assert replies == sorted([p[3] for p in PAGE] + [0x1C, 0x2C, 0x3C])
    for b in range(256):
        assert (wire.exchange(b) is not None) == (b in commands or b in replies)


def test_a_reply_belongs_to_its_command():
    for row in wire.TABLE:
        assert wire.command_of(row[wire.REPLY]) == row[wire.OPCODE]
    for b in (0x0C, 0x1C, 0x2C, 0x3C):
        assert wire.command_of(b) == 0xC0
    assert wire.command_of(0xC0) == 0 and wire.command_of(0x55) == 0


def test_reader_takes_frames_apart():
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


def test_reader_takes_the_longest_text():
    body = bytes([i for i in range(255)])
    assert frames(wire.Reader(), b"\xb3\xff" + body + b"\xaa") == [(0xB3, body), (0xAA, b"")]


def test_reader_skips_noise():
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


def test_reader_that_is_reset_is_as_good_as_new():
    for begun in (b"\xc0\x01", b"\xb1", b"\xb1\x05A", b"\xb2\x0a\x01", b"\xaa"):
        r = wire.Reader()
        for b in begun:
            r.feed(b)
        r.tick()
        r.reset()
        new = wire.Reader()
        assert (r.op, r.size, r.within, r.sign) == (new.op, new.size, new.within, new.sign)
        assert frames(r, b"\xb1\x01A\xc0\x03\x04") == [(0xB1, b"A"), (0xC0, b"\x03\x04")]


def test_signature_tells_long_frames_apart_by_any_of_their_bytes():
    text = b"a line of chat, as people write"
    signs = []
    for i in range(len(text) + 1):
        r = wire.Reader()
        for b in bytes([0xB3, len(text)]) + text[:i] + (b"#" + text[i + 1 :] if i < len(text) else b""):
            r.feed(b)
        signs.append(r.sign)
    assert len(set(signs)) == len(signs)


def test_signature_tells_frames_apart():
    r = wire.Reader()
    signs = []
    shots_and_nicks = (b"\xc0\x01\x02", b"\xc0\x02\x01", b"\xb1\x01A", b"\xb1\x01B", b"\xb1\x02AB", b"\xb1\x02BA")
    for data in shots_and_nicks + (b"\xaa", b"\xa1"):
        for b in data:
            r.feed(b)
        signs.append(r.sign)
    assert len(set(signs)) == len(signs)
    for b in b"\xc0\x01\x02":
        r.feed(b)
    assert r.sign == signs[0] and max(signs) < 2**24


def test_tagged_counts():
    assert [wire.count_of(4, b) for b in (0x01, 0x41, 0x40)] == [1, 1, 0]
    assert wire.count_of(1, 0x1A) == 10 and wire.count_of(1, 0x0A) == 10
    assert wire.count_of(3, 0x41) == 0x41  # another ship's tag stays visible to the range check


def test_who_may_send_what_when():
    assert wire.illegal(0xC0, wire.MASTER, 4, wire.MASTER, 0) == 0
    assert wire.illegal(0xC0, wire.SLAVE, 4, wire.MASTER, 0) == wire.R_TURN
    assert wire.illegal(0xC0, wire.MASTER, 3, wire.MASTER, 0) == wire.R_STATE
    assert wire.illegal(0xC0, wire.SLAVE, 4, wire.SLAVE, wire.MASTER) == wire.R_FLEET_SUNK
    assert wire.illegal(0xA9, wire.SLAVE, 4, wire.SLAVE, wire.SLAVE) == 0
    assert wire.illegal(0xA9, wire.SLAVE, 4, wire.SLAVE, 0) == wire.R_NOT_WON
    assert wire.illegal(0xA4, wire.MASTER, 3, 0, 0) == wire.R_SENDER
    assert wire.may_send(0xA6, wire.SLAVE, 1) and not wire.may_send(0xA6, wire.SLAVE, 9)
    assert wire.may_send(0xA4, wire.SLAVE, 3) and not wire.may_send(0xA4, wire.MASTER, 3)


def test_parameters_are_refused_by_their_ranges_and_by_the_lenient_reading_of_the_wall_rule():
    assert wire.params_fault(bytes([10, 1, 2, 3, 4])) == 0
    assert wire.params_fault(bytes([10, 0x41, 0x32, 0x23, 0x14])) == 0
    assert wire.params_fault(bytes([6, 1, 2, 5, 10])) == wire.R_FLEET
    for text in ("5 1 2 3 4", "11 1 2 3 4", "10 2 2 3 4", "10 1 3 3 4", "10 1 2 6 4", "10 1 2 3 0", "10 1 2 3 11"):
        assert wire.params_fault(bytes([int(n) for n in text.split()])) == wire.R_PARAMS, text
    lenient = 0
    for n2 in range(6):
        for n1 in range(1, 11):
            if check(6, 0, 1, n2, n1) == NO_ROOM and check(6, 0, 1, n2, n1, True) == OK:
                assert wire.params_fault(bytes([6, 0, 1, n2, n1])) == 0
                lenient += 1
    assert lenient


def test_what_is_tolerated():
    assert wire.tolerated(0xA5, wire.MASTER, 4) and wire.tolerated(0xA5, wire.SLAVE, 2)
    assert wire.tolerated(0xA5, wire.MASTER, 1) is None and wire.tolerated(0xA4, wire.SLAVE, 2) is None
