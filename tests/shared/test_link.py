"""Every rule of the protocol, one test a rule, against one side of a session.

The bytes in these tests are written out by hand from the protocol's text, not made by the code under test.
"""

from endpoint import ECHO, PARAMS, Endpoint, at, calm, master, slave, to_bytes, to_text

from seabattle import link as L
from seabattle import wire
from seabattle.rng import Rng

MASTER = wire.MASTER
SLAVE = wire.SLAVE

# The peer's commands, whole, in the order of the protocol's table.
COMMANDS = {
    0xAA: "AA",
    0xA0: "A0",
    0xA1: "A1",
    0xA2: "A2",
    0xA3: "A3",
    0xA4: "A4",
    0xA5: "A5",
    0xA6: "A6",
    0xA7: "A7",
    0xA8: "A8",
    0xA9: "A9",
    0xB1: "B1 02 41 42",
    0xB2: PARAMS,
    0xB3: "B3 02 48 49",
    0xC0: "C0 01 01",
}

# "States and what is legal in them": what a master may send to a slave that is in this state ...
FROM_MASTER = {
    0: "AA A0 A1 B1",
    1: "AA A0 A2 A6 A7 A8 B1 B2 B3",
    2: "AA A0 A3 A5 A6 A7 A8 B1 B3",
    3: "AA A0 A5 A6 A7 A8 B1 B3",
    4: "AA A0 A6 A7 A8 B1 B3 C0",  # the master shoots first
    9: "AA A0 A5 A7 A8 B1 B3",
}
# ... and a slave to a master.
FROM_SLAVE = {
    0: "A0 B1",
    1: "A0 A6 A7 A8 B1 B3",
    2: "A0 A6 A7 A8 B1 B3",
    3: "A0 A4 A6 A7 A8 B1 B3",
    4: "A0 A6 A7 A8 B1 B3",
    9: "A0 A7 A8 B1 B3",
}
# What real programs send beside that, and a player bears: A5 in the battle, A5 from a slave.
BORNE = {MASTER: {4: "A5"}, SLAVE: {s: "A5" for s in (0, 1, 2, 3, 4, 9)}}

# "A reply is its command with the two nibbles swapped, except sync and shots."
REPLY = {0xAA: "01", 0xA2: "2A", 0xB2: ECHO}


def reply_to(op):
    return REPLY.get(op) or "%02X" % (op >> 4 | (op & 15) << 4)


def from_peer_of(role):
    return FROM_MASTER if role == SLAVE else FROM_SLAVE


def test_each_legal_command_of_each_state_gets_its_reply():
    for role in (MASTER, SLAVE):
        for state, legal in from_peer_of(role).items():
            for h in legal.split():
                op = int(h, 16)
                s = at(role, state)
                if op == 0xA2:
                    s.hear(PARAMS)
                got = s.hear(COMMANDS[op])
                if op == 0xC0:
                    assert got == "" and s.events() == [(L.EV_SHOT, 1, 1)]
                    s.link.answer(wire.MISS)
                    assert s.sent() == "0C"
                else:
                    first = " ".join(got.split()[: 6 if op == 0xB2 else 1])
                    assert first == reply_to(op), (role, state, h, got)


def test_each_illegal_command_of_each_state_gets_A8_and_ends_in_state_0_after_a_key():
    for role in (MASTER, SLAVE):
        peer = wire.BOTH ^ role
        for state in (1, 2, 3, 4, 9):
            legal = from_peer_of(role)[state].split() + BORNE[peer].get(state, "").split()
            for op, frame in COMMANDS.items():
                if "%02X" % op in legal:
                    continue
                s = at(role, state)
                s.hear("B1 01 5A")  # so that no frame is the same as the last command
                s.events()
                assert s.hear(frame) == "A8", (role, state, frame)
                ev = s.events()
                assert [e[0] for e in ev] == [L.EV_BROKEN], (role, state, frame, ev)
                assert ev[0][1] == op and ev[0][2] > 0
                assert s.link.key_awaited and s.link.state == 8
                assert s.hear("8A") == ""
                assert s.link.state == 8  # the person has to see it
                s.link.key()
                assert s.link.state == 0 and s.codes() == [L.EV_IDLE]


def test_state_0_answers_no_illegal_command_with_A8():
    for role in (MASTER, SLAVE):
        for op, frame in COMMANDS.items():
            if "%02X" % op in from_peer_of(role)[0].split():
                continue
            s = at(role, 0)
            got = s.hear(frame)
            assert got in ("", "7A", "8A") and s.link.state == 0, (role, frame, got)
            assert s.link.strays + s.link.deviations > 0


def test_reason_of_an_illegal_command():
    for role, state, frame, reason in (
        (SLAVE, 1, "A4", wire.R_SENDER),
        (SLAVE, 2, "C0 01 01", wire.R_STATE),
        (MASTER, 4, "C0 01 01", wire.R_TURN),
        (MASTER, 2, "A4", wire.R_STATE),
        (SLAVE, 4, "C0 07 01", wire.R_CELL),
        (SLAVE, 4, "C0 00 01", wire.R_CELL),
        (SLAVE, 4, "C0 01 07", wire.R_CELL),
        (SLAVE, 4, "A9", wire.R_NOT_WON),
        (SLAVE, 1, "A2", wire.R_NO_PARAMS),
    ):
        s = at(role, state)
        assert s.hear(frame) == "A8"
        assert s.events() == [(L.EV_BROKEN, int(frame.split()[0], 16), reason)], frame


# Line and time.


def test_master_sends_something_at_least_every_10_ticks():
    s = master(4)
    s.link.shoot(1, 1)
    s.sent()
    silent = 0
    for _ in range(100):
        s.link.tick()
        out = s.sent()
        silent = 0 if out else silent + 1
        assert silent < 10
        if out:
            assert out == "AA"
            s.hear("01")


def test_any_command_counts_as_sync():
    s = master(2)
    while s.sent() != "AA":
        s.link.tick()
    s.hear("01")
    s.ticks(5)
    s.link.ready()
    assert s.sent() == "A3"
    s.hear("3A")
    quiet = 0
    while s.sent() != "AA":
        s.link.tick()
        quiet += 1
    assert quiet == 10


def test_no_sync_inside_a_frame_nor_between_a_command_and_its_answer():
    s = slave(4)
    s.hear("C0 01 01")
    s.link.answer(wire.MISS)
    s.sent()
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("0C")
    m.hear("C0 01 01")
    for _ in range(30):
        m.link.tick()
        assert m.sent() == ""
    m.link.answer(wire.MISS)
    assert m.sent().split()[0] == "0C"


def test_timeout_of_each_command_that_needs_a_reply():
    for op, prepare in (
        ("A1", lambda: master(0)),
        ("B2", lambda: master(1)),
        ("A2", lambda: master(1)),
        ("A3", lambda: master(2)),
        ("A4", lambda: slave(3)),
        ("A5", lambda: master(2)),
        ("A6", lambda: slave(1)),
        ("C0", lambda: master(4)),
    ):
        s = prepare()
        ask(s, op)
        out = s.ticks(60, s.alive())
        assert out == "" and L.EV_TIMEOUT not in s.codes(), op
        s.ticks(2, s.alive())
        assert (L.EV_TIMEOUT, int(op, 16), 0) in s.events(), op
        assert s.link.hung and s.link.key_awaited
        before = s.link.state
        s.ticks(200, s.alive())
        assert s.link.state == before and s.codes() == []  # it waits for the person
        s.link.key()
        assert s.sent() == "A0" and s.link.state == 0 and s.codes() == [L.EV_IDLE]


def ask(s, op):
    """Make the link send the command `op`, alone."""
    link = s.link
    if op == "A1":
        s.link.tick()
        s.sent()
        assert s.hear("01") == "A1"
    elif op == "B2":
        link.offer(6, 0, 0, 0, 2)
        assert s.sent() == PARAMS
    elif op == "A2":
        link.offer(6, 0, 0, 0, 2)
        s.sent()
        assert s.hear(ECHO) == "A2"
    elif op in ("A3", "A4"):
        link.ready()
        assert s.sent() == op
    elif op == "A5":
        link.restart()
        assert s.sent() == op
    elif op == "A6":
        link.surrender()
        assert s.sent() == op
    elif op == "C0":
        link.shoot(3, 4)
        assert s.sent() == "C0 03 04"


def test_late_reply_before_the_key_goes_on_as_if_nothing_had_happened():
    for op, reply, prepare, state in (
        ("A1", "1A", lambda: master(0), 1),
        ("B2", ECHO, lambda: master(1), 1),
        ("A2", "2A", lambda: master(1), 2),
        ("A3", "3A", lambda: master(2), 3),
        ("A4", "4A", lambda: slave(3), 4),
        ("A5", "5A", lambda: master(2), 1),
        ("A6", "6A", lambda: slave(1), 9),
        ("C0", "0C", lambda: master(4), 4),
    ):
        s = prepare()
        ask(s, op)
        s.ticks(150, s.alive())
        assert s.link.hung
        s.events()
        s.hear(reply)
        codes = s.codes()
        assert codes[0] == L.EV_RESUMED and not s.link.hung, op
        assert s.link.state == state, (op, s.link.state)
        assert s.link.key() == L.NOT_NOW


def test_slave_that_hears_nothing_for_60_ticks():
    for state in (1, 2, 3, 4):
        s = slave(state)
        s.hear("AA")
        s.ticks(60)
        assert s.codes() == []
        s.ticks(1)
        assert s.events() == [(L.EV_TIMEOUT, 0, 0)]
        s.hear("AA")
        assert s.codes() == [L.EV_RESUMED] and s.link.state == state
        s.ticks(61)
        s.link.key()
        assert s.sent() == "A0" and s.link.state == 0


def test_slave_in_state_0_waits_without_end():
    s = slave(0)
    assert s.ticks(1000) == "" and s.codes() == []


def test_master_whose_syncs_are_not_answered():
    for state in (1, 2, 3, 4):
        s = master(state)
        s.ticks(80)
        assert s.events() == [(L.EV_TIMEOUT, 0, 0)], state
        s.hear("01")
        assert s.codes() == [L.EV_RESUMED] and s.link.state == state


def test_any_legal_command_of_the_slave_answers_a_sync():
    s = master(3)
    for _ in range(4):
        s.ticks(40)
        s.hear("B1 01 41")
    assert L.EV_TIMEOUT not in s.codes()


def test_a_hung_master_keeps_the_slave_in_sync():
    s = master(4)
    s.link.shoot(1, 1)
    s.sent()
    syncs = 0
    for i in range(200):
        if i % 8 == 0:
            s.hear("01")
        s.link.tick()
        syncs += s.sent().count("AA")
    assert s.link.hung and syncs >= 19


def test_A0_sends_both_to_state_0():
    for role in (MASTER, SLAVE):
        for state in (1, 2, 3, 4, 9):
            s = at(role, state)
            assert s.hear("A0") == "0A"
            assert s.link.state == 0 and s.codes() == [L.EV_PEER_TIMEOUT]


def test_missing_0A_is_no_error():
    s = slave(2)
    s.ticks(61)
    s.link.key()
    s.events()
    assert s.sent() == "A0"
    s.ticks(100)
    assert s.codes() == [] and s.link.state == 0


# Meeting.


def test_master_syncs_in_state_0_until_the_slave_answers_then_sends_A1():
    s = master(0)
    for _ in range(5):
        s.ticks(9)
        s.link.tick()
    assert s.link.state == 0
    assert s.hear("01") == "A1" and s.link.state == 0
    assert s.hear("1A") == "" and s.link.state == 1 and s.codes() == [L.EV_MET]


def test_slave_answers_syncs_until_A1():
    s = slave(0)
    assert s.hear("AA") == "01" and s.hear("AA") == "01"
    assert s.hear("A1") == "1A" and s.link.state == 1 and s.codes() == [L.EV_MET]


def test_burst_of_sync_and_A1():
    assert slave(0).hear("AA A1") == "01 1A"


# Nick.


def test_nick_is_sent_once_in_state_1_in_either_role():
    m = master(0, nick=b"MASTER")
    m.link.tick()
    m.sent()
    m.hear("01")
    assert m.hear("1A") == "B1 06 4D 41 53 54 45 52"
    m.hear("1B")
    assert m.codes() == [L.EV_MET, L.EV_NICK_SENT]
    s = slave(0, nick=b"S")
    assert s.hear("AA A1") == "01 1A B1 01 53"
    s.hear("1B")
    assert s.hear("B1 01 41") == "1B"  # never with our nick again: endless loop


def test_nick_can_come_in_any_state():
    for role in (MASTER, SLAVE):
        for state in (0, 1, 2, 3, 4, 9):
            s = at(role, state)
            assert s.hear("B1 03 41 42 43") == "1B"
            assert s.codes() == [L.EV_NICK]
            assert bytes(s.link.peer_nick[: s.link.peer_nick_len]) == b"ABC"
            assert s.link.state == state


def test_nick_of_any_length_is_read_to_its_end_and_cut_for_display():
    for n in (0, 1, 10, 11, 20, 21, 128, 255):
        s = slave(1)
        assert s.hear("B1 %02X" % n + " 41" * n) == "1B", n
        assert s.link.peer_nick_len == min(n, 20)
        assert s.hear("AA") == "01" and s.link.noise == 0


def test_AA_inside_a_nick_is_a_letter():
    s = slave(1)
    assert s.hear("B1 02 AA A1") == "1B"
    assert bytes(s.link.peer_nick[:2]) == b"\xaa\xa1" and s.link.state == 1


def test_missing_1B_is_reported_and_the_session_goes_on():
    s = slave(0, nick=b"ME")
    s.hear("AA A1")
    s.ticks(62, "AA")
    assert L.EV_NICK_LOST in s.codes() and not s.link.hung
    assert s.hear(PARAMS) == ECHO


def test_nick_of_more_than_10_bytes_is_refused():
    s = slave(0)
    assert s.link.nick(b"12345678901", 11) == L.OUT_OF_RANGE
    assert s.link.nick(b"", 0) == L.OUT_OF_RANGE


def test_new_nick_during_the_game_is_sent():
    s = slave(0, nick=b"ME")
    s.hear("AA A1")
    s.hear("1B")
    s.link.nick(b"YOU", 3)
    assert s.sent() == "B1 03 59 4F 55"


# Parameters.


def test_parameters_are_echoed_byte_for_byte():
    s = slave(1)
    assert s.hear("B2 0A 01 02 03 04") == "2B 0A 01 02 03 04"
    assert s.codes() == [L.EV_PARAMS]
    assert (s.link.size, s.link.decks) == (10, 20)
    assert [s.link.ships(d) for d in (4, 3, 2, 1)] == [1, 2, 3, 4]


def test_tagged_parameters_are_understood_and_echoed_as_they_came():
    s = slave(1)
    assert s.hear("B2 0A 41 32 23 14") == "2B 0A 41 32 23 14"
    assert [s.link.ships(d) for d in (4, 3, 2, 1)] == [1, 2, 3, 4]


def test_tagged_parameters_can_be_chosen_for_sending():
    s = master(1)
    s.link.tagged = True
    s.link.offer(10, 1, 2, 3, 4)
    assert s.sent() == "B2 0A 41 32 23 14"
    assert s.hear("2B 0A 41 32 23 14") == "A2"
    assert [s.link.ships(d) for d in (4, 3, 2, 1)] == [1, 2, 3, 4]


def test_wrong_echo_is_a_protocol_error():
    s = master(1)
    s.link.offer(6, 0, 0, 0, 2)
    s.sent()
    assert s.hear("2B 06 00 00 00 03") == "A8"
    assert s.events() == [(L.EV_BROKEN, 0x2B, wire.R_ECHO)]


def test_slave_answers_parameters_outside_the_ranges_with_A8():
    for frame, reason in (
        ("B2 05 00 00 00 01", wire.R_PARAMS),
        ("B2 0B 00 00 00 01", wire.R_PARAMS),
        ("B2 0A 02 00 00 01", wire.R_PARAMS),
        ("B2 0A 00 03 00 01", wire.R_PARAMS),
        ("B2 0A 00 00 06 01", wire.R_PARAMS),
        ("B2 0A 00 00 00 00", wire.R_PARAMS),
        ("B2 0A 00 00 00 0B", wire.R_PARAMS),
        ("B2 0A 31 32 23 14", wire.R_PARAMS),  # tagged as another ship
        ("B2 06 01 02 05 0A", wire.R_FLEET),
    ):
        s = slave(1)
        assert s.hear(frame) == "A8", frame
        assert s.events() == [(L.EV_BROKEN, 0xB2, reason)], frame


def test_master_never_sends_bad_parameters():
    s = master(1)
    for p in ((5, 0, 0, 0, 1), (11, 0, 0, 0, 1), (10, 2, 0, 0, 1), (10, 0, 0, 0, 0), (6, 1, 2, 5, 10)):
        assert s.link.offer(*p) == L.OUT_OF_RANGE
    assert s.sent() == ""
    assert slave(1).link.offer(10, 1, 2, 3, 4) == L.NOT_YOURS


# Placing.


def test_slave_that_is_ready_first_waits_for_A3():
    s = slave(2)
    assert s.link.ready() == L.DONE
    assert s.ticks(40, "AA") == ""
    assert s.hear("A3") == "3A A4"
    s.hear("4A")
    assert s.link.state == 4


def test_slave_that_is_ready_later_sends_A4_alone():
    s = slave(3)
    s.link.ready()
    assert s.sent() == "A4"


def test_master_shoots_first():
    m = master(4)
    s = slave(4)
    assert m.link.mine and not s.link.mine
    assert s.link.shoot(1, 1) == L.NOT_NOW


# Battle.


def test_turn_passes_after_a_miss_and_after_already_shot():
    for code, stays in (("0C", False), ("1C", True), ("2C", True), ("3C", False)):
        m = master(4)
        m.link.shoot(1, 1)
        m.sent()
        m.hear(code)
        assert m.link.mine == stays, code
        assert m.events() == [(L.EV_ANSWER, int(code, 16), 0)]
        s = slave(4)
        s.hear("C0 01 01")
        s.link.answer(int(code, 16))
        assert s.sent() == code
        assert s.link.mine == (not stays), code


def test_the_reply_of_an_owner_in_a_hurry_is_sent_before_rx_returns():
    """A board's way: `urgent` sends, `judge` answers; tx() has nothing, and the events tell what was answered."""
    link = slave(4).link
    sent = bytearray()
    link.urgent = sent.append
    link.judge = lambda: link.answer(wire.REPEAT if link.asked == 0x21 else wire.MISS)
    told = []
    for text, reply in (("C0 01 02", "3C"), ("AA", "01"), ("A6", "6A"), ("A5", "5A"), (PARAMS, ECHO), ("A2", "2A")):
        before = len(sent)
        for byte in to_bytes(text):
            link.rx(byte)
        assert to_text(sent[before:]) == reply and link.tx() == -1
        while link.event():
            told.append((link.told[0], link.told[L.TOLD_CELL], link.told[L.TOLD_ANSWER]))
    assert told[0] == (L.EV_SHOT, 0x21, wire.REPEAT)


def test_coordinates_are_column_then_row_from_1():
    s = slave(4)
    s.hear("C0 02 05")
    assert s.events() == [(L.EV_SHOT, 2, 5)]
    m = master(4)
    assert m.link.shoot(0, 1) == L.OUT_OF_RANGE
    assert m.link.shoot(1, 7) == L.OUT_OF_RANGE
    assert m.link.shoot(6, 3) == L.DONE
    assert m.sent() == "C0 06 03"


def test_an_answer_that_the_line_doubles_is_not_the_answer_to_the_next_shot():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("2C")
    m.link.shoot(3, 3)
    m.hear("2C")
    assert m.link.its_losses == 1 and m.link.strays == 1
    assert m.ticks(2) == "C0 03 03"
    m.hear("0C")
    assert m.link.its_losses == 1


def test_one_command_at_a_time():
    m = master(4)
    m.link.shoot(1, 1)
    assert m.sent() == "C0 01 01"
    m.link.surrender()
    assert m.sent() == ""
    assert m.hear("0C") == "A6"


def test_second_command_before_the_first_is_answered_breaks_the_protocol():
    s = slave(4)
    for b in (0xC0, 1, 1, 0xC0, 2, 2):
        s.link.rx(b)
    assert s.sent() == "A8"
    assert (L.EV_BROKEN, 0xC0, wire.R_SECOND) in s.events()


# The end.


def shoot_again(m):
    """The second shot, two ticks after a hit."""
    m.link.shoot(3, 3)
    assert m.ticks(2, m.alive()) == "C0 03 03"


def win(m):
    """The master sinks both ships of one deck."""
    m.link.shoot(1, 1)
    m.sent()
    assert m.hear("2C") == ""
    shoot_again(m)
    return m.hear("2C")


def lose(s):
    for frame in ("C0 01 01", "C0 03 03"):
        s.hear(frame)
        s.link.answer(wire.SUNK)
        assert s.sent() == "2C"


def test_winner_sends_A9_after_the_last_2C():
    m = master(4)
    assert win(m) == "A9"
    assert m.link.state == 4
    m.hear("9A")
    assert m.link.state == 9 and m.events()[-1] == (L.EV_OVER, L.WE_WON, L.BY_SHOTS)


def test_loser_answers_A9_and_both_are_in_state_9():
    s = slave(4)
    lose(s)
    assert s.hear("A9") == "9A"
    assert s.link.state == 9 and s.events()[-1] == (L.EV_OVER, L.WE_LOST, L.BY_SHOTS)


def test_loser_goes_to_state_9_by_its_own_count_and_still_answers_a_late_A9():
    s = slave(4)
    lose(s)
    s.ticks(60, "AA")
    assert s.link.state == 4
    s.ticks(2, "AA")
    assert s.link.state == 9 and s.events()[-1] == (L.EV_OVER, L.WE_LOST, L.BY_SHOTS)
    assert s.hear("A9") == "9A" and s.link.state == 9 and s.codes() == []


def test_shot_from_a_side_whose_last_ship_is_sunk_breaks_the_protocol():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("2C")
    shoot_again(m)
    m.hear("2C")
    m.hear("C0 01 01")
    assert (L.EV_BROKEN, 0xC0, wire.R_FLEET_SUNK) in m.events()


def test_A9_from_a_side_that_has_not_won_breaks_the_protocol():
    s = slave(4)
    s.hear("C0 01 01")
    s.link.answer(wire.SUNK)
    s.sent()
    assert s.hear("A9") == "A8"


def test_missing_9A_is_borne():
    m = master(4)
    win(m)
    m.ticks(62, "01")
    assert m.link.state == 9 and m.events()[-1] == (L.EV_OVER, L.WE_WON, L.BY_SHOTS)


def test_last_deck_answered_with_1C_ends_the_game_too():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("2C")
    shoot_again(m)
    assert m.hear("1C") == "A9"


def test_surrender_in_each_state_leads_to_state_9():
    for role in (MASTER, SLAVE):
        for state in (1, 2, 3, 4):
            s = at(role, state)
            s.link.surrender()
            assert s.sent() == "A6"
            s.hear("6A")
            assert s.link.state == 9 and s.events() == [(L.EV_OVER, L.WE_LOST, L.BY_SURRENDER)]
            s = at(role, state)
            assert s.hear("A6") == "6A"
            assert s.link.state == 9 and s.events() == [(L.EV_OVER, L.WE_WON, L.BY_SURRENDER)]


def test_two_surrenders_that_cross():
    for role in (MASTER, SLAVE):
        s = at(role, 4)
        s.link.surrender()
        s.sent()
        assert s.hear("A6") == "6A"
        s.hear("6A")
        assert s.events() == [(L.EV_OVER, L.NO_RESULT, L.BY_SURRENDER)] and s.link.state == 9


def test_peer_that_is_gone_after_our_surrender_has_left():
    s = master(4)
    s.link.surrender()
    s.sent()
    s.ticks(80)
    assert [c for c in s.codes() if c != L.EV_NONE] == [L.EV_OVER, L.EV_LEFT]
    assert s.link.state == 0 and not s.link.hung


def test_peer_that_vanishes_after_the_end_has_left_without_an_error():
    for role in (MASTER, SLAVE):
        s = at(role, 9)
        s.ticks(80)
        assert s.codes() == [L.EV_LEFT] and s.link.state == 0 and not s.link.key_awaited


def test_restart_from_2_3_and_9_keeps_the_parameters():
    for state in (2, 3, 9):
        m = master(state)
        m.link.restart()
        assert m.sent() == "A5"
        m.hear("5A")
        assert m.link.state == 1 and m.codes() == [L.EV_RESTART] and m.link.agreed
        s = slave(state)
        assert s.hear("A5") == "5A"
        assert s.link.state == 1 and s.codes() == [L.EV_RESTART]
        assert s.hear("A2") == "2A" and s.link.state == 2  # D16: real masters send no new B2


def test_our_master_sends_B2_again_after_a_restart():
    m = master(9)
    m.link.restart()
    m.sent()
    m.hear("5A")
    m.link.offer(6, 0, 0, 0, 2)
    assert m.sent() == PARAMS


def test_restart_is_refused_to_a_slave_and_in_states_1_and_4():
    assert slave(9).link.restart() == L.NOT_YOURS
    assert master(1).link.restart() == L.NOT_NOW
    assert master(4).link.restart() == L.NOT_NOW


def test_goodbye_closes_with_the_answer_or_without():
    for role in (MASTER, SLAVE):
        for state in (1, 2, 3, 4, 9):
            for answer in (True, False):
                s = at(role, state)
                s.link.goodbye()
                assert s.sent() == "A7"
                if answer:
                    s.hear("7A")
                else:
                    s.ticks(70)
                assert s.codes() == [L.EV_CLOSED] and s.link.closed
                assert s.hear("AA") == "" and s.ticks(30) == ""


def test_goodbye_waits_for_the_answer_to_a_shot():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.link.goodbye()
    assert m.sent() == ""
    assert m.hear("0C") == "A7"


def test_goodbye_in_state_0_needs_no_bytes():
    s = master(0)
    s.link.goodbye()
    assert s.sent() == "" and s.codes() == [L.EV_CLOSED]


def test_goodbye_after_a_timeout():
    s = slave(4)
    s.ticks(61)
    s.link.goodbye()
    assert s.sent() == "A7"


def test_after_A7_the_one_who_stays_plays_its_role_in_state_0():
    m = master(4)
    assert m.hear("A7") == "7A"
    assert m.link.state == 0 and m.codes() == [L.EV_GOODBYE] and m.link.role == MASTER
    m.link.tick()
    assert m.sent() == "AA"
    s = slave(4)
    assert s.hear("A7") == "7A"
    assert s.ticks(100) == "" and s.hear("AA") == "01"


# Errors.


def test_A8_is_answered_and_leads_to_state_0_after_a_key():
    for role in (MASTER, SLAVE):
        for state in (1, 2, 3, 4, 9):
            s = at(role, state)
            assert s.hear("A8") == "8A"
            assert s.codes() == [L.EV_ACCUSED] and s.link.state == 8
            assert s.hear("AA") == "" and s.ticks(200) == ""
            s.link.key()
            assert s.link.state == 0


def test_missing_8A_is_no_error():
    s = slave(2)
    assert s.hear("A4") == "A8"
    s.link.key()
    assert s.link.state == 8  # still waiting for 8A
    s.ticks(62)
    assert s.link.state == 0 and s.codes() == [L.EV_BROKEN, L.EV_IDLE]


def test_while_a_key_is_awaited_after_A8_only_what_closes_the_matter_is_answered():
    s = slave(2)
    s.hear("A4")
    answered = (("A8", "8A"), ("A7", "7A"), ("A0", "0A"), ("B1 01 41", "1B"))
    for frame, reply in answered + (("A3", ""), ("AA", ""), ("A5", "")):
        assert s.hear(frame) == reply, frame
    assert s.link.state == 8


def test_false_answer_is_called_with_A8():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("1C")
    m.link.accuse(wire.R_NOT_SUNK)
    assert m.sent() == "A8"
    assert m.events()[-1] == (L.EV_BROKEN, 0xC0, wire.R_NOT_SUNK)


def test_false_last_answer_is_called_before_A9_goes_out():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("2C")
    shoot_again(m)
    m.link.rx(0x2C)
    while m.link.event() != L.EV_ANSWER:
        pass
    m.link.accuse(wire.R_NO_SUCH_SHIP)
    assert m.sent() == "A8"


# Decisions.


def test_D3_unfinished_frame_is_dropped_after_4_ticks():
    s = slave(4)
    s.hear("C0 01")
    s.ticks(4, "")
    assert s.hear("02") == ""
    assert s.events() == [(L.EV_SHOT, 1, 2)]
    s = slave(4)
    s.hear("C0 01")
    s.ticks(5)
    assert s.link.dropped == 1
    assert s.hear("02") == "" and s.events() == [] and s.link.noise == 1


def test_D3_unknown_first_byte_is_noise_and_never_a_reason_for_A8():
    for role in (MASTER, SLAVE):
        for state in (0, 1, 2, 3, 4, 9):
            s = at(role, state)
            n = 0
            for b in range(256):
                if not wire.is_command(b) and not wire.is_reply(b):
                    assert s.hear("%02X" % b) == ""
                    n += 1
            assert s.link.noise == n and s.link.state == state


def test_D4_a_command_is_answered_while_ours_waits():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    assert m.hear("B1 01 41") == "1B"
    assert m.hear("B3 02 48 49") == "3B"
    m.hear("0C")
    assert not m.link.my_turn


def test_D4_a_command_that_ends_the_state_forgets_ours():
    for frame, reply, state in (("A0", "0A", 0), ("A6", "6A", 9), ("A7", "7A", 0), ("A8", "8A", 8)):
        m = master(4)
        m.link.shoot(1, 1)
        m.sent()
        assert m.hear(frame) == reply
        assert m.link.busy == 0 and m.link.state == state
        m.hear("0C")
        assert m.link.state == state and m.link.strays == 1


def test_D4_restart_and_surrender_that_cross_both_end_in_state_1():
    m = master(3)
    m.link.restart()
    assert m.sent() == "A5"
    assert m.hear("A6") == "6A"
    m.hear("5A")
    assert m.link.state == 1
    s = slave(3)
    s.link.surrender()
    assert s.sent() == "A6"
    assert s.hear("A5") == "5A"
    s.hear("6A")
    assert s.link.state == 1


def test_D4_restart_and_readiness_that_cross():
    m = master(3)
    m.link.restart()
    m.sent()
    assert m.hear("A4") == "4A"
    m.hear("5A")
    s = slave(3)
    s.link.ready()
    s.sent()
    assert s.hear("A5") == "5A"
    s.hear("4A")
    assert m.link.state == s.link.state == 1


def test_D4_goodbye_survives_whatever_crosses_it():
    for frame in ("A6", "A7", "A8", "A0"):
        s = slave(4)
        s.link.goodbye()
        assert s.sent() == "A7"
        s.hear(frame)
        s.hear("7A")
        assert s.link.closed, frame


def test_D5_A2_may_follow_a_restart_but_not_the_first_meeting():
    s = slave(9)
    s.hear("A5")
    assert s.hear("A2") == "2A"
    s = slave(1)
    assert s.hear("A2") == "A8"
    assert s.events() == [(L.EV_BROKEN, 0xA2, wire.R_NO_PARAMS)]


def test_D11_chat_is_probed_once_and_its_absence_is_no_error():
    s = slave(1)
    s.hear(PARAMS)
    assert s.hear("A2") == "2A B3 01 20"
    assert s.link.say(b"HI", 2) == L.NO_CHAT
    s.ticks(62, "AA")
    assert (L.EV_CHAT_KNOWN, 0, 0) in s.events() and not s.link.hung
    assert s.link.say(b"HI", 2) == L.NO_CHAT
    assert s.hear("A5") == "5A"
    assert s.hear("A2") == "2A"  # not probed again


def test_D11_who_is_probed_in_state_1_probes_back_at_once():
    s = slave(1)
    assert s.hear("B3 01 20") == "3B B3 01 20"
    assert s.hear("3B") == "" and s.link.chat == L.CHAT_YES
    s.codes()
    assert s.hear("B3 01 20") == "3B"  # once
    assert s.link.say(b"HI", 2) == L.DONE


def test_D11_an_owner_may_have_the_probe_sent_in_state_1():
    s = slave(1)
    assert s.link.probe() == L.DONE
    assert s.sent() == "B3 01 20"
    assert s.link.probe() == L.NOT_NOW
    s.hear("3B")
    assert s.codes() == [L.EV_CHAT_KNOWN] and s.link.chat == L.CHAT_YES
    s.hear(PARAMS)
    assert s.hear("A2") == "2A"  # not probed again
    assert slave(0).link.probe() == L.NOT_NOW


def test_D11_real_text_only_after_3B():
    s = slave(2)
    assert s.link.chat == L.CHAT_YES
    assert s.link.say(b"HI", 2) == L.DONE
    assert s.sent() == "B3 02 48 49"
    s.hear("3B")
    assert s.codes() == [L.EV_CHAT_SENT]
    assert s.link.say(b"HI", 2) == L.DONE
    s.sent()
    s.ticks(62, "AA")
    assert s.codes() == [L.EV_CHAT_LOST] and not s.link.hung


def test_D11_text_of_one_space_is_answered_and_not_shown():
    s = slave(2)
    assert s.hear("B3 01 20") == "3B" and s.codes() == []
    assert s.hear("B3 00") == "3B" and s.codes() == []
    assert s.hear("B3 01 21") == "3B" and s.codes() == [L.EV_CHAT]
    assert bytes(s.link.text[: s.link.text_len]) == b"!"


def test_D11_text_of_255_bytes_is_received():
    s = slave(1)
    text = bytes([(i * 7) & 255 for i in range(255)])
    assert s.hear("B3 FF " + to_text(text)) == "3B"
    assert bytes(s.link.text[: s.link.text_len]) == text


def test_D13_a_reply_that_nobody_waits_for_is_ignored_and_counted():
    for role in (MASTER, SLAVE):
        for state in (1, 2, 3, 4, 9):
            s = at(role, state)
            n = 0
            for b in range(2, 256):
                if wire.is_reply(b):
                    assert s.hear(ECHO if b == 0x2B else "%02X" % b) == ""
                    n += 1
            assert s.link.state == state and s.link.strays == n and s.codes() == []


def test_D13_a_repeat_within_4_ticks_gets_the_same_answer_and_changes_nothing():
    s = slave(4)
    s.hear("C0 01 01")
    s.link.answer(wire.MISS)
    assert s.sent() == "0C" and s.link.mine
    s.events()
    s.ticks(4)
    assert s.hear("C0 01 01") == "0C" and s.events() == [] and s.link.mine
    repeated = ((1, "A6", "6A"), (2, "A3", "3A"), (9, "A5", "5A"))
    for state, frame, reply in repeated:
        s = slave(state)
        assert s.hear(frame) == reply
        after = s.link.state
        s.events()
        s.ticks(3)
        assert s.hear(frame) == reply and s.events() == [] and s.link.state == after


def test_D13_what_would_be_legal_as_a_new_command_is_one_however_soon_it_comes():
    for ticks in (0, 3, 5):
        s = slave(4)
        s.hear("C0 01 01")
        s.link.answer(wire.HIT)
        assert s.sent() == "1C"
        s.ticks(ticks)
        s.events()
        assert s.hear("C0 01 01") == "" and s.events() == [(L.EV_SHOT, 1, 1)]
    s = slave(1)
    for _ in range(2):
        assert s.hear("B1 01 41") == "1B" and s.events() == [(L.EV_NICK, 0, 0)]
    for _ in range(2):
        assert s.hear(PARAMS) == ECHO and s.events() == [(L.EV_PARAMS, 0, 0)]
    s = slave(4)
    for _ in range(2):
        assert s.hear("B3 02 48 41") == "3B" and s.events() == [(L.EV_CHAT, 0, 0)]


def test_D13_a_fast_opponent_may_shoot_the_same_cell_in_its_next_turn():
    """All within a tick: its miss, ours, and the same shot of its again."""
    for role in (MASTER, SLAVE):
        s = at(role, 4)
        if role == MASTER:
            s.link.shoot(3, 3)
            assert s.sent() == "C0 03 03" and s.hear("0C") == ""
        s.hear("C0 02 01")
        s.link.answer(wire.MISS)
        assert s.sent() == "0C" and s.link.mine
        s.link.shoot(5, 5)
        assert s.sent() == "C0 05 05" and s.hear("0C") == ""
        s.events()
        assert s.hear("C0 02 01") == "" and s.events() == [(L.EV_SHOT, 2, 1)]
        s.link.answer(wire.REPEAT)
        assert s.sent() == "3C" and s.link.mine


def test_D13_who_has_answered_a_shot_since_repeats_no_more():
    s = slave(4)
    s.hear("C0 01 01")
    s.link.answer(wire.MISS)
    s.link.shoot(5, 5)
    assert s.sent() == "0C C0 05 05" and s.hear("1C") == ""
    s.events()
    assert s.hear("C0 01 01") == "A8"
    assert s.events() == [(L.EV_BROKEN, wire.SHOT, wire.R_TURN)]


def test_D15_a_shot_that_is_repeated_at_a_sync_that_crossed_its_answer_is_no_new_one():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("0C")
    m.hear("01")
    while "AA" not in m.sent():
        m.link.tick()
    m.hear("C0 02 02")
    m.link.answer(wire.HIT)
    assert m.sent() == "1C"
    m.events()
    assert m.hear("01 C0 02 02") == "1C" and m.events() == [] and not m.link.my_turn
    # the next one is new, and so is one with something between
    assert m.hear("C0 02 02") == "" and m.events() == [(L.EV_SHOT, 2, 2)]


def test_D13_a_repeat_before_the_answer_is_given_waits_for_it():
    s = slave(4)
    for b in (0xC0, 1, 1, 0xC0, 1, 1):
        s.link.rx(b)
    assert s.events() == [(L.EV_SHOT, 1, 1)]
    s.link.answer(wire.HIT)
    assert s.sent() == "1C"


def test_D13_a_repeat_after_more_than_4_ticks_is_a_new_command():
    later = ((SLAVE, 0, "A1", "1A"), (SLAVE, 1, "A2", "2A"), (SLAVE, 2, "A3", "3A"), (MASTER, 3, "A4", "4A"))
    later += ((SLAVE, 1, "A6", "6A"), (MASTER, 4, "A6", "6A"), (SLAVE, 9, "A5", "5A"))
    for role, state, frame, reply in later:
        s = at(role, state)
        if frame == "A2":
            s.hear(PARAMS)
        assert s.hear(frame).split()[0] == reply
        # every repeat within 4 ticks of the one before is one
        for _ in range(3):
            s.ticks(4)
            s.events()
            assert s.hear(frame) == reply and s.codes() == []
        s.ticks(5)
        s.events()
        assert s.hear(frame) == "A8"
        assert s.events() == [(L.EV_BROKEN, to_bytes(frame)[0], wire.R_STATE)]
    s = slave(4)
    s.hear("C0 01 01")
    s.link.answer(wire.MISS)
    s.sent()
    s.ticks(5)
    s.events()
    assert s.hear("C0 01 01") == "A8" and s.events() == [(L.EV_BROKEN, wire.SHOT, wire.R_TURN)]


def test_a_timeout_tells_of_which_shot():
    m = master(4)
    m.link.shoot(2, 5)
    while not m.link.hung:
        m.hear("01")
        m.link.tick()
    m.collect()
    assert m.link.told[0] == L.EV_TIMEOUT and m.link.a == wire.SHOT
    assert m.link.told[L.TOLD_CELL] == 0x52


def test_D13_who_has_answered_since_repeats_no_more():
    s = slave(1, nick=b"ME")
    s.hear(PARAMS)
    assert s.hear("A2") == "2A B3 01 20" and s.hear("3B") == ""
    s.events()
    assert s.hear("A2") == "A8" and s.events() == [(L.EV_BROKEN, wire.PLACE, wire.R_STATE)]


def test_D15_a_master_that_answers_A4_while_it_repeats_A3_is_borne():
    s = slave(2)
    s.link.ready()
    assert s.hear("A3") == "3A A4"
    assert s.hear("A3 4A A3") == "3A 3A" and s.link.state == 4
    assert s.codes() == [L.EV_MASTER_READY, L.EV_BATTLE]


def test_D15_a_shot_that_is_repeated_at_every_sync_keeps_its_answer():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("0C")
    m.hear("C0 02 02")
    m.link.answer(wire.MISS)
    m.sent()
    m.events()
    m.ticks(10, "01")
    assert m.hear("C0 02 02") == "0C" and m.codes() == [] and m.link.mine


def test_D15_restart_by_the_master_in_the_battle_is_borne():
    s = slave(4)
    assert s.hear("A5") == "5A"
    assert s.link.state == 1 and s.codes() == [L.EV_RESTART] and s.link.deviations == 1


def test_D15_A5_of_a_slave_means_that_it_went_to_state_0():
    for state in (1, 2, 3, 4, 9):
        m = master(state)
        assert m.hear("A5") == ""
        assert m.link.state == 0 and m.codes() == [L.EV_PEER_RESET]


def test_D14_auto_listens_30_to_50_ticks_and_becomes_master():
    heard = set()
    for seed in range(1, 60):
        s = Endpoint(wire.AUTO, seed)
        n = 0
        while not s.link.role:
            s.link.tick()
            n += 1
        heard.add(n)
        assert s.link.role == MASTER and s.sent() == "AA" and s.events() == [(L.EV_ROLE, MASTER, 0)]
    assert min(heard) >= 30 and max(heard) <= 50 and len(heard) > 10


def test_D14_auto_becomes_slave_on_the_first_AA():
    s = Endpoint(wire.AUTO)
    s.ticks(5)
    assert s.hear("A1") == "" and s.link.role == 0
    assert s.hear("AA") == "01"
    assert s.link.role == SLAVE and s.events() == [(L.EV_ROLE, SLAVE, 0)]
    assert s.hear("A1") == "1A"


def test_D14_two_masters_that_hear_each_other_back_off():
    s = Endpoint(wire.AUTO)
    while not s.link.role:
        s.link.tick()
    s.sent()
    assert s.hear("AA") == "" and s.link.role == 0
    n = 0
    while not s.link.role:
        s.link.tick()
        n += 1
    assert 10 <= n <= 40
    fixed = master(0)
    assert fixed.hear("AA") == "" and fixed.link.role == MASTER


def test_orders_that_waited_for_an_answer_go_out_with_it():
    for order, sent in ((lambda s: s.link.surrender(), "A6"), (lambda s: s.link.goodbye(), "A7")):
        s = slave(4)
        s.hear("C0 01 01")
        order(s)
        assert s.sent() == ""
        s.link.answer(wire.MISS)
        assert s.sent() == "0C " + sent


def test_nobody_surrenders_where_there_is_no_game():
    for role in (MASTER, SLAVE):
        for state in (0, 9):
            s = at(role, state)
            assert s.link.surrender() == L.NOT_NOW and s.sent() == ""
        s = at(role, 4)
        s.hear("A8")
        assert s.link.surrender() == L.NOT_NOW and s.sent() == ""


def test_nobody_surrenders_twice_nor_during_a_timeout():
    for role in (MASTER, SLAVE):
        s = at(role, 4)
        assert s.link.surrender() == L.DONE and s.sent() == "A6"
        assert s.link.surrender() == L.NOT_NOW and s.sent() == ""
        s = at(role, 4)
        s.ticks(70)
        assert s.link.hung
        assert s.link.surrender() == L.NOT_NOW
        assert s.hear(s.alive()) == ("01" if role == SLAVE else "")


def test_what_is_ordered_during_a_timeout_waits_until_it_is_over():
    m = master(2)
    m.ticks(70)
    assert m.link.hung
    assert m.link.ready() == L.DONE and m.sent() == ""
    m.events()
    assert m.hear("01") == "A3"
    assert m.events() == [(L.EV_RESUMED, 0, 0)]
    s = slave(3)
    s.ticks(70)
    assert s.link.hung
    assert s.link.ready() == L.DONE and s.sent() == ""
    assert s.hear("AA") == "01 A4"


def test_an_order_that_waits_is_not_lost_to_one_that_follows_it():
    s = slave(3)
    assert s.link.say(b"AB", 2) == L.DONE
    assert s.sent() == "B3 02 41 42"
    assert s.link.surrender() == L.DONE and s.link.ready() == L.DONE
    assert s.sent() == ""
    assert s.hear("3B") == "A6"


def test_a_restart_that_waits_survives_the_surrender_of_the_other():
    m = master(3)
    assert m.link.say(b"AB", 2) == L.DONE
    assert m.sent() == "B3 02 41 42"
    assert m.link.restart() == L.DONE and m.sent() == ""
    assert m.hear("A6") == "6A"
    assert m.link.state == 9
    assert m.hear("3B") == "A5"
    m.hear("5A")
    assert m.link.state == 1


def test_a_frame_for_which_there_is_no_room_is_left_out_whole():
    s = slave(3)
    for _ in range(230):
        s.link.rx(0xAA)
    assert s.link.say(b"x" * 64, 64) == L.DONE
    assert s.sent() == " ".join(["01"] * 230)
    # As if the line had lost it: no reply comes, and that is no error.
    assert (L.EV_CHAT_LOST, 0, 0) in lost(s)
    s = slave(1)
    for _ in range(252):
        s.link.rx(0xAA)
    for b in (0xB2, 6, 0, 0, 0, 2):
        s.link.rx(b)
    assert s.sent() == " ".join(["01"] * 252)


def lost(s):
    s.ticks(62, s.alive())
    return s.events()


def test_counters_count_one_by_one():
    m = master(2)
    for n in (1, 2, 3):
        m.hear("3A")
        assert m.link.strays == n
    a = Endpoint(wire.AUTO)
    for n in (1, 2, 3):
        a.hear("A1")  # nobody is a slave yet
        assert a.link.strays == n
    s = slave(2)
    for n in (1, 2, 3):
        s.hear("A3")
        assert s.link.repeats == n - 1
    for n in (1, 2):
        s.hear("77")
        assert s.link.noise == n
        s.link.rx(0xC0)
        s.ticks(6)
        assert s.link.dropped == n


def test_who_owes_an_answer_can_be_accused():
    s = slave(4)
    s.hear("C0 01 01")
    s.events()
    assert s.hear("A8") == "8A"
    assert s.events() == [(L.EV_ACCUSED, 0, 0)]
    assert s.link.answer(wire.MISS) == L.NOT_NOW


def test_a_master_that_has_nothing_else_to_say_syncs_every_10_ticks():
    for state in (0, 1, 2, 3, 4):
        m = master(state)
        at_ticks = []
        for n in range(60):
            m.link.tick()
            if m.sent() == "AA":
                at_ticks.append(n)
                m.hear("01" if state else "")
        assert len(at_ticks) >= 5
        assert [b - a for a, b in zip(at_ticks, at_ticks[1:])] == [10] * (len(at_ticks) - 1)


def test_states_are_told_without_details():
    s = slave(1)
    s.hear(PARAMS)
    s.hear("A2")
    s.hear("3B")
    s.hear("A3")
    s.link.ready()
    s.hear("4A")
    told = [e for e in s.events() if e[0] not in (L.EV_PARAMS, L.EV_CHAT_KNOWN)]
    assert told == [(L.EV_PLACING, 0, 0), (L.EV_MASTER_READY, 0, 0), (L.EV_BATTLE, 0, 0)]
    assert s.hear("A7") == "7A"
    assert s.events() == [(L.EV_GOODBYE, 0, 0)]


def test_a_new_nick_and_a_text_that_wait_both_go_out():
    m = master(2, nick=b"ME")
    m.link.ready()
    assert m.sent() == "A3"
    assert m.link.say(b"AB", 2) == L.DONE and m.link.nick(b"NEW", 3) == L.DONE
    assert m.sent() == ""
    assert m.hear("3A") == "B1 03 4E 45 57"
    assert m.hear("1B") == "B3 02 41 42"
    assert (L.EV_NICK_SENT, 0, 0) in m.events()


def test_an_offer_is_made_once_until_it_is_taken():
    m = master(1)
    assert m.link.offer(6, 0, 0, 0, 2) == L.DONE and m.sent() == PARAMS
    assert m.link.offer(7, 0, 0, 0, 2) == L.NOT_NOW
    assert m.hear(ECHO) == "A2"
    assert m.link.offer(7, 0, 0, 0, 2) == L.NOT_NOW and m.sent() == ""


def test_each_deviation_is_counted():
    m = master(1)
    for n in (1, 2, 3):
        m.hear("A5")
        assert m.link.deviations == n
        m.ticks(6)


def test_a_late_8A_ends_what_the_key_has_not():
    s = slave(1)
    assert s.hear("A4") == "A8"
    assert s.link.key() == L.DONE
    s.events()
    assert s.link.state == L.BROKEN_OFF
    s.hear("8A")
    assert s.link.state == 0 and s.events() == [(L.EV_IDLE, 0, 0)]


def test_a_nick_under_way_is_still_confirmed_after_the_end():
    s = slave(4, nick=b"ME")
    lose(s)
    s.ticks(30, "AA")
    s.link.nick(b"NEW", 3)
    assert s.sent() == "B1 03 4E 45 57"
    s.ticks(35, "AA")
    assert s.link.state == 9
    s.hear("1B")
    assert s.events()[-1] == (L.EV_NICK_SENT, 0, 0)
    for role in (MASTER, SLAVE):
        s = (master if role == MASTER else slave)(4, nick=b"ME")
        s.link.nick(b"NEW", 3)
        s.sent()
        assert s.hear("A6") == "6A"
        s.hear("1B")
        assert s.events()[-1] == (L.EV_NICK_SENT, 0, 0)


def test_a_goodbye_under_way_is_not_said_twice_when_the_other_surrenders():
    for role in (MASTER, SLAVE):
        s = at(role, 4)
        s.link.goodbye()
        assert s.sent() == "A7"
        assert s.hear("A6") == "6A"
        s.hear("7A")
        assert s.link.closed


def test_a_new_session_knows_nothing_of_the_parameters_of_the_last_one():
    s = slave(2)
    assert s.link.agreed and s.link.decks == 2
    assert s.hear("A7") == "7A"
    assert not s.link.agreed and s.link.decks == 0 and s.link.size == 0
    assert s.hear("AA") == "01" and s.hear("A1") == "1A"
    s.events()
    assert s.hear("A2") == "A8"
    assert s.events() == [(L.EV_BROKEN, 0xA2, wire.R_NO_PARAMS)]


def test_parameters_and_texts_are_told_without_details():
    s = slave(1)
    s.hear(PARAMS)
    assert s.events() == [(L.EV_PARAMS, 0, 0)]
    s.hear("B3 02 41 42")
    assert s.events() == [(L.EV_CHAT, 0, 0)]


def test_after_the_end_too_it_may_be_asked_whether_the_other_has_chat():
    for role in (MASTER, SLAVE):
        s = at(role, 1)
        s.hear("A6")
        assert s.link.state == 9 and s.link.chat == L.CHAT_UNKNOWN
        assert s.link.probe() == L.DONE and s.sent() == "B3 01 20"
        s.hear("3B")
        assert s.link.chat == L.CHAT_YES


def test_what_is_not_heard_after_an_accusation_is_counted():
    s = slave(4)
    s.hear("A8")
    before = s.link.strays
    for n in (1, 2, 3):
        assert s.hear("AA") == ""
        assert s.link.strays == before + n


def test_frames_whose_signatures_are_alike_in_part_are_no_repeats():
    # Of each pair of nicks the signatures have two of their three bytes in common, whichever these are.
    reader = wire.Reader()
    seen = ({}, {}, {})
    pairs = ([], [], [])
    rng = Rng(1)
    while min([len(p) for p in pairs]) < 3:
        nick = bytes([0xB1, 4] + [0x30 + rng.below(75) for _ in range(4)])
        for b in nick:
            reader.feed(b)
        s = reader.sign
        parts = (s & 255, (s >> 8) & 255, s >> 16)
        for k in range(3):
            others = parts[:k] + parts[k + 1 :]
            if others in seen[k] and seen[k][others][0] != parts[k] and len(pairs[k]) < 3:
                pairs[k].append((seen[k][others][1], nick))
            seen[k][others] = (parts[k], nick)
        assert len(seen[0]) < 5000
    for of_a_kind in pairs:
        for one, two in of_a_kind:
            s = slave(1)
            assert s.hear(to_text(one)) == "1B"
            s.events()
            assert s.hear(to_text(two)) == "1B"
            assert s.events() == [(L.EV_NICK, 0, 0)] and s.link.repeats == 0


def test_what_was_not_confirmed_is_told_without_details():
    s = slave(0, nick=b"N")
    s.hear("AA")
    s.hear("A1")
    assert (L.EV_NICK_LOST, 0, 0) in lost(s)
    s = slave(2)
    s.link.say(b"AB", 2)
    assert (L.EV_CHAT_LOST, 0, 0) in lost(s)


def test_open_starts_afresh_and_keeps_the_nick():
    s = slave(4, nick=b"ME")
    s.hear("B1 02 41 42 B3 02 43 44")
    assert s.link.peer_nick_len == s.link.text_len == 2
    s.link.open(MASTER)
    assert s.link.peer_nick_len == s.link.text_len == 0
    s.link.tick()
    assert s.sent() == "AA"
    s.hear("01")
    assert s.hear("1A") == "B1 02 4D 45"


def test_bytes_of_a_flood_never_break_the_link():
    s = slave(4)
    for i in range(3000):
        s.link.rx((i * 7919 + 13) & 255)
    s.link.tick()
    assert s.link.state in (0, 1, 2, 3, 4, 8, 9)


def test_calm_keeps_a_seat_in_its_state():
    for role in (MASTER, SLAVE):
        for state in (0, 1, 2, 3, 4, 9):
            s = at(role, state)
            assert s.link.state == state
            assert calm(s).link.state == state


def test_the_same_command_after_a_restart_is_no_repeat():
    """All within 4 ticks: ready, restart, ready again."""
    m = master(3)
    m.link.restart()
    m.sent()
    m.hear("A4")
    m.hear("5A")
    m.link.offer(6, 0, 0, 0, 2)
    m.sent()
    m.hear(ECHO)
    m.hear("2A")
    m.link.ready()
    m.sent()
    m.hear("3A")
    assert m.hear("A4") == "4A" and m.link.state == 4


def test_a_command_of_before_a_restart_is_no_repeat_where_it_is_illegal():
    m = master(3)
    assert m.hear("A4") == "4A"
    m.hear("A6")
    m.link.restart()
    m.sent()
    m.hear("5A")
    m.link.offer(6, 0, 0, 0, 2)
    m.sent()
    m.hear(ECHO)
    m.hear("2A")
    assert m.link.state == 2 and m.hear("A4") == "A8"


# What an event tells.


def told_of(s):
    """The details of the next event, with its code."""
    assert s.link.event()
    return tuple(s.link.told)


def feed(s, text):
    """Bytes arrive, and nobody looks at the events."""
    for b in to_bytes(text):
        s.link.rx(b)


def test_an_event_tells_what_happened_even_if_the_session_is_over_since():
    m = master(4)
    m.link.shoot(5, 2)
    assert m.sent() == "C0 05 02"
    feed(m, "1C A7")
    assert m.link.state == 0
    assert told_of(m) == (L.EV_ANSWER, wire.HIT, 0, MASTER, 0x25, wire.HIT, 0, 0)
    assert told_of(m)[0] == L.EV_GOODBYE and m.link.event() == L.EV_NONE

    s = slave(1)
    feed(s, "B2 0A 01 02 03 04 A0")
    told = told_of(s)
    assert told[0] == L.EV_PARAMS and [L.told_param(told, i) for i in range(5)] == [10, 1, 2, 3, 4]
    assert s.link.size == 0 and told_of(s)[0] == L.EV_PEER_TIMEOUT


def test_a_shot_is_told_with_its_answer_whenever_that_was_given():
    s = slave(4)
    feed(s, "C0 02 01")
    s.link.answer(wire.HIT)
    feed(s, "C0 03 01")
    s.link.answer(wire.MISS)
    assert told_of(s) == (L.EV_SHOT, 2, 1, SLAVE, 0x12, wire.HIT, 0, 0)
    assert told_of(s) == (L.EV_SHOT, 3, 1, SLAVE, 0x13, wire.MISS, 0, 0)
    s = slave(4)
    feed(s, "C0 06 06")
    assert told_of(s)[L.TOLD_ANSWER] == 0
    s.link.answer(wire.SUNK)
    assert s.link.told[L.TOLD_ANSWER] == wire.SUNK


def test_an_accusation_tells_the_false_answer_and_the_one_that_it_contradicts():
    m = master(4)
    m.link.shoot(3, 3)
    m.sent()
    feed(m, "1C")
    assert told_of(m)[0] == L.EV_ANSWER
    m.link.accuse(wire.R_CORNER, 0x22, wire.HIT)
    assert m.link.state == L.BROKEN_OFF
    assert told_of(m)[:3] == (L.EV_OVER, L.WE_WON, L.BY_PROOF)
    assert told_of(m) == (L.EV_BROKEN, wire.SHOT, wire.R_CORNER, MASTER, 0x33, wire.HIT, 0x22, wire.HIT)


def test_an_accusation_of_a_shot_tells_its_cell():
    m = master(4)
    feed(m, "C0 04 05")
    assert told_of(m) == (L.EV_BROKEN, wire.SHOT, wire.R_TURN, MASTER, 0x54, 0, 0, 0)
    for frame in ("C0 00 01", "C0 7F 01"):
        s = slave(4)
        feed(s, frame)
        assert told_of(s) == (L.EV_BROKEN, wire.SHOT, wire.R_CELL, SLAVE, 0, 0, 0, 0)


def test_a_text_that_comes_before_the_last_one_is_read_is_not_confirmed():
    s = slave(2)
    feed(s, "B3 02 48 49")
    feed(s, "B3 02 4A 4B")
    assert s.link.event() == L.EV_CHAT and bytes(s.link.text[: s.link.text_len]) == b"HI"
    assert s.sent() == "3B" and s.link.dropped == 1
    assert s.hear("B3 02 4A 4B") == "3B" and s.codes() == [L.EV_CHAT]


def test_a_nick_that_was_replaced_before_anybody_looked_is_told_once():
    s = slave(1)
    feed(s, "B1 01 41 B1 01 42")
    assert s.sent() == "1B 1B" and s.codes() == [L.EV_NICK] and s.link.peer_nick[0] == 0x42


def test_more_events_than_there_is_room_for_lose_none_of_the_first():
    s = slave(1)
    for _ in range(40):
        feed(s, PARAMS)
    assert 15 < s.codes().count(L.EV_PARAMS) < 40


# The end of a game, whatever follows it.


def nearly(role, wins):
    """A battle on a field with two ships of one deck, and the seat's or the peer's second one has just been sunk: the
    owner has not looked yet."""
    s = at(role, 4)
    mine = wins
    if (role == MASTER) != wins:
        # the other one begins: the turn has to pass first
        if role == MASTER:
            s.link.shoot(6, 6)
            s.sent()
            s.hear("0C")
        else:
            s.hear("C0 06 06")
            s.link.answer(wire.MISS)
            s.sent()
    for x in (1, 3):
        if mine:
            while s.link.wants_calm:
                s.link.tick()
            assert s.link.shoot(x, 1) == L.DONE
            assert s.sent().split()[-3:] == ["C0", "0%d" % x, "01"]
            feed(s, "2C")
        else:
            feed(s, "C0 0%d 01" % x)
            s.link.answer(wire.SUNK)
    return s


def test_D10_a_fleet_that_is_sunk_decides_whatever_follows():
    for role in (MASTER, SLAVE):
        for wins in (True, False):
            for how, what in (
                ("A7", L.EV_GOODBYE),
                ("A0", L.EV_PEER_TIMEOUT),
                ("A8", L.EV_ACCUSED),
                ("C0 05 05", L.EV_BROKEN),
                ("silence", L.EV_LEFT),
                ("cut", L.EV_CLOSED),
                ("goodbye", L.EV_CLOSED),
                ("A5", L.EV_PEER_RESET if role == MASTER else L.EV_RESTART),
            ):
                for looked in (True, False):
                    s = nearly(role, wins)
                    games = s.link.games
                    if looked:
                        s.sent()
                    if how == "silence":
                        for _ in range(140):
                            s.link.tick()
                            s.sent()
                    elif how == "cut":
                        s.link.cut()
                    elif how == "goodbye":
                        s.link.goodbye()
                        for _ in range(140):
                            s.link.tick()
                            s.sent()
                    else:
                        feed(s, how)
                    events = [e for e in s.events() if e[0] not in (L.EV_ANSWER, L.EV_SHOT)]
                    case = (role, wins, how, looked, events)
                    assert events[0] == (L.EV_OVER, L.WE_WON if wins else L.WE_LOST, L.BY_SHOTS), case
                    rest = [e[0] for e in events[1:]]
                    # who is told goodbye may have left by then
                    assert rest == [what] or rest == [L.EV_LEFT, what] and how == "goodbye", case
                    assert s.link.games - games == 1


def test_D10_nobody_has_to_press_a_key_after_a_game_that_is_decided():
    for role in (MASTER, SLAVE):
        for wins in (True, False):
            s = nearly(role, wins)
            s.sent()
            for _ in range(140):
                s.link.tick()
                s.sent()
                assert not s.link.key_awaited
            assert s.link.state == 0 and [e[0] for e in s.events()][-1] == L.EV_LEFT


# Damaged bytes.


def damaged(s, text):
    """Bytes arrive, those with a ! in front of them marked as damaged; what the link sends on them."""
    for h in text.split():
        if h[0] == "!":
            s.link.rx_damaged()
        else:
            s.link.rx(int(h, 16))
        s.collect()
    return s.sent()


def test_D17_a_marked_byte_is_no_answer():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    assert damaged(m, "!1C") == "" and m.events() == []
    assert m.link.damaged == 1 and m.link.busy == wire.SHOT
    for _ in range(3):
        m.link.tick()
    # it may come again, and else the timeout does the rest
    assert m.hear("0C") == "" and m.events() == [(L.EV_ANSWER, wire.MISS, 0)]


def test_D17_a_frame_with_a_marked_byte_is_dropped_as_a_whole():
    s = slave(1)
    # The letters behind it are letters still: A7 would be a goodbye.
    assert damaged(s, "B1 03 !41 A7 A7") == "" and s.events() == [] and s.link.state == 1
    assert damaged(s, "B2 !06 00 00 00 02") == "" and s.events() == []
    # and what follows the frame counts
    assert damaged(s, PARAMS) == ECHO


def test_D17_behind_a_marked_first_byte_nothing_counts_until_the_line_is_quiet():
    for text in ("!B1 03 41 A7 A7", "B1 !03 A7 A7 A7", "B3 !02 2C 2C"):
        s = slave(4)
        assert damaged(s, text) == "" and s.events() == [] and s.link.state == 4
        s.link.tick()
        s.link.tick()
        assert s.hear("AA") == "01"
        s = slave(4)
        damaged(s, text)
        assert s.link.wants_calm
        s.link.calm(L.CALM_MS - 1)
        assert s.hear("AA") == ""
        s.link.calm(L.CALM_MS)
        assert not s.link.wants_calm and s.hear("AA") == "01"


def test_D17_nobody_is_accused_on_the_strength_of_a_marked_byte():
    # The slave has said 3A A4 in one breath, and the 3A is damaged: A4 alone would be an error.
    m = master(2)
    m.link.ready()
    m.sent()
    assert damaged(m, "!3A A4") == "" and m.events() == []
    # Nor later, when the slave's person has placed: the master has not seen that it is ready.
    m.ticks(5, "01")
    assert damaged(m, "A4") == "" and m.events() == [] and m.link.state == 2
    # Once the two have understood each other again, an error is one.
    m.hear("3A A4")
    assert m.link.state == 4 and m.hear("A4 C0 01 01") == "4A A8"
    # It has answered a shot with a miss and shot back.
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    assert damaged(m, "!0C C0 02 02") == "" and m.events() == []
    assert m.link.state == 4


# The hold after a hit.


def test_a_shot_after_a_hit_goes_out_after_a_few_milliseconds_of_calm():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    assert m.hear("1C") == "" and m.link.wants_calm
    m.link.shoot(2, 1)
    assert m.sent() == ""
    m.link.calm(L.CALM_MS - 1)
    assert m.sent() == ""
    assert m.hear("1C") == "" and m.link.strays == 1  # the line has doubled it
    m.link.calm(L.CALM_MS)
    assert m.sent() == "C0 02 01" and not m.link.wants_calm


def test_a_shot_after_a_hit_goes_out_after_two_ticks_where_nobody_has_a_finer_clock():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("1C")
    m.link.shoot(2, 1)
    m.link.tick()
    assert m.sent() == ""
    m.link.tick()
    assert "C0 02 01" in m.sent()
