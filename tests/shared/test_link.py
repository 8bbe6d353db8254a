"""Every rule of the protocol, one test each, against one side of a session.

The bytes in these tests are written by hand from the protocol's text, not made by the code under test.
"""

from endpoint import ECHO, PARAMS, Endpoint, at, master, slave, to_bytes, to_text
from talks import hold, talk

from seabattle import link as L
from seabattle import wire

MASTER = wire.MASTER
SLAVE = wire.SLAVE

# The peer's commands, whole: the protocol's table.
COMMANDS = dict([(int(op, 16), op) for op in "AA A0 A1 A2 A3 A4 A5 A6 A7 A8 A9".split()])
COMMANDS.update({0xB1: "B1 02 41 42", 0xB2: PARAMS, 0xB3: "B3 02 48 49", 0xC0: "C0 01 01"})

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
# What real programs also send, and a player tolerates: A5 in the battle, A5 from a slave.
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


def test_each_illegal_command_gets_A8_and_ends_in_state_0_after_a_key_but_in_state_0():
    for role in (MASTER, SLAVE):
        borne = BORNE[wire.BOTH ^ role]
        for state, legal in from_peer_of(role).items():
            for op, frame in COMMANDS.items():
                if "%02X" % op in legal.split() or state and "%02X" % op in borne.get(state, ""):
                    continue
                s = at(role, state)
                if state:
                    s.hear("B1 01 5A")  # so that no frame is the same as the last command
                s.events()
                got = s.hear(frame)
                case = (role, state, frame, got)
                if not state:
                    assert got in ("", "7A", "8A") and s.link.state == 0, case
                    assert s.link.strays + s.link.deviations > 0
                    continue
                ev = s.events()
                assert got == "A8" and [e[0] for e in ev] == [L.EV_BROKEN], case
                assert ev[0][1] == op and ev[0][2] > 0
                assert s.link.key_awaited and s.link.state == 8
                assert s.hear("8A") == ""
                assert s.link.state == 8  # the player has to see it
                s.link.key()
                assert s.link.state == 0 and s.codes() == [L.EV_IDLE]


def test_line_and_time():
    hold(
        """
An illegal command is answered with A8 and the reason is told.
    S1: < A4 > A8 ! BROKEN A4 R_SENDER
    S2: < C0 01 01 > A8 ! BROKEN C0 R_STATE
    M4: < C0 01 01 > A8 ! BROKEN C0 R_TURN
    M2: < A4 > A8 ! BROKEN A4 R_STATE
    S4: < C0 07 01 > A8 ! BROKEN C0 R_CELL
    S4: < C0 00 01 > A8 ! BROKEN C0 R_CELL
    S4: < C0 01 07 > A8 ! BROKEN C0 R_CELL
    S4: < A9 > A8 ! BROKEN A9 R_NOT_WON
    S1: < A2 > A8 ! BROKEN A2 R_NO_PARAMS
Any command counts as a sync.
    M2: sync; < 01; +5; ready > A3; < 3A; sync 10
No sync inside a frame, nor between a command and its answer.
    M4: shoot 1 1 > C0 01 01; < 0C; < C0 01 01; silent 30; answer MISS > 0C ...
A slave that hears nothing for 60 ticks.
    S1234: < AA > 01; +60 !; +1 ! TIMEOUT 0 0; < AA > 01 ! RESUMED; = state @; +61; key > A0; = state 0
In state 0 it waits without end, and counts what is meant for other states.
    S0: +1000 !; < A4; = strays 1; < A5; = strays 2
A master whose syncs are not answered.
    M1234: +80 ! TIMEOUT 0 0; < 01 ! RESUMED; = state @
    M2: sync; < 01; sync; +60 !; +1 ! TIMEOUT 0 0
Any legal command of the slave answers a sync.
    M3: +40; < B1 01 41 > 1B; +40; < B1 01 41 > 1B; +40; < B1 01 41 > 1B; = hung 0
A hung master keeps the slave in sync.
    M4: shoot 1 1 > C0 01 01; ~70; = hung 1; sync; < 01; sync 10; < 01; sync 10; = hung 1
A0 sends both to state 0; a missing 0A is no error.
    S4: < C0 01 01 ?; < A0 > 0A ! PEER_TIMEOUT; = state 0
    MS12349: < A0 > 0A ! PEER_TIMEOUT; = state 0
    S2: +61; key > A0 ?; +100 !; = state 0
A timeout tells of which shot.
    M4: shoot 2 5 > C0 02 05; ~70 ! TIMEOUT C0
"""
    )


# What needs a reply, how the link comes to send it, the reply, and the state it leads to.
ASKED = (
    ("A1", "M0: tick > AA; < 01 > A1", "1A", 1),
    ("B2", "M1: offer > PARAMS", "ECHO", 1),
    ("A2", "M1: offer > PARAMS; < ECHO > A2", "2A", 2),
    ("A3", "M2: ready > A3", "3A", 3),
    ("A4", "S3: ready > A4", "4A", 4),
    ("A5", "M2: restart > A5", "5A", 1),
    ("A6", "S1: surrender > A6", "6A", 9),
    ("C0", "M4: shoot 3 4 > C0 03 04", "0C", 4),
)


def test_timeout_of_each_command_that_needs_a_reply():
    for op, asked, _, _ in ASKED:
        hung = "; ~60; = hung 0; ~2 ? TIMEOUT %s 0; = hung 1, key_awaited 1; ~200 !" % op
        talk(asked + hung + "; key > A0 ! IDLE; = state 0")


def test_late_reply_before_the_key_goes_on_as_if_nothing_had_happened():
    for _, asked, reply, state in ASKED:
        talk(asked + "; ~150; = hung 1; ?; < %s > ... ! RESUMED, ...; = hung 0, state %d; key NOT_NOW" % (reply, state))


def test_a_master_that_has_nothing_else_to_say_syncs_every_10_ticks():
    for state in (0, 1, 2, 3, 4):
        talk("M%d: sync; %ssync 10; sync 10; sync 10; sync 10" % (state, "< 01; " if state else ""))
    talk("M4: shoot 1 1 > C0 01 01; sync" + "; < 01; sync 10" * 5)


def test_meeting_and_nicks():
    hold(
        """
The master syncs in state 0 until the slave answers, then sends A1.
    M0: +50; = state 0; < 01 > A1; = state 0; < 1A ! MET; = state 1
The slave answers syncs until A1, also in a burst.
    S0: < AA > 01; < AA > 01; < A1 > 1A ! MET; = state 1
    S0: < AA A1 > 01 1A
The nick is sent once in state 1 in either role: never again at the other's, which would be an endless loop.
    M0/MASTER: tick > AA; < 01 > A1; < 1A > B1 06 4D 41 53 54 45 52; < 1B ! MET, NICK_SENT
    S0/S: < AA A1 > 01 1A B1 01 53; < 1B; < B1 01 41 > 1B
It can come in any state.
    MS012349: < B1 03 41 42 43 > 1B ! NICK; = state @, peer 414243
AA inside a nick is a letter.
    S1: < B1 02 AA A1 > 1B; = peer AAA1, state 1
A missing 1B is reported, and the session goes on.
    S0/ME: < AA A1 > 01 1A B1 02 4D 45; ~62 ? NICK_LOST 0 0; = hung 0; < PARAMS > ECHO
A nick of more than 10 bytes is refused, and so is none.
    S0: nick 12345678901 OUT_OF_RANGE; nick OUT_OF_RANGE
A new nick during the game is sent; with a text that waits, both go out.
    S0/ME: < AA A1 > 01 1A B1 02 4D 45; < 1B; nick YOU > B1 03 59 4F 55
    M2/ME: ready > A3; send_chat AB; nick NEW; < 3A > B1 03 4E 45 57; < 1B > B3 02 41 42 ? NICK_SENT 0 0
One under way is still confirmed after the end.
    S4/ME: LOSES; ~30; nick NEW > B1 03 4E 45 57; ~35; = state 9; ?; < 1B ! NICK_SENT 0 0
    MS4/ME: nick NEW > B1 03 4E 45 57; < A6 > 6A ?; < 1B ! NICK_SENT 0 0
"""
    )


def test_nick_of_any_length_is_read_to_its_end_and_cut_for_display():
    for n in (0, 1, 10, 11, 20, 21, 128, 255):
        s = slave(1)
        assert s.link.peer_nick_len == s.link.text_len == 0
        assert s.hear("B1 %02X" % n + " 41" * n) == "1B", n
        assert s.link.peer_nick_len == min(n, 20)
        assert s.hear("AA") == "01" and s.link.noise == 0


def test_parameters_and_placing():
    hold(
        """
Parameters are echoed byte for byte, tagged ones are understood.
    S1: < B2 0A 01 02 03 04 > 2B 0A 01 02 03 04 ! PARAMS 0 0; = size 10, decks 20, ships 1234
    S1: < B2 0A 41 32 23 14 > 2B 0A 41 32 23 14; = ships 1234
Tags can be chosen for sending.
    M1: set tagged 1; offer 10 1 2 3 4 > B2 0A 41 32 23 14; < 2B 0A 41 32 23 14 > A2; = ships 1234
A wrong echo is a protocol error.
    M1: offer > PARAMS; < 2B 06 00 00 00 03 > A8 ! BROKEN 2B R_ECHO
The slave answers parameters outside the ranges with A8.
    S1: < B2 05 00 00 00 01 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0B 00 00 00 01 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 02 00 00 01 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 00 03 00 01 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 00 00 06 01 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 00 00 00 00 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 00 00 00 0B > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 0A 31 32 23 14 > A8 ! BROKEN B2 R_PARAMS
    S1: < B2 06 01 02 05 0A > A8 ! BROKEN B2 R_FLEET
The master never sends such, nor a second offer until the first is taken; a slave offers nothing.
    M1: offer 5 0 0 0 1 OUT_OF_RANGE; offer 11 0 0 0 1 OUT_OF_RANGE; offer 10 2 0 0 1 OUT_OF_RANGE;
        offer 10 0 0 0 0 OUT_OF_RANGE; offer 6 1 2 5 10 OUT_OF_RANGE
    M1: offer > PARAMS; offer 7 0 0 0 2 NOT_NOW; < ECHO > A2; offer 7 0 0 0 2 NOT_NOW
    S1: offer 10 1 2 3 4 NOT_YOURS
A slave that is ready first waits for A3; one that is ready later sends A4 alone.
    S2: ready; ~40; < A3 > 3A A4; < 4A; = state 4
    S3: ready > A4
States, parameters and texts are told without details.
    S1: < PARAMS > ECHO ! PARAMS 0 0; < B3 02 41 42 > 3B ! CHAT 0 0; < A2 > 2A B3 01 20; < 3B ?
        PLACING 0 0; < A3 > 3A ! MASTER_READY 0 0; ready > A4; < 4A ! BATTLE 0 0; < A7 > 7A ! GOODBYE 0 0
A new session knows nothing of the parameters of the last one.
    S2: = agreed 1, decks 2; < A7 > 7A; = agreed 0, decks 0, size 0;
        < AA A1 > 01 1A ?; < A2 > A8 ! BROKEN A2 R_NO_PARAMS
"""
    )


def test_battle():
    hold(
        """
The master shoots first.
    M4: = mine 1
    S4: = mine 0; shoot 1 1 NOT_NOW
The turn passes after a miss and after "already shot".
    M4: shoot 1 1 > C0 01 01; < 0C ! ANSWER 0C 0; = mine 0
    M4: shoot 1 1 > C0 01 01; < 1C ! ANSWER 1C 0; = mine 1
    M4: shoot 1 1 > C0 01 01; < 2C ! ANSWER 2C 0; = mine 1
    M4: shoot 1 1 > C0 01 01; < 3C ! ANSWER 3C 0; = mine 0
    S4: < C0 01 01; answer MISS > 0C; = mine 1
    S4: < C0 01 01; answer HIT > 1C; = mine 0
    S4: < C0 01 01; answer SUNK > 2C; = mine 0
    S4: < C0 01 01; answer REPEAT > 3C; = mine 1
Coordinates are column, then row, from 1.
    S4: < C0 02 05 ! SHOT 2 5
    M4: shoot 0 1 OUT_OF_RANGE; shoot 1 7 OUT_OF_RANGE; shoot 6 3 > C0 06 03
An answer that the line doubles is not the answer to the next shot.
    M4: shoot 1 1 > C0 01 01; < 2C; shoot 3 3; < 2C; = its_losses 1, strays 1; +2 > C0 03 03; < 0C; = its_losses 1
One command at a time; a second one before the first is answered breaks the protocol.
    M4: shoot 1 1 > C0 01 01; surrender; < 0C > A6
    S4: << C0 01 01 C0 02 02 > A8 ? BROKEN C0 R_SECOND
A shot after a hit goes out after a few milliseconds of calm; the line has doubled the answer.
    M4: shoot 1 1 > C0 01 01; < 1C; = wants_calm 1; shoot 2 1; calm EARLY; < 1C; = strays 1;
        calm CALM_MS > C0 02 01; = wants_calm 0
It goes out after two ticks where nobody has a finer clock.
    M4: shoot 1 1 > C0 01 01; < 1C; shoot 2 1; tick; tick > C0 02 01
A false answer is called with A8.
    M4: shoot 1 1 > C0 01 01; < 1C ?; accuse R_NOT_SUNK > A8 ! OVER, BROKEN C0 R_NOT_SUNK
"""
    )


def test_the_reply_of_an_owner_in_a_hurry_is_sent_before_rx_returns():
    """As on a board: `urgent` sends, `judge` answers; tx() has nothing, and the events report what was answered."""
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
            told.append((link.details[0], link.details[L.EVENT_CELL], link.details[L.EVENT_ANSWER]))
    assert told[0] == (L.EV_SHOT, 0x21, wire.REPEAT)


def test_false_last_answer_is_called_before_A9_goes_out():
    m = master(4)
    m.link.shoot(1, 1)
    m.sent()
    m.hear("2C")
    m.link.shoot(3, 3)
    assert m.ticks(2, m.alive()) == "C0 03 03"
    m.link.rx(0x2C)
    while m.link.event() != L.EV_ANSWER:
        pass
    m.link.accuse(wire.R_NO_SUCH_SHIP)
    assert m.sent() == "A8"


def test_the_end():
    hold(
        """
The winner sends A9 after the last 2C, and is borne without a 9A.
    M4: WINS; = state 4; < 9A ! ANSWER, ANSWER, OVER WE_WON BY_SHOTS; = state 9
    M4: WINS; ~62 ! ANSWER, ANSWER, OVER WE_WON BY_SHOTS; = state 9
The loser answers A9; without it, it goes to state 9 by its own count, and still answers a late one.
    S4: LOSES; < A9 > 9A ! SHOT, SHOT, OVER WE_LOST BY_SHOTS; = state 9
    S4: LOSES; ~60; = state 4; ~1 ! SHOT, SHOT, OVER WE_LOST BY_SHOTS; = state 9; < A9 > 9A !; = state 9
A goodbye before it changes nothing.
    M4: WINS; goodbye; +140 > ... ! ANSWER, ANSWER, OVER WE_WON BY_SHOTS, CLOSED; = games 1, state 0, key_awaited 0
    S4: LOSES; goodbye > A7; +140 > ... ! SHOT, SHOT, OVER WE_LOST BY_SHOTS, CLOSED; = games 1, state 0, key_awaited 0
A shot from a side whose last ship is sunk breaks the protocol, and so does A9 from one that has not won.
    M4: WINS ?; < C0 01 01 > A8 ! OVER, BROKEN C0 R_FLEET_SUNK
    S4: < C0 01 01; answer SUNK > 2C; < A9 > A8
A last deck answered with 1C ends the game too.
    M4: shoot 1 1 > C0 01 01; < 2C; shoot 3 3; ~2 > C0 03 03; < 1C > A9
A surrender in each state leads to state 9.
    MS1234: surrender > A6; < 6A ! OVER WE_LOST BY_SURRENDER; = state 9
    MS1234: < A6 > 6A ! OVER WE_WON BY_SURRENDER; = state 9
Two surrenders that cross.
    MS4: surrender > A6; < A6 > 6A; < 6A ! OVER NO_RESULT BY_SURRENDER; = state 9
A peer that is gone after our surrender, or after the end, has left without an error.
    M4: surrender > A6; +80 ! OVER, LEFT; = state 0, hung 0
    MS9: +80 ! LEFT; = state 0, key_awaited 0
Nobody surrenders where there is no game, nor twice, nor during a timeout.
    MS09: surrender NOT_NOW
    MS4: < A8 > 8A; surrender NOT_NOW
    MS4: surrender > A6; surrender NOT_NOW
    MS4: +70; = hung 1; surrender NOT_NOW
A restart from 2, 3 and 9 keeps the parameters: real masters send no new B2, ours does.
    M239: restart > A5; < 5A ! RESTART; = state 1, agreed 1; offer > PARAMS
    S239: < A5 > 5A ! RESTART; = state 1; < A2 > 2A; = state 2
It is refused to a slave and in states 1 and 4.
    S9: restart NOT_YOURS
    M14: restart NOT_NOW
Goodbye closes with the answer or without.
    MS12349: goodbye > A7; < 7A ! CLOSED; = closed 1; < AA; +30
    MS12349: goodbye > A7; +70 ! CLOSED; = closed 1; < AA; +30
It waits for the answer to a shot, needs no bytes in state 0, and follows a timeout.
    M4: shoot 1 1 > C0 01 01; goodbye; < 0C > A7
    M0: goodbye ! CLOSED
    S4: +61; goodbye > A7
After A7 the one who stays plays its role in state 0.
    M4: < A7 > 7A ! GOODBYE; = state 0, role MASTER; tick > AA
    S4: < A7 > 7A; +100; < AA > 01
"""
    )


def test_errors_and_keys():
    hold(
        """
A8 is answered and leads to state 0 after a key.
    MS12349: < A8 > 8A ! ACCUSED; = state 8; < AA; +200; key; = state 0
A missing 8A is no error: it is waited for after the key.
    S2: < A4 > A8; key; +60 ! BROKEN; = state 8; +1 ! IDLE; = state 0
A late 8A ends what the key has not.
    S1: < A4 > A8; key ?; = state BROKEN_OFF; < 8A ! IDLE 0 0; = state 0
While a key is awaited after A8, only what closes the matter is answered.
    S2: < A4 > A8; < A8 > 8A; < A7 > 7A; < A0 > 0A; < B1 01 41 > 1B; < A3; < AA; < A5; = state 8
What is not heard after an accusation is counted.
    S4: < A8 > 8A; = strays 0; < AA; = strays 1; < AA; = strays 2
Who owes an answer can be accused.
    S4: < C0 01 01 ?; < A8 > 8A ! ACCUSED 0 0; answer MISS NOT_NOW
Orders that waited for an answer go out with it.
    S4: < C0 01 01; surrender; answer MISS > 0C A6
    S4: < C0 01 01; goodbye; answer MISS > 0C A7
What is ordered during a timeout waits until it is over.
    M2: +70; = hung 1; ready ?; < 01 > A3 ! RESUMED 0 0
    S3: +70; = hung 1; ready; < AA > 01 A4
An order that waits is not lost to one that follows it, nor to the surrender of the other.
    S3: send_chat AB > B3 02 41 42; surrender; ready; < 3B > A6
    M3: send_chat AB > B3 02 41 42; restart; < A6 > 6A; = state 9; < 3B > A5; < 5A; = state 1
A goodbye under way is not said twice when the other surrenders.
    MS4: goodbye > A7; < A6 > 6A; < 7A; = closed 1
Counters count one by one.
    M2: < 3A; = strays 1; < 3A; = strays 2; < 3A; = strays 3
    A: < A1; = strays 1; < A1; = strays 2; < A1; = strays 3
    S2: < A3 > 3A; = repeats 0; < A3 > 3A; = repeats 1; < A3 > 3A; = repeats 2
    S2: < 77; = noise 1; << C0; +6; = dropped 1; < 77; = noise 2; << C0; +6; = dropped 2
    M1: < A5; = deviations 1; +6; < A5; = deviations 2; +6; < A5; = deviations 3
"""
    )


def test_decisions():
    hold(
        """
An unfinished frame is dropped after 4 ticks.
    S4: < C0 01; +4; < 02 ! SHOT 1 2
    S4: < C0 01; +5; = dropped 1; < 02 !; = noise 1
A command is answered while ours waits; one that ends the state forgets ours.
    M4: shoot 1 1 > C0 01 01; < B1 01 41 > 1B; < B3 02 48 49 > 3B; < 0C; = my_turn 0
    M4: shoot 1 1 > C0 01 01; < A0 > 0A; = busy 0, state 0; < 0C; = state 0, strays 1
    M4: shoot 1 1 > C0 01 01; < A6 > 6A; = busy 0, state 9; < 0C; = state 9, strays 1
    M4: shoot 1 1 > C0 01 01; < A7 > 7A; = busy 0, state 0; < 0C; = state 0, strays 1
    M4: shoot 1 1 > C0 01 01; < A8 > 8A; = busy 0, state 8; < 0C; = state 8, strays 1
A restart and a surrender, or readiness, that cross both end in state 1.
    M3: restart > A5; < A6 > 6A; < 5A; = state 1
    S3: surrender > A6; < A5 > 5A; < 6A; = state 1
    M3: restart > A5; < A4 > 4A; < 5A; = state 1
    S3: ready > A4; < A5 > 5A; < 4A; = state 1
A surrender before the battle ends no game.
    S3: < A6 > 6A; = games 0, state 9
    S4: < A6 > 6A; = games 1, state 9
Who is about to leave accuses nobody.
    S4: < C0 01 01 ! SHOT 1 1; goodbye; < A2 > A8 ! CLOSED; = closed 1
Who is about to leave is told the cause, then that it is over.
    S4: < C0 01 01 ! SHOT 1 1; goodbye; < A8 > 8A ! ACCUSED 0 0, CLOSED; = closed 1
    M4: shoot 1 1 > C0 01 01; < 1C ?; goodbye > A7; accuse R_NOT_SUNK > A8 ! OVER, BROKEN C0 R_NOT_SUNK, CLOSED
A goodbye survives whatever crosses it.
    S4: goodbye > A7; < A6 > 6A; < 7A; = closed 1
    S4: goodbye > A7; < A7 > 7A; < 7A; = closed 1
    S4: goodbye > A7; < A8 > 8A; < 7A; = closed 1
    S4: goodbye > A7; < A0 > 0A; < 7A; = closed 1
The reply to a goodbye is lost: who meets anew has heard it, and breaks nothing.
    S1249: goodbye > A7; < AA > 01; < A1; = closed 0; +70 ! CLOSED; = closed 1
A2 may follow a restart, but not the first meeting.
    S9: < A5 > 5A; < A2 > 2A
    S1: < A2 > A8 ! BROKEN A2 R_NO_PARAMS
Chat is probed once, and its absence is no error.
    S1: < PARAMS > ECHO; < A2 > 2A B3 01 20; send_chat HI NO_CHAT; ~62 ? CHAT_KNOWN 0 0; = hung 0;
        send_chat HI NO_CHAT; < A5 > 5A; < A2 > 2A
Who is probed in state 1 probes back at once, and once.
    S1: < B3 01 20 > 3B B3 01 20; < 3B; = chat CHAT_YES; < B3 01 20 > 3B; send_chat HI > B3 02 48 49
An owner may have the probe sent in state 1, and after the end.
    S1: probe > B3 01 20; probe NOT_NOW; < 3B ! CHAT_KNOWN 1 0; = chat CHAT_YES; < PARAMS > ECHO; < A2 > 2A
    S0: probe NOT_NOW
    MS1: < A6 > 6A; = state 9, chat CHAT_UNKNOWN; probe > B3 01 20; < 3B; = chat CHAT_YES
Real text only after 3B.
    S2: = chat CHAT_YES; send_chat HI > B3 02 48 49; < 3B ! CHAT_SENT; send_chat HI > B3 02 48 49; ~62 ! CHAT_LOST 0 0;
        = hung 0
    S2: send_chat HI > B3 02 48 49; send_chat HI NOT_NOW
A text of one space is answered and not shown.
    S2: < B3 01 20 > 3B !; < B3 00 > 3B !; < B3 01 21 > 3B ! CHAT; = text 21
A repeat within 4 ticks gets the same answer and changes nothing.
    S4: < C0 01 01; answer MISS > 0C ?; = mine 1; +4; < C0 01 01 > 0C !; = mine 1
    S1: < A6 > 6A ?; = state 9; +3; < A6 > 6A !; = state 9
    S2: < A3 > 3A ?; = state 3; +3; < A3 > 3A !; = state 3
    S9: < A5 > 5A ?; = state 1; +3; < A5 > 5A !; = state 1
What would be legal as a new command is one, however soon it comes.
    S4: < C0 01 01; answer HIT > 1C ?; < C0 01 01 ! SHOT 1 1
    S4: < C0 01 01; answer HIT > 1C; +3 ?; < C0 01 01 ! SHOT 1 1
    S4: < C0 01 01; answer HIT > 1C; +5 ?; < C0 01 01 ! SHOT 1 1
    S1: < B1 01 41 > 1B ! NICK 0 0; < B1 01 41 > 1B ! NICK 0 0
    S1: < PARAMS > ECHO ! PARAMS 0 0; < PARAMS > ECHO ! PARAMS 0 0
    S4: < B3 02 48 41 > 3B ! CHAT 0 0; < B3 02 48 41 > 3B ! CHAT 0 0
A fast opponent may shoot the same cell in its next turn; all within a tick: its miss, ours, and the same again.
    S4: < C0 02 01; answer MISS > 0C; = mine 1; shoot 5 5 > C0 05 05; < 0C ?; < C0 02 01 ! SHOT 2 1; answer REPEAT > 3C;
        = mine 1
    M4: shoot 3 3 > C0 03 03; < 0C; < C0 02 01; answer MISS > 0C; = mine 1; shoot 5 5 > C0 05 05; < 0C ?;
        < C0 02 01 ! SHOT 2 1; answer REPEAT > 3C; = mine 1
Who has answered since repeats no more.
    S4: < C0 01 01; answer MISS > 0C; shoot 5 5 > C0 05 05; < 1C ?; < C0 01 01 > A8 ! BROKEN SHOT R_TURN
    S1/ME: < PARAMS > ECHO; < A2 > 2A B3 01 20; < 3B ?; < A2 > A8 ! BROKEN PLACE R_STATE
A repeat before the answer is given waits for it.
    S4: << C0 01 01 C0 01 01 ! SHOT 1 1; answer HIT > 1C
Every repeat within 4 ticks of the one before is one; after more it is a new command.
    S0: < AA > 01; < A1 > 1A; +4 ?; < A1 > 1A !; +4 ?; < A1 > 1A !; +5 ?; < A1 > A8 ! BROKEN A1 R_STATE
    S1: < PARAMS > ECHO; < A2 > 2A ...; +4 ?; < A2 > 2A !; +4 ?; < A2 > 2A !; +5 ?; < A2 > A8 ! BROKEN A2 R_STATE
    S2: < A3 > 3A; +4 ?; < A3 > 3A !; +4 ?; < A3 > 3A !; +5 ?; < A3 > A8 ! BROKEN A3 R_STATE
    M3: < A4 > 4A; +4 ?; < A4 > 4A !; +4 ?; < A4 > 4A !; +5 ?; < A4 > A8 ! BROKEN A4 R_STATE
    S1: < A6 > 6A; +4 ?; < A6 > 6A !; +4 ?; < A6 > 6A !; +5 ?; < A6 > A8 ! BROKEN A6 R_STATE
    M4: < A6 > 6A; +4 ?; < A6 > 6A !; +4 ?; < A6 > 6A !; +5 ?; < A6 > A8 ! BROKEN A6 R_STATE
    S9: < A5 > 5A; +4 ?; < A5 > 5A !; +4 ?; < A5 > 5A !; +5 ?; < A5 > A8 ! BROKEN A5 R_STATE
    S4: < C0 01 01; answer MISS > 0C; +5 ?; < C0 01 01 > A8 ! BROKEN SHOT R_TURN
The same command after a restart is no repeat; all within 4 ticks: ready, restart, ready again.
    M3: restart > A5; < A4 > 4A; < 5A; offer > PARAMS; < ECHO > A2; < 2A; ready > A3; < 3A; < A4 > 4A; = state 4
A command of before a restart is no repeat where it is illegal.
    M3: < A4 > 4A; < A6 > 6A; restart > A5; < 5A; offer > PARAMS; < ECHO > A2; < 2A; = state 2; < A4 > A8
Auto becomes slave on the first AA.
    A: +5; < A1; = role 0, strays 1; < A1; = strays 2; < AA > 01 ! ROLE SLAVE 0; = role SLAVE; < A1 > 1A
    M0: < AA; = role MASTER, strays 1
A master that answers A4 while it repeats A3 is borne.
    S2: ready; < A3 > 3A A4; < A3 4A A3 > 3A 3A ! MASTER_READY, BATTLE; = state 4
A shot that is repeated at every sync keeps its answer.
    M4: shoot 1 1 > C0 01 01; < 0C; < C0 02 02; answer MISS > 0C ?; ~10; < C0 02 02 > 0C !; = mine 1
One that is repeated at a sync that crossed its answer is no new one; the next is.
    M4: shoot 1 1 > C0 01 01; < 0C; < 01; sync; < C0 02 02; answer HIT > 1C ?; < 01 C0 02 02 > 1C !; = my_turn 0;
        < C0 02 02 ! SHOT 2 2
A restart by the master in the battle is borne; A5 of a slave means that it went to state 0.
    S4: < A5 > 5A ! RESTART; = state 1, deviations 1
    M12349: < A5 ! PEER_RESET; = state 0
A marked byte is no answer; that may come again, and else the timeout does the rest.
    M4: shoot 1 1 > C0 01 01; < !1C !; = damaged 1, busy SHOT; +3; < 0C ! ANSWER MISS 0
A frame with a marked byte is dropped as a whole: the letters behind it are letters still; what follows counts.
    S1: < B1 03 !41 A7 A7 !; = state 1; < B2 !06 00 00 00 02 !; = damaged 2; < PARAMS > ECHO
Behind a marked first byte nothing counts until the line is quiet.
    S4: < !B1 03 41 A7 A7 !; = state 4; +2; < AA > 01
    S4: < B1 !03 A7 A7 A7 !; = state 4; +2; < AA > 01
    S4: < B3 !02 2C 2C !; = wants_calm 1; calm EARLY; < AA; calm CALM_MS; = wants_calm 0; < AA > 01
Nobody is accused on the strength of a marked byte. The slave has said 3A A4 in one breath, and the 3A is damaged;
nor later, until the two have understood each other again.
    M2: ready > A3; < !3A A4 !; ~5; < A4 !; = state 2, strays 1;
        < B1 01 41 > 1B ?; < B3 01 41 > 3B ?; < A4 !; = state 2, strays 2; < 3A A4 > 4A; = state 4;
        < A4 C0 01 01 > 4A A8
It has answered a shot with a miss and shot back.
    M4: shoot 1 1 > C0 01 01; < !0C C0 02 02 !; = state 4
"""
    )


def test_what_begins_nothing_and_replies_that_nobody_waits_for_are_ignored_and_counted():
    for role in (MASTER, SLAVE):
        for state in (0, 1, 2, 3, 4, 9):
            s = at(role, state)
            noise = strays = 0
            for b in [b for b in range(256) if b != wire.SYNCED]:
                if not wire.is_command(b) and not wire.is_reply(b):
                    noise += 1
                elif wire.is_reply(b) and state:
                    strays += 1
                else:
                    continue
                assert s.hear(ECHO if b == 0x2B else "%02X" % b) == ""
            assert (s.link.noise, s.link.strays, s.link.state) == (noise, strays, state)
            assert s.codes() == []


def listened(s):
    """Return the ticks until its role is known."""
    n = 0
    while not s.link.role:
        s.link.tick()
        n += 1
    return n


def test_auto_listens_30_to_50_ticks_becomes_master_and_backs_off_from_another():
    heard = set()
    for seed in range(1, 60):
        s = Endpoint(wire.AUTO, seed)
        heard.add(listened(s))
        assert s.link.role == MASTER and s.sent() == "AA" and s.events() == [(L.EV_ROLE, MASTER, 0)]
        assert s.hear("AA") == "" and s.link.role == 0 and 10 <= listened(s) <= 40
    assert min(heard) >= 30 and max(heard) <= 50 and len(heard) > 10
    fixed = master(0)
    assert fixed.hear("AA") == "" and fixed.link.role == MASTER


def test_a_frame_for_which_there_is_no_room_is_left_out_whole():
    s = slave(3)
    for _ in range(230):
        s.link.rx(0xAA)
    assert s.link.send_chat(b"x" * 64, 64) == L.DONE
    assert s.sent() == " ".join(["01"] * 230)
    # As if lost on the line: no reply comes, and that is no error.
    s.ticks(62, s.alive())
    assert (L.EV_CHAT_LOST, 0, 0) in s.events()
    for waiting, echo in ((249, " " + ECHO), (250, "")):
        s = slave(1)
        feed(s, "AA " * waiting + PARAMS)
        assert s.sent() == " ".join(["01"] * waiting) + echo


def test_frames_whose_signatures_are_alike_in_part_are_no_repeats():
    # The signatures of each pair of nicks share two of their three bytes.
    for pair in (("34 75 4E 39", "37 54 42 59"), ("6C 37 4B 39", "69 50 74 34"), ("70 44 5E 5F", "5F 31 38 41")):
        s = slave(1)
        signs = []
        for nick in pair:
            assert s.hear("B1 04 " + nick) == "1B" and s.codes() == [L.EV_NICK]
            signs.append(s.link.reader.sign)
        same = signs[0] ^ signs[1]
        assert [same & 255, same >> 8 & 255, same >> 16].count(0) == 2 and s.link.repeats == 0


def told_of(s):
    """Return the next event's code and details."""
    assert s.link.event()
    return tuple(s.link.details)


def feed(s, text):
    """Receive bytes, without reading the events."""
    for b in to_bytes(text):
        s.link.rx(b)


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
    assert told_of(s)[L.EVENT_ANSWER] == 0
    s.link.answer(wire.SUNK)
    feed(s, "C0 05 06")
    s.link.answer(wire.HIT)
    assert s.link.details[L.EVENT_ANSWER] == wire.SUNK
    assert told_of(s)[L.EVENT_ANSWER] == wire.HIT
    for before in range(40):  # wherever in the room for events
        s = slave(4)
        for _ in range(before):
            s.hear("B1 01 42")
        feed(s, "B1 01 41 B3 01 41 C0 02 01")
        s.link.answer(wire.HIT)
        assert (told_of(s)[0], told_of(s)[0]) == (L.EV_NICK, L.EV_CHAT)
        assert told_of(s)[L.EVENT_ANSWER] == wire.HIT
    m = master(4)
    m.link.shoot(1, 2)
    m.sent()
    feed(m, "0C")
    assert told_of(m) == (L.EV_ANSWER, wire.MISS, 0, MASTER, 0x21, wire.MISS, 0, 0)


def test_an_accusation_of_a_shot_tells_its_cell():
    for frame, cell in (("C0 04 05", 0x54), ("C0 01 01", 0x11)):
        m = master(4)
        feed(m, frame)
        assert told_of(m) == (L.EV_BROKEN, wire.SHOT, wire.R_TURN, MASTER, cell, 0, 0, 0)
    for frame, column, row in (("C0 00 01", 0, 1), ("C0 7F 01", 127, 1), ("C0 03 00", 3, 0)):
        s = slave(4)
        feed(s, frame)
        assert told_of(s) == (L.EV_BROKEN, wire.SHOT, wire.R_CELL, SLAVE, column, 0, 0, row)


def test_an_accusation_tells_the_command_whose_lost_reply_would_explain_it():
    m = master(4)
    m.link.shoot(1, 2)
    m.sent()
    feed(m, "C0 01 01")
    assert told_of(m) == (L.EV_BROKEN, wire.SHOT, wire.R_TURN, MASTER, 0x11, 0, 0, wire.SHOT)
    for state, ready, frame, lost in ((2, True, "A4", 0xA3), (2, False, "A4", 0), (2, True, "A9", 0)):
        m = master(state)
        if ready:
            m.link.ready()
            m.sent()
        feed(m, frame)
        told = told_of(m)
        assert told[0] == L.EV_BROKEN and told[L.EVENT_EARLIER_ANSWER] == lost, (frame, told)


def test_what_comes_before_anybody_has_looked():
    # A text received before the last one is read is not confirmed.
    s = slave(2)
    feed(s, "B1 01 41 B3 02 48 49 B3 02 4A 4B B3 01 4C")
    assert s.link.event() == L.EV_NICK
    assert s.link.event() == L.EV_CHAT and bytes(s.link.text[: s.link.text_len]) == b"HI"
    assert s.sent() == "1B 3B" and s.link.dropped == 2
    assert s.hear("B3 02 4A 4B") == "3B" and s.codes() == [L.EV_CHAT]
    # A replaced nick is reported once.
    s = slave(1)
    feed(s, "B1 01 41 B1 01 42")
    assert s.sent() == "1B 1B" and s.codes() == [L.EV_NICK] and s.link.peer_nick[0] == 0x42
    # When the queue of events is full the first ones stay.
    s = slave(1)
    for _ in range(40):
        feed(s, PARAMS)
    assert 15 < s.codes().count(L.EV_PARAMS) < 40


class Sunk(Endpoint):
    def do_sinks(self, _words):
        """From now on shots are answered at once, and sink a ship."""
        self.link.judge = lambda: self.link.answer(wire.SUNK)


# What follows the last sunk ship, and its event.
FOLLOWS = (
    ("< A7", "GOODBYE"),
    ("< A0", "PEER_TIMEOUT"),
    ("< A8", "ACCUSED"),
    ("< C0 05 05", "BROKEN"),
    ("< A5", "RESTART"),
    ("cut", "CLOSED"),
    ("+140", "LEFT"),
)


def test_a_fleet_that_is_sunk_decides_whatever_follows_and_no_key_is_awaited_in_silence():
    first, lost = "shoot 1 1 > C0 01 01; < 2C; shoot 3 3; ~2 > C0 03 03 ?", "C0 01 01 C0 03 03"
    for begin, last, told in (
        ("M4: " + first, "2C", "ANSWER, OVER WE_WON BY_SHOTS, "),
        ("S4: < C0 06 06; answer MISS > 0C; " + first, "2C", "ANSWER, OVER WE_WON BY_SHOTS, "),
        ("S4: sinks", lost, "SHOT, SHOT, OVER WE_LOST BY_SHOTS, "),
        ("M4: shoot 6 6 > C0 06 06; < 0C ?; sinks", lost, "SHOT, SHOT, OVER WE_LOST BY_SHOTS, "),
    ):
        for follow, event in FOLLOWS:
            if begin[0] == "M" and event == "RESTART":
                event = "PEER_RESET"
            # after a look, and before anybody has looked
            for way in ("< %s > ...; %s" % (last, follow), "<< %s %s" % (last, follow[2:])):
                if way[:2] == "< " or follow[0] == "<":
                    talk("%s; %s > ... ! %s%s; = games 1" % (begin, way, told, event), Sunk)
        talk("%s; < %s > ...; +140 > ...; = state 0, key_awaited 0" % (begin, last), Sunk)
