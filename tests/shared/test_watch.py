"""The watcher: a third party's judgement of the bytes of both directions.

Captures are written as words: `m` and `s` say who sends the bytes that follow, `+N` lets N ticks pass.
"""

from seabattle import watch, wire
from seabattle.watch import DEVIATION, DOUBT, FOLLOWS, NOISE, OK, UNSURE, VIOLATION, Watch

CPYTHON_ONLY = ("test_joining_in_the_middle_says_nothing_rather_than_guess",)

MET = "+3 m AA s 01 m A1 s 1A "
AGREED = MET + "m B2 06 00 00 01 02 s 2B 06 00 00 01 02 "
PLACING = AGREED + "m A2 s 2A "
MASTER_READY = PLACING + "m A3 s 3A "
BATTLE = MASTER_READY + "s A4 m 4A "
# The master sinks the two-deck ship at B2-B3 and the one-deck ships at D2 and D4.
ALL_BUT_ONE = BATTLE + "m C0 02 02 s 1C m C0 02 03 s 2C m C0 04 02 s 2C "
WON = ALL_BUT_ONE + "m C0 04 04 s 2C "
OVER = WON + "m A9 s 9A "


class Line:
    """A watcher and its records, as (side, op, verdict, reason)."""

    def __init__(self, master=0):
        self.watch = Watch()
        self.master = master
        self.records = []
        self.kinds = []
        self.answers = []  # opcodes, and the command that each answers
        self.side = 0

    def play(self, words):
        for word in words.split():
            if word == "m" or word == "s":
                self.side = self.master if word == "m" else 1 - self.master
            elif word[0] == "+":
                for _ in range(int(word[1:])):
                    self.watch.tick()
                    self.take()
            else:
                self.watch.feed(self.side, int(word, 16))
                self.take()
        return self

    def take(self):
        w = self.watch
        while w.take():
            side = "m" if w.side == self.master else "s"
            if w.kind == watch.RULING:
                # The ruling on a record that was open.
                at = len(self.records) - 1
                while self.records[at] != (side, w.op, VIOLATION, w.reason):
                    at -= 1
                self.records[at] = (side, w.op, self.thought(), w.reason)
                continue
            self.records.append((side, w.op, self.thought(), w.reason))
            self.kinds.append(w.kind)
            self.answers.append((w.op, w.answers))

    def thought(self):
        """The verdict; a fault of a side, unless it is the line's, counts as the side's."""
        w = self.watch
        if not w.maybe or w.verdict == FOLLOWS:
            return w.verdict
        assert w.verdict == (VIOLATION if w.open else DOUBT)
        return VIOLATION

    def wrong(self):
        return [r for r in self.records if r[2] != OK]

    def states(self):
        return self.watch.state_of(self.master), self.watch.state_of(1 - self.master)


SYNCS = " +9 m AA s 01" * 7
BEGINNINGS = {
    "MET": MET,
    "AGREED": AGREED,
    "PLACING": PLACING,
    "MASTER_READY": MASTER_READY,
    "BATTLE": BATTLE,
    "TURNED": BATTLE + "m C0 03 03 s 0C ",
    "ALL_BUT_ONE": ALL_BUT_ONE,
    "WON": WON,
    "OVER": OVER,
    "SYNCS": SYNCS,
}


def judge(text):
    """Run captures, each with what is wrong: side, command, verdict and reason.

    Lines that are not indented are titles; a capture may take several lines, up to
    its `=>`. A name stands for all that leads there, `6*( ... )` repeats. After `|` stands what
    the watcher knows in the end: `states 4 4` of master and slave, `shot m C3 MISS` the answer to the master's shot.
    """
    failed = []
    capture = ""
    for line in text.split("\n"):
        if line[:1] != " ":
            continue
        part, ends, rest = line.partition("=>")
        capture += " " + part
        if not ends:
            continue
        verdicts, _, known = rest.partition("|")
        expected = [judged(verdict.split()) for verdict in verdicts.split(",") if verdict.strip()]
        for master in (0, 1):
            seen = Line(master).play(spelled(capture.split()))
            otherwise = [fact for fact in known.split(",") if fact.strip() and not knows(seen, fact.split())]
            if seen.wrong() != expected or otherwise:
                failed.append("%s: %s; otherwise: %s" % (capture, named(seen.wrong()), otherwise))
                break
        capture = ""
    assert not failed, "\n".join(failed)


def knows(line, fact):
    """Whether a watcher knows a fact, written like those after the `|` of a capture."""
    w = line.watch
    what, *words = fact
    sides = [line.master if word == "m" else 1 - line.master for word in words if word in ("m", "s")]
    numbers = [int(word) for word in words if word.isdigit()]
    if what == "states":
        return line.states() == tuple([UNSURE if word == "?" else int(word) for word in words])
    if what == "roles":  # the side that is the master, and the other
        return [w.role_of(side) for side in sides] == [wire.MASTER, wire.SLAVE]
    if what in ("turn", "winner"):
        return getattr(w, what) == sides[0]
    if what == "shot":
        cell = (int(words[1][1:]) - 1) * 10 + ord(words[1][0]) - ord("A")
        return w.shots[sides[0]][cell] == getattr(wire, words[2])
    if what == "hits":  # by this side's shots
        return w.hits(sides[0]) == w.radar[sides[0]].hits == numbers[0]
    if what == "params":
        return w.agreed and [w.param(i) for i in range(5)] == numbers
    if what == "decks":  # how many; and with them the fields are followed
        return w.decks == numbers[0] and bool(w.known(0)) == bool(w.known(1)) == (numbers[0] > 0)
    if what == "nick":
        return bytes(w.nick[sides[0]][: w.nick_len[sides[0]]]) == words[1].encode()
    if what == "chat":
        return w.chat(sides[0]) == getattr(watch, "CHAT_" + words[1])
    assert what == "disagreed"
    return not w.agreed


def named(records):
    """Return records as they are written in a capture's line."""
    kinds = ("OK", "DEVIATION", "VIOLATION", "NOISE")
    reasons = [(getattr(m, name), name) for m in (wire, watch) for name in dir(m) if name[:2] == "R_"]
    text = []
    for side, op, verdict, reason in records:
        kind = kinds[verdict] if verdict < len(kinds) else str(verdict)
        text.append("%s %02X %s %s" % (side, op, kind, dict(reasons)[reason]))
    return ", ".join(text)


def spelled(words):
    out = ""
    times = 1
    again = ""
    for word in words:
        if word[-2:] == "*(":
            times = int(word[:-2])
            again, out = out, ""
        elif word == ")":
            out = again + out * times
        else:
            out += " " + BEGINNINGS.get(word, word)
    return out


def judged(words):
    side, op, verdict, reason = words
    known = getattr(wire, op) if hasattr(wire, op) else int(op, 16)
    why = getattr(wire, reason) if hasattr(wire, reason) else getattr(watch, reason)
    return (side, known, getattr(watch, verdict), why)


def test_what_is_known_follows_the_traffic():
    judge(
        """
A whole game is right.
    OVER m A7 s 7A => | states 0 0
States, turn, roles and fields.
    => | states ? ?
    MET => | states 1 1, roles m s
    AGREED => | states 1 1, decks 0
    PLACING => | states 2 2, roles m s
    MASTER_READY => | states 3 3
    BATTLE => | states 4 4, turn m, decks 4, params 6 0 0 1 2
    TURNED s C0 02 05 m 1C => | turn s, shot m C3 MISS, shot s B5 HIT, hits s 1, hits m 0
    WON => | winner m
    OVER => | states 9 9, roles m s
    MET m B2 0A 41 32 23 14 s 2B 0A 41 32 23 14 => | params 10 1 2 3 4
The first answer to a shot is kept.
    BATTLE m C0 03 03 s 0C C0 05 05 m 0C C0 03 03 s 3C => m SHOT DEVIATION R_SHOT_AGAIN | shot m C3 MISS
    +3 m C0 03 03 s 3C => | shot m C3 REPEAT
Nicks and chat are remembered.
    MET m B1 02 41 42 s 1B s B1 01 43 m 1B m B3 01 20 s 3B => | nick m AB, nick s C, chat s YES
    MET m B3 01 20 SYNCS +10 m AA s 01 => | chat s NO
The state is inferred after joining.
    +5 m AA s 01 => | states ? ?
    +5 m AA s 01 m C0 01 02 s 1C => | turn m
    +5 m AA s 01 m C0 01 02 s 1C m A6 s 6A => | states 9 9
    +5 s A4 m 4A => | states 4 4, roles m s
"""
    )


def test_who_leads_and_where_to():
    judge(
        """
The slave's A4 and the master's restart cross, in either order, and both are answered or not.
    MASTER_READY m A5 s A4 m 4A s 5A m A2 s 2A m A3 s 3A s A4 m 4A => | states 4 4
    MASTER_READY s A4 m A5 s 5A m 4A m A2 s 2A m A3 s 3A s A4 m 4A => | states 4 4
    MASTER_READY s A4 m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A => | states 4 4
    MASTER_READY m A5 s A4 s 5A m A2 s 2A m A3 s 3A s A4 m 4A => | states 4 4
A shot and a surrender, a shot and a goodbye, two surrenders, two nicks, two goodbyes cross.
    TURNED m A6 s C0 01 01 m 0C s 6A =>
    TURNED s C0 01 01 m A6 s 6A m 0C =>
    TURNED s C0 01 01 m A6 s 6A =>
    TURNED m A7 s C0 01 01 s 7A =>
    TURNED s A6 m A6 m 6A s 6A =>
    TURNED s B1 01 41 m B1 01 42 s 1B m 1B =>
    TURNED s A7 m A7 s 7A m 7A =>
Both sides timing out is right in itself; without 0A the other side follows.
    BATTLE m A0 s 0A m AA s 01 m A1 s 1A => m TIMED_OUT VIOLATION R_NO_TIMEOUT | states 1 1
    BATTLE s A0 7*( +10 m AA ) s 01 m A1 s 1A => s TIMED_OUT VIOLATION R_NO_TIMEOUT | states 1 1
A restart in the battle, or from a slave, is tolerated.
    BATTLE m A5 s 5A m A2 s 2A => m RESTART DEVIATION R_STATE | states 2 2
    BATTLE s A5 m AA s 01 m A1 s 1A => s RESTART DEVIATION R_SENDER | states 1 1
Two masters; the roles may change in state 0.
    +3 m AA s AA +20 s AA m 01 s A1 m 1A => s SYNC DEVIATION R_TWO_MASTERS | roles s m
    OVER m A7 s 7A +100 s AA m 01 s A1 m 1A => | roles s m
A slave that syncs and is answered is the master from then on.
    BATTLE s AA m 01 => s SYNC DOUBT R_SENDER | roles s m, states ? ?, disagreed
    BATTLE s AA m 01 s AA m 01 s A1 m 1A s B2 06 00 00 01 02 m 2B 06 00 00 01 02
        => s SYNC DOUBT R_SENDER | roles s m, states 1 1
A goodbye and a victory lead on without their replies.
    BATTLE m A7 +61 => s GOODBYE DEVIATION R_NO_REPLY | states 0 0, disagreed
    WON m A9 SYNCS => s WON DEVIATION R_NO_REPLY | states 9 9
After the end a silence leaves both ways open.
    OVER +70 m AA s 01 m A5 s 5A => m SYNC DEVIATION R_LEFT | states 1 1
    OVER +70 m AA s 01 m A1 s 1A => m SYNC DEVIATION R_LEFT | states 1 1
A late reply goes on.
    BATTLE m C0 01 01 7*( +10 m AA s 01 ) s 0C s C0 02 02 m 0C
        => s SHOT DEVIATION R_NO_REPLY, s MISS DEVIATION R_LATE | states 4 4
Placing while the echo is still under way is borne: its first byte says that the parameters are taken.
    MET m B2 06 00 00 01 02 s 2B 06 m A2 s 00 00 01 02 2A m A3 s 3A A4 m 4A C0 02 02 s 0C
        => m PLACE DEVIATION R_SECOND | states 4 4, params 6 0 0 1 2, decks 4
Before the echo has begun nobody knows whether they are, and what the rest of the echo says counts.
    MET m B2 06 00 00 01 02 A2 => m PLACE VIOLATION R_NO_PARAMS
    MET m B2 06 00 00 01 02 s 2B 06 m A2 s 00 00 01 03 2A => m PLACE DEVIATION R_SECOND, s 2B VIOLATION R_ECHO
A cut frame and noise.
    MET m B1 05 41 42 +5 m AA s 01 m 77 => m NICK NOISE R_CUT, m 77 NOISE R_NOISE
    MET m B1 05 41 42 +4 m 43 44 45 s 1B =>
"""
    )


def test_joining_in_the_middle_says_nothing_rather_than_guess():
    whole = OVER.replace("+3 ", "") + "m A5 s 5A m A2 s 2A m A7 s 7A"
    words = whole.split()
    for start in range(len(words)):
        side = "m"
        for word in words[:start]:
            if word in "ms":
                side = word
        for pause in (" ", " +5 "):
            found = Line().play(side + pause + " ".join(words[start:])).wrong()
            assert [r for r in found if r[2] != NOISE] == [], (start, found)


def test_every_illegal_command_of_every_state_is_a_violation():
    before = ((0, MET + "m A7 s 7A "), (1, AGREED), (2, PLACING), (3, MASTER_READY), (4, BATTLE), (9, OVER))
    tails = {wire.NICK: "01 41", wire.PARAMS: "06 00 00 01 02", wire.CHAT: "01 20", wire.SHOT: "03 03"}
    for state, words in before:
        for row in wire.TABLE:
            op = row[wire.OPCODE]
            for sender in (wire.MASTER, wire.SLAVE):
                # Something else from both in between, so that nothing repeats the last command.
                line = Line().play(words + "m B1 01 42 s 1B s B1 01 43 m 1B ")
                winner = wire.MASTER if state == 9 else wire.NOBODY
                why = wire.illegal(op, sender, state, wire.MASTER if state == 4 else wire.NOBODY, winner)
                text = "m " if sender == wire.MASTER else "s "
                line.play("+5 %s %02X %s" % (text, op, tails.get(op, "")))
                found = line.wrong()
                tolerated = wire.tolerated(op, sender, state)
                if state == 0:
                    # Roles are free there, and a goodbye is answered.
                    tolerated = tolerated or op in (wire.GOODBYE, wire.BROKEN, wire.SYNC, wire.MEET)
                if not why:
                    expected = OK
                    # An unfounded accusation.
                    if op == wire.BROKEN:
                        expected, why = VIOLATION, watch.R_UNFOUNDED
                    elif op == wire.TIMED_OUT and 0 < state < 9:
                        expected, why = VIOLATION, watch.R_NO_TIMEOUT
                else:
                    expected = DEVIATION if tolerated else VIOLATION
                verdict = found[0][2] if found else OK
                if state == 0 and op in (wire.SYNC, wire.MEET):
                    assert verdict != VIOLATION, (state, op, sender)
                    continue
                assert verdict == expected, (state, op, sender, found, expected)
                if expected == VIOLATION:
                    assert found[0][3] == why, (state, op, sender, found, why)


def test_what_breaks_the_protocol():
    judge(
        """
Restart, surrender and another game are right.
    OVER m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A m C0 01 01 s 0C s A6 m 6A m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A
        m C0 01 01 s 0C s A6 m 6A s A7 m 7A OVER =>
A second command before the first is answered; sync is excepted.
    BATTLE m C0 01 01 m C0 02 02 => m SHOT VIOLATION R_SECOND
    BATTLE m C0 01 01 C0 02 02 s 0C A8 m 8A => m SHOT VIOLATION R_SECOND
    BATTLE m C0 01 01 C0 02 02 s 1C m C0 03 01 s 0C => m SHOT DOUBT R_SECOND
    BATTLE m C0 01 01 m AA s 01 s 0C =>
Answered as if it were none, it may be the answer before it that came late to the watcher.
    AGREED m B2 06 00 00 00 03 m A2 s 2B 06 00 00 00 03 => m PLACE VIOLATION R_SECOND
    AGREED m B2 06 00 00 00 03 m A2 s 2B 06 00 00 00 03 s 2A => m PLACE DOUBT R_SECOND
A second command behind one whose reply may stay away: too early, it is a deviation; after about the time that one
waits for a reply, it is none. Behind one that has to be answered it is never right.
    MET m B1 01 41 B2 06 00 00 01 02 s 1B 2B 06 00 00 01 02 => m PARAMS DEVIATION R_SECOND
    MET m B1 01 41 6*( +9 m AA s 01 ) m B2 06 00 00 01 02 s 2B 06 00 00 01 02 =>
    BATTLE m C0 01 01 6*( +9 m AA s 01 ) m C0 02 02 => m SHOT VIOLATION R_SECOND
A shot is not borne before the answer to the one before, nor readiness before the master's.
    BATTLE m C0 01 01 C0 02 02 => m SHOT VIOLATION R_SECOND
    PLACING s A4 => s SLAVE_READY VIOLATION R_STATE | states 2 2
False answers of a side with one ship of two decks and two of one.
    BATTLE m C0 01 01 s 1C m C0 01 02 s 2C m C0 02 01 s 1C => s HIT VIOLATION R_NEAR_SUNK
    BATTLE m C0 01 01 s 1C m C0 01 02 s 2C m C0 04 04 s 1C => s HIT VIOLATION R_NOT_SUNK
    BATTLE m C0 03 03 s 1C m C0 04 04 s 1C => s HIT VIOLATION R_CORNER
    BATTLE m C0 03 03 s 1C m C0 03 04 s 1C => s HIT VIOLATION R_NOT_SUNK
    BATTLE m C0 01 01 s 2C m C0 03 03 s 2C m C0 05 05 s 2C => s SUNK VIOLATION R_NO_SUCH_SHIP
    BATTLE m C0 03 03 s 3C => s REPEAT VIOLATION R_NOT_SHOT_BEFORE
Not its turn.
    BATTLE s C0 01 01 => s SHOT VIOLATION R_TURN
    BATTLE m C0 01 01 s 0C m C0 02 02 => m SHOT VIOLATION R_TURN
    BATTLE m C0 01 01 s 1C s C0 02 02 => s SHOT VIOLATION R_TURN
    BATTLE m C0 01 01 s 0C s C0 01 01 m 0C +5 m C0 01 01 s 3C m C0 05 05
        => m SHOT DEVIATION R_SHOT_AGAIN, m SHOT VIOLATION R_TURN
Bad parameters, none, and a different echo.
    MET m B2 05 00 00 01 02 => m PARAMS VIOLATION R_PARAMS
    MET m B2 0B 01 02 03 04 => m PARAMS VIOLATION R_PARAMS
    MET m B2 0A 02 02 03 04 => m PARAMS VIOLATION R_PARAMS
    MET m B2 0A 01 03 03 04 => m PARAMS VIOLATION R_PARAMS
    MET m B2 0A 01 02 06 04 => m PARAMS VIOLATION R_PARAMS
    MET m B2 0A 01 02 03 00 => m PARAMS VIOLATION R_PARAMS
    MET m B2 06 01 02 05 0A => m PARAMS VIOLATION R_FLEET
    MET m A2 => m PLACE VIOLATION R_NO_PARAMS
    MET m B2 06 00 00 01 02 s 2B 06 00 00 02 01 => s 2B VIOLATION R_ECHO
A shot off the field.
    BATTLE m C0 07 01 => m SHOT VIOLATION R_CELL
    BATTLE m C0 01 07 => m SHOT VIOLATION R_CELL
    BATTLE m C0 00 01 => m SHOT VIOLATION R_FROM_ZERO
    BATTLE m C0 01 00 => m SHOT VIOLATION R_FROM_ZERO
    BATTLE m C0 06 00 => m SHOT VIOLATION R_CELL
A win that is none, and a shot by a sunk fleet.
    BATTLE m A9 => m WON VIOLATION R_NOT_WON
    BATTLE s A9 => s WON VIOLATION R_NOT_WON
    WON s A9 => s WON VIOLATION R_NOT_WON
    WON s C0 01 01 => s SHOT VIOLATION R_FLEET_SUNK
The answer to a violation is no deviation.
    BATTLE s C0 01 01 m A8 s 8A m AA s 01 m A1 s 1A => s SHOT VIOLATION R_TURN
    BATTLE m C0 01 01 s 3C m A8 s 8A => s REPEAT VIOLATION R_NOT_SHOT_BEFORE
An illegal command that is accepted; an answer accepts it once.
    PLACING s A4 m 4A m C0 01 01 s 0C => s SLAVE_READY VIOLATION R_STATE, m 4A FOLLOWS R_ACCEPTED
    PLACING s A4 m 4A 4A => s SLAVE_READY VIOLATION R_STATE, m 4A FOLLOWS R_ACCEPTED, m 4A DEVIATION R_DOUBLED
    PLACING s A4 B3 01 20 m B3 01 20 A8 3B s 3B 8A => s SLAVE_READY VIOLATION R_STATE
An accusation without a cause; who joined late does not know, and after a silence it is founded.
    BATTLE m A8 s 8A => m BROKEN VIOLATION R_UNFOUNDED
    +5 m AA s 01 m A8 s 8A =>
    BATTLE 9*( +9 m AA ) m A8 => s SYNC VIOLATION R_SILENT
Who joins in the middle judges what follows a pause at once; without one the first command may be the tail of another.
    +3 m C0 0B 01 => m SHOT VIOLATION R_CELL
    m C0 0B 01 =>
    m C0 01 01 s 0C C0 0B 01 => s SHOT VIOLATION R_CELL
    +3 m C0 01 01 s 0C 01 => s SYNCED DEVIATION R_UNMATCHED
"""
    )


def test_time():
    judge(
        """
A missing reply.
    BATTLE m C0 01 01 SYNCS => s SHOT VIOLATION R_NO_REPLY
    MET m B1 01 41 SYNCS => s NICK DEVIATION R_NO_REPLY
A goodbye that nobody has answered when both have met anew.
    WON m A9 s 9A A7 +9 m AA s 01 m A1 s 1A SYNCS m B2 0A 01 02 03 04 s 2B 0A 01 02 03 04 m A2 s 2A
        => m GOODBYE DEVIATION R_NO_REPLY | states 2 2
    BATTLE m A6 SYNCS => s SURRENDER DEVIATION R_NO_REPLY
Nobody is missed who may have been asked nothing: what is heard first may be the tail of a longer frame.
    m C0 01 01 +70 =>
Exactly in time, and one tick too late.
    BATTLE m C0 01 01 6*( +10 m AA s 01 ) s 0C =>
    BATTLE m C0 01 01 6*( +10 m AA s 01 ) +1 s 0C => s SHOT DEVIATION R_NO_REPLY, s MISS DEVIATION R_LATE
Silence.
    BATTLE +9 =>
    BATTLE +14 => m SYNC DEVIATION R_NO_SYNC
    BATTLE +200 => m SYNC DEVIATION R_NO_SYNC, m SYNC VIOLATION R_SILENT
    BATTLE m AA 20*( +10 m AA ) => s SYNC VIOLATION R_SILENT
In state 0 nobody has to be there, after the end everybody may leave.
    +3 m AA 20*( +10 m AA ) +300 =>
    OVER +200 => m SYNC DEVIATION R_LEFT
    OVER m AA 20*( +10 m AA ) s 01 m A1 s 1A => s SYNC DEVIATION R_LEFT
Each gap of the syncs and each silence is told once.
    BATTLE +14 m AA s 01 +14 m AA s 01 => m SYNC DEVIATION R_NO_SYNC, m SYNC DEVIATION R_NO_SYNC
    BATTLE +14 s B1 01 41 +3 m 1B => m SYNC DEVIATION R_NO_SYNC
    BATTLE 9*( +9 m AA ) s 01 +9 m AA s 01 9*( +9 m AA ) => s SYNC VIOLATION R_SILENT, s SYNC VIOLATION R_SILENT
Syncs may be answered later.
    BATTLE +9 m AA +9 m AA s 01 01 =>
    BATTLE +9 m AA +9 m AA s 01 01 01 => s SYNCED DEVIATION R_UNMATCHED
The victory is missed after 60 ticks; a late one after the loser has counted is right in itself.
    WON 6*( +10 m AA s 01 ) =>
    WON 6*( +10 m AA s 01 ) +1 => m WON DEVIATION R_NO_WON
    WON +9 m AA s 01 6*( +10 m AA s 01 ) m A9 s 9A => m WON DEVIATION R_NO_WON
A nick that crosses the end of a game is still answered or missed; a late answer to one is no stray.
    BATTLE m B1 01 41 s A6 m 6A s 1B =>
    BATTLE m B1 01 41 s A6 m 6A SYNCS => s NICK DEVIATION R_NO_REPLY
    BATTLE m B3 01 20 s 3B m B3 01 41 s A6 m 6A s 3B =>
    MET m B1 01 41 SYNCS s 1B => s NICK DEVIATION R_NO_REPLY
    MET s B1 01 41 SYNCS m 1B => m NICK DEVIATION R_NO_REPLY
"""
    )


def test_who_is_misled_by_an_answer_that_came_twice():
    judge(
        """
A shot out of turn, or before the answer to the last one.
    BATTLE m C0 01 01 s 0C 0C m C0 01 02 => s MISS DEVIATION R_DOUBLED, m SHOT FOLLOWS R_TURN
    TURNED s C0 01 01 m 0C 0C s C0 01 02 => m MISS DEVIATION R_DOUBLED, s SHOT FOLLOWS R_TURN
    BATTLE m C0 02 02 s 1C 1C m C0 02 03 C0 04 03 => s HIT DEVIATION R_DOUBLED, m SHOT FOLLOWS R_SECOND
Only who got it twice, and only until two more of its commands are answered.
    BATTLE m C0 01 01 s 0C 0C s C0 01 01 C0 02 02 => s MISS DEVIATION R_DOUBLED, s SHOT VIOLATION R_SECOND
    BATTLE m C0 01 01 s 0C 0C s C0 01 01 m 0C m C0 02 02 s 0C m C0 03 03
        => s MISS DEVIATION R_DOUBLED, m SHOT FOLLOWS R_TURN
    BATTLE m C0 01 01 s 0C 0C s C0 01 01 m 0C m C0 02 02 s 0C s C0 02 02 m 0C m C0 03 03 s 0C m C0 04 04
        => s MISS DEVIATION R_DOUBLED, m SHOT VIOLATION R_TURN
    MASTER_READY s A4 m 4A 4A s C0 01 01 => m 4A DEVIATION R_DOUBLED, s SHOT VIOLATION R_TURN
A hit that counts twice makes a victory; fewer do not, and no miss does.
    BATTLE m C0 02 02 s 1C m C0 02 03 s 2C m C0 04 02 s 2C 2C m A9
        => s SUNK DEVIATION R_DOUBLED, m WON FOLLOWS R_NOT_WON
    BATTLE m C0 02 02 s 1C 1C m C0 02 03 s 2C m C0 04 02 s 2C m A9
        => s HIT DEVIATION R_DOUBLED, m WON FOLLOWS R_NOT_WON
    TURNED s C0 02 02 m 1C s C0 02 03 m 2C s C0 04 06 m 2C 2C s A9
        => m SUNK DEVIATION R_DOUBLED, s WON FOLLOWS R_NOT_WON
    BATTLE m C0 02 02 s 1C m C0 02 03 s 2C 2C m A9 => s SUNK DEVIATION R_DOUBLED, m WON VIOLATION R_NOT_WON
    BATTLE m C0 02 02 s 1C m C0 02 03 s 2C m C0 04 02 s 2C m C0 06 01 s 0C 0C m A9
        => s MISS DEVIATION R_DOUBLED, m WON VIOLATION R_NOT_WON
The last hit once more, inside the next shot at once; another answer, or later, tells that it was no shot.
    BATTLE m C0 02 02 s 1C m C0 02 s 1C m 03 s 2C => s HIT DEVIATION R_DOUBLED
    BATTLE m C0 04 02 s 2C m C0 02 s 2C m 03 s 1C => s SUNK DEVIATION R_DOUBLED
    TURNED s C0 02 02 m 1C s C0 02 m 1C s 03 m 2C => m HIT DEVIATION R_DOUBLED
    BATTLE m C0 02 02 s 1C +1 m C0 02 s 1C => m SHOT NOISE R_CUT, s HIT FOLLOWS R_UNMATCHED
    BATTLE m C0 02 02 s 1C m C0 02 s 2C => m SHOT NOISE R_CUT, s SUNK FOLLOWS R_UNMATCHED
    BATTLE m C0 02 02 s 0C s C0 01 01 m 0C m C0 02 s 0C => m SHOT NOISE R_CUT, s MISS FOLLOWS R_UNMATCHED
    BATTLE m C0 02 02 s 1C m B1 01 41 s 1B m C0 02 s 1C => m SHOT NOISE R_CUT, s HIT FOLLOWS R_UNMATCHED
Two different answers to one shot mislead both.
    TURNED s C0 01 01 m 0C s C0 01 01 m 1C m C0 01 01 s 1C s C0 03 03
        => s SHOT DEVIATION R_REPEATED, m HIT DEVIATION R_OTHER_ANSWER, s SHOT FOLLOWS R_TURN
    TURNED s C0 01 01 m 0C s C0 01 01 m 1C s C0 02 01 m 2C m C0 03 03
        => s SHOT DEVIATION R_REPEATED, m HIT DEVIATION R_OTHER_ANSWER, m SHOT FOLLOWS R_TURN
"""
    )


def test_what_players_put_up_with():
    judge(
        """
A slave that says 01 unasked is no shared wire: that both probe for chat at once is no echo.
    MET s 01 01 m B3 01 20 s B3 01 20 m 3B s 3B
        => s SYNCED DEVIATION R_UNMATCHED, s SYNCED DEVIATION R_UNMATCHED
A sync inside a frame; in a nick it is a letter.
    BATTLE m C0 AA 03 => m SHOT VIOLATION R_SYNC_INSIDE
    BATTLE m C0 03 AA => m SHOT VIOLATION R_SYNC_INSIDE
    MET m B2 06 00 AA 00 01 => m PARAMS VIOLATION R_SYNC_INSIDE
    MET m B1 02 AA AA s 1B =>
Replies that nobody waits for; one to a command that would have been right: that one was not seen.
    PLACING s 2A => s 2A DEVIATION R_DOUBLED
    PLACING s 2A 2A => s 2A DEVIATION R_DOUBLED, s 2A DEVIATION R_DOUBLED
    BATTLE s 0C => s MISS DOUBT R_UNMATCHED
    MET s 01 => s SYNCED DEVIATION R_UNMATCHED
A reply to another command than the one that waits, which could not have been sent: its sender's fault or the line's.
    AGREED m A2 s 1A => s 1A VIOLATION R_INSTEAD
    AGREED m A2 s 1A m A8 s 8A => s 1A VIOLATION R_INSTEAD
    AGREED m A2 s 1A B3 01 20 m A8 s 8A => s 1A VIOLATION R_INSTEAD
    AGREED m A2 s 1A m A2 s 2A => s 1A DEVIATION R_INSTEAD, m PLACE DEVIATION R_REPEATED | states 2 2
    AGREED m A2 s 1A m A3 s 3A
        => s 1A DOUBT R_INSTEAD, m MASTER_READY FOLLOWS R_SECOND | states 3 3
A slave that waits repeats its shot at each sync, and each is answered alike.
    TURNED s C0 01 01 m AA s 01 C0 01 01 m 0C m 0C m C0 04 04 s 0C => s SHOT DEVIATION R_REPEATED
    TURNED s C0 01 01 m 0C +2 s C0 01 01 m 0C m C0 04 04 s 0C => s SHOT DEVIATION R_REPEATED
The sync has crossed the answer, and so has the repeat at it: no new shot, though the turn is still its side's.
    TURNED m AA s C0 01 01 m 1C s 01 C0 01 01 m 1C s C0 02 02 m 0C => s SHOT DEVIATION R_REPEATED
    TURNED m AA s C0 01 01 01 m 1C s C0 01 01 m 1C s C0 02 02 m 0C => s SHOT DEVIATION R_REPEATED
Later, where it is not that side's turn any more: a slave that has got no answer.
    TURNED s C0 01 01 m 0C +8 s C0 01 01 m 0C => s SHOT DEVIATION R_REPEATED
    TURNED s C0 01 01 m 0C s C0 01 01 m 1C => s SHOT DEVIATION R_REPEATED, m HIT DEVIATION R_OTHER_ANSWER
A repeat is none behind an answer or after more than 4 ticks.
    MASTER_READY +4 m AA s 01 +4 m A3 s A8 m 8A => m MASTER_READY VIOLATION R_STATE
    PLACING s B3 01 20 m 3B m A2 s A8 m 8A => m PLACE VIOLATION R_STATE
A repeat is one within 4 ticks; some masters answer A4 while they still repeat A3.
    MASTER_READY +4 m A3 s 3A +4 m AA s 01 m A3
        => m MASTER_READY DEVIATION R_REPEATED, m MASTER_READY DEVIATION R_REPEATED
    MASTER_READY s A4 m 4A A3 s 3A m C0 01 01 s 0C => m MASTER_READY DEVIATION R_REPEATED
    MET m A1 => m MEET DEVIATION R_REPEATED
What is legal as a new command is no repeat.
    MET m B1 01 41 s 1B m B1 01 41 s 1B +5 m B1 01 41 s 1B =>
    MET m B1 01 41 m B1 01 41 +4 m B1 01 41 => m NICK DEVIATION R_REPEATED, m NICK DEVIATION R_REPEATED
A fast opponent shoots at the same cell in its next turn; who has answered a shot since has its own answer.
    TURNED s C0 01 01 m 0C m C0 04 04 s 0C s C0 01 01 m 3C m C0 05 05 s 0C => s SHOT DEVIATION R_SHOT_AGAIN
    TURNED s C0 01 01 m 0C m C0 04 04 s 1C s C0 01 01 => s SHOT VIOLATION R_TURN
An answer to an earlier command is not taken for one to the last: of the slave's restart nothing was answered before.
    TURNED s C0 02 05 m 1C s A5 m 5A => s RESTART DEVIATION R_SENDER, m 5A FOLLOWS R_UNMATCHED
    TURNED s C0 02 05 m 1C s A5 s A5 m 5A => s RESTART DEVIATION R_SENDER, s RESTART DEVIATION R_REPEATED
A hit for the last deck.
    ALL_BUT_ONE m C0 04 04 s 1C m A9 s 9A => s HIT DEVIATION R_LAST_DECK
Nicks that break real programs, and chat that was not probed: any text but one space.
    MET m B1 00 s 1B => m NICK DEVIATION R_NICK_LENGTH
    MET m B1 0B 41 41 41 41 41 41 41 41 41 41 41 s 1B => m NICK DEVIATION R_NICK_LENGTH
    MET m B3 02 41 42 s 3B => m CHAT DEVIATION R_NOT_PROBED
    MET m B3 01 20 s 3B m B3 02 41 42 s 3B =>
    PLACING m B3 01 41 s 3B => m CHAT DEVIATION R_NOT_PROBED
    PLACING m B3 02 20 41 s 3B => m CHAT DEVIATION R_NOT_PROBED
    PLACING m B3 02 20 20 s 3B => m CHAT DEVIATION R_NOT_PROBED
Two masters.
    +3 m AA s AA => s SYNC DEVIATION R_TWO_MASTERS
    m AA s 01 m AA s 01 A1 m A8 s 8A => s MEET DEVIATION R_TWO_MASTERS
An A8 at an A1 that came when the other side was not surely back in state 0, and one at a cell answered anew.
    WON m A9 s 9A A7 m AA s 01 m A1 s A8 m 8A =>
    TURNED s C0 01 01 m 0C m C0 03 03 s 0C m A8 => m SHOT DEVIATION R_SHOT_AGAIN
An A8 against a frame of which one byte was not heard, so that it seems to go on: it is founded.
    BATTLE m C0 41 s A8 m 8A AA s 01 m A1 s 1A => m SHOT VIOLATION R_CELL, m MEET FOLLOWS R_STATE
A 3A that was not heard: the 4A shows that it was sent, and the shot behind it is no second command.
    PLACING m A3 s A4 m 4A C0 02 03 s 0C A8 m 8A => s MASTER_READY DOUBT R_MISSED
A victory that is told again is no reason for nothing: the A8 at it is founded.
    WON m A9 s 9A +9 m AA s 01 m A9 s A8 m 8A => m WON DEVIATION R_REPEATED
A reply that comes when its command was given up: nothing was lost.
    BATTLE m C0 01 01 SYNCS m A0 s 0C 0A m AA s 01 m A1 s 1A => s SHOT VIOLATION R_NO_REPLY | states 1 1
    TURNED s C0 01 01 A7 m 0C 7A => | states 0 0
A restart in the middle of the battle owes nobody an answer, and both may go on.
    TURNED s C0 02 05 m 0C A5 SYNCS m C0 04 04 s 0C => m RESTART DEVIATION R_STATE
"""
    )


def test_records_say_what_is_missing():
    line = Line().play(BATTLE + "m C0 01 01" + " +9 m AA s 01" * 7)
    assert line.kinds[-1] != watch.LACK
    assert watch.LACK in line.kinds
    w = Line().play(WON + " +10 m AA s 01" * 6 + " +1").watch
    assert (w.kind, w.reason, w.answers) == (watch.LACK, watch.R_NO_WON, 0)
    assert watch.CUT in Line().play(MET + "m B1 05 41 42 +5").kinds


def test_after_forget_nothing_is_held_against_anybody():
    line = Line().play(BATTLE)
    line.watch.forget()
    line.play("s C0 01 01 m 0C m A9 s 9A")
    assert line.wrong() == []
    # an A8 at what was not judged; the answer that its sender still waited for is not missing
    line = Line().play(BATTLE)
    line.watch.forget()
    line.play("m C0 03 03 C0 03 02 s 0C C0 07 05 A8 m 1C 8A")
    assert [found for found in line.wrong() if found[1] == wire.SHOT] == []


def test_replies_name_the_command_that_they_answer_and_nothing_else_does():
    answers = Line().play(OVER + "+9 m AA s 01 m A7 s 7A").answers
    assert len(answers) > 20
    for op, command in answers:
        assert command == (wire.command_of(op) if wire.is_reply(op) else 0), (op, command)
