"""How often a side has to do what one lost or changed byte explains, until it is held against it.

Captures are written as in test_watch.py. After `=>` stands each fault with its side, and what is thought of it each
time: `?` its side or the line, `!` its side, `/` something was lost, `.` it follows from that or another fault.
"""

from test_watch import spelled

from seabattle import watch, wire
from seabattle.watch import DEVIATION, DOUBT, FOLLOWS, VIOLATION, Watch


def reason(name):
    return getattr(wire, name) if hasattr(wire, name) else getattr(watch, name)


def mark(w):
    if w.maybe:
        return "?"
    return "!" if w.verdict == VIOLATION else "~" if w.verdict == DEVIATION else "/"


def thoughts(words, master):
    """Return what is thought of each fault, by side and reason."""
    w = Watch()
    found = {}
    side = 0

    def take():
        while w.take():
            key = w.side ^ master, w.reason
            if w.kind == watch.RULING:
                at = len(found[key].rstrip(".")) - 1
                found[key] = found[key][:at] + mark(w) + found[key][at + 1 :]
            elif w.verdict == VIOLATION or w.verdict == DOUBT:
                found[key] = found.get(key, "") + mark(w)
            elif w.verdict == FOLLOWS and key in found:
                found[key] += "."

    for word in spelled(words).split():
        if word == "m" or word == "s":
            side = master if word == "m" else 1 - master
        elif word[0] == "+":
            for _ in range(int(word)):
                w.tick()
        else:
            w.feed(side, int(word, 16))
            take()
    w.finish()
    take()
    return found


def test_a_fault_that_one_byte_explains_is_held_against_a_side_that_repeats_it():
    think(REPEATED)


def test_what_else_speaks_on_the_wire_of_a_side_is_not_held_against_it():
    think(SHARED)


def think(captures):
    """Run captures."""
    capture = ""
    for line in captures.split("\n"):
        if line[:1] != " ":
            continue
        part, ends, rest = line.partition("=>")
        capture += part
        if not ends:
            continue
        expected = {}
        for fault in rest.split(","):
            side, name, marks = fault.split()
            expected[("ms".index(side), reason(name))] = marks
        for master in (0, 1):
            assert thoughts(capture.split(), master) == expected, (capture, thoughts(capture.split(), master))
        capture = ""


REPEATED = """
    4*( BATTLE m C0 07 01 s A8 m 8A ) => m R_CELL ?!!!
    4*( BATTLE m C0 01 07 s A8 m 8A ) => m R_CELL ?!!!
    4*( BATTLE m C0 07 07 s A8 m 8A ) => m R_CELL ?!!!
    BATTLE m C0 07 01 s A8 m 8A BATTLE m C0 08 01 s A8 m 8A BATTLE m C0 09 01 s A8 m 8A BATTLE m C0 0A 01 s A8 m
        8A BATTLE m C0 0B 01 s A8 m 8A
        => m R_CELL ???!!
    4*( TURNED s C0 07 01 m A8 s 8A ) => s R_CELL ???!
    3*( BATTLE m C0 00 01 s A8 m 8A ) => m R_FROM_ZERO ?!!
    3*( TURNED s C0 01 00 m A8 s 8A ) => s R_FROM_ZERO ?!!
    5*( MET m B2 05 00 00 01 02 s A8 m 8A ) => m R_PARAMS ??!!!
    5*( AGREED m A2 s 1A m A8 s 8A ) => s R_INSTEAD ??!!!
    5*( AGREED m A3 s A8 m 8A ) => m R_STATE ??!!!
    5*( MET m A2 s A8 m 8A ) => m R_NO_PARAMS ??!!!
    5*( MET m B2 06 00 00 01 02 s 2B 06 00 00 02 01 m A8 s 8A ) => s R_ECHO ??!!!
    5*( AGREED m A2 s 2A s A4 m A8 s 8A ) => s R_STATE ??!!!
    BATTLE m C0 07 01 s 0C s C0 01 01 m 0C m C0 07 02 s 0C s C0 01 02 m 0C m C0 07 03 s 0C s C0 01 03 m 0C m C0
        07 04 s 0C
        => m R_CELL /.!.
    BATTLE m C0 07 01 s 0C s C0 01 01 m 0C m C0 08 02 s 0C s C0 01 02 m 0C m C0 09 03 s 0C s C0 01 03 m 0C m C0
        0A 04 s 0C s C0 01 04 m 0C m C0 0B 04 s 0C
        => m R_CELL /..!.
    BATTLE m C0 00 01 s 0C s C0 01 01 m 0C m C0 00 02 s 0C s C0 01 02 m 0C m C0 00 03 s 0C => m R_FROM_ZERO /.!
    m 07 4*( BATTLE m C0 07 01 s A8 m 8A ) => m R_CELL ??!!
    BATTLE m C0 07 08 s 0C s C0 01 01 m 0C m C0 08 07 s 0C s C0 01 02 m 0C m C0 09 08 s 0C s C0 01 03 m 0C m C0
        08 09 s 0C s C0 01 04 m 0C m C0 0B 0C s 0C
        => m R_CELL /..!.
    BATTLE m C0 41 31 s 0C s C0 01 01 m 0C m C0 42 32 s 0C s C0 01 02 m 0C m C0 43 33 s 0C s C0 01 03 m 0C m C0
        44 34 s 0C s C0 01 04 m 0C m C0 45 35 s 0C
        => m R_CELL /..!.
    BATTLE m C0 81 01 s 0C s C0 01 01 m 0C m C0 81 02 s 0C s C0 01 02 m 0C m C0 81 03 s 0C s C0 01 03 m 0C m C0
        81 04 s 0C s C0 01 04 m 0C m C0 81 05 s 0C
        => m R_CELL /....
    BATTLE m C0 07 01 s 0C s C0 01 01 m 0C m C0 01 02 s 0C s C0 01 02 m 0C m C0 07 03 s 0C s C0 01 03 m 0C m C0
        01 04 s 0C s C0 01 04 m 0C m C0 07 05 s 0C
        => m R_CELL /.!
    BATTLE m C0 41 01 s 0C s C0 01 01 m 0C m C0 01 02 s 0C s C0 01 02 m 0C m C0 42 03 s 0C s C0 01 03 m 0C m C0
        01 04 s 0C s C0 01 04 m 0C m C0 43 05 s 0C s C0 02 04 m 0C m C0 44 05 s 0C
        => m R_CELL /./.
    TURNED s C0 01 07 m 0C m C0 01 01 s 0C s C0 02 07 m 0C m C0 01 02 s 0C s C0 03 07 m 0C m C0 01 04 s 0C s C0
        04 07 m 0C
        => s R_CELL /.!.
    TURNED s C0 00 01 m 0C m C0 01 01 s 0C s C0 00 02 m 0C m C0 01 02 s 0C s C0 00 03 m 0C => s R_FROM_ZERO /.!
    BATTLE m C0 07 01 m 07 s 0C s C0 01 01 m 0C m C0 07 02 s 0C s C0 01 02 m 0C m C0 07 03 s 0C s C0 01 03 m 0C
        m C0 07 04 s 0C s C0 02 03 m 0C m C0 07 05 s 0C
        => m R_CELL /....
    BATTLE m 07 C0 0B 01 s 0C s C0 01 01 m 0C m C0 0B 02 s 0C s C0 01 02 m 0C m C0 0B 03 s 0C s C0 01 03 m 0C m
        C0 0B 04 s 0C s C0 02 03 m 0C m C0 0B 05 s 0C
        => m R_CELL !..
    BATTLE m C0 A7 01 s 0C s C0 01 01 m 0C m C0 A7 02 s 0C s C0 01 02 m 0C m C0 A7 03 s 0C s C0 01 03 m 0C m C0
        A7 04 s 0C
        => m R_CELL /...
    5*( BATTLE m C0 01 01 s 0C s C0 01 01 m 0C m C0 07 01 s A8 m 8A ) => m R_CELL ???!!
    5*( BATTLE s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s
        B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B m C0 07 01 s A8 m 8A )
        => m R_CELL ?!!!!
    4*( BATTLE s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B s
        B3 01 20 m 3B s B3 01 20 m 3B s B3 01 20 m 3B m C0 00 01 s A8 m 8A )
        => m R_FROM_ZERO ?!!!
    4*( BATTLE m C0 00 01 s A8 m 8A ) 4*( MET m B2 05 00 00 01 02 s A8 m 8A ) => m R_FROM_ZERO ?!!!, m R_PARAMS ??!!
    5*( AGREED m A2 s 3A m A8 s 8A ) => s R_INSTEAD ??!!!
    3*( AGREED m A3 s A8 m 8A MET m A2 s A8 m 8A ) => m R_STATE ???, m R_NO_PARAMS ???
    4*( MET m B2 06 01 02 05 0A s A8 m 8A ) => m R_FLEET ??!!
    m 07 s 07 m 07 s 07 6*( AGREED m A3 s A8 m 8A ) => m R_STATE ??!!!!
    BATTLE m C0 21 01 s 0C s C0 01 01 m 0C m C0 32 02 s 0C s C0 01 02 m 0C m C0 43 03 s 0C s C0 01 03 m 0C m C0
        54 04 s 0C s C0 01 04 m 0C m C0 65 05 s 0C
        => m R_CELL /..!.
    BATTLE m C0 21 01 s 0C s C0 01 01 m 0C m C0 32 02 s 0C s C0 01 02 m 0C m C0 03 03 s 0C s C0 01 03 m 0C m C0
        43 04 s 0C s C0 01 04 m 0C m C0 54 05 s 0C s C0 02 04 m 0C m C0 65 05 s 0C
        => m R_CELL /.../
    TURNED s C0 01 21 m 0C m C0 01 01 s 0C s C0 02 32 m 0C m C0 01 02 s 0C s C0 03 43 m 0C m C0 01 03 s 0C s C0
        04 54 m 0C
        => s R_CELL /..!
    BATTLE m C0 0A 01 s 0C s C0 01 01 m 0C m C0 0A 02 s 0C s C0 01 02 m 0C m C0 0A 03 s 0C s C0 01 03 m 0C m C0
        0A 04 s 0C
        => m R_CELL /.!.
    5*( BATTLE m C0 21 31 s A8 m 8A ) => m R_CELL ?!!!!
    5*( BATTLE m C0 01 21 s A8 m 8A ) => m R_CELL ?!!!!
    5*( BATTLE s C0 01 01 m A8 s 8A ) => s R_TURN !!!!!
    5*( MET m A3 s A8 m 8A ) => m R_STATE ??!!!
    5*( BATTLE m A4 s A8 m 8A ) => m R_SENDER ???!!
    2*( BATTLE m A4 s A8 m 8A ) BATTLE m A1 s A8 m 8A 3*( BATTLE m A4 s A8 m 8A ) => m R_SENDER ???!!, m R_STATE ?
    5*( TURNED m C0 01 01 s A8 m 8A ) => m R_TURN ???!!
"""

SHARED = """
    BATTLE m C0 01 01 s C0 01 01 0C s C0 02 02 m C0 02 02 0C m C0 03 03 s C0 03 03 0C s C0 04 04 m 0C m C0 05 05
        s C0 05 05 0C
        => s R_TURN /., s R_ECHOED ?
    BATTLE m C0 01 01 s C0 01 01 0C s C0 02 02 m 0C m C0 03 03 s C0 03 03 0C s C0 04 04 m 0C m C0 05 05 s C0 05
        05 0C s C0 06 06 m 0C m C0 06 06 s C0 06 06 A8
        => s R_TURN /., s R_ECHOED ??
    TURNED s C0 01 01 m C0 01 01 0C m C0 02 02 s 0C s C0 03 03 m C0 03 03 0C m C0 04 04 s 0C s C0 05 05 m C0 05
        05 0C
        => m R_TURN /., m R_ECHOED ?
    BATTLE m AA s AA 01 m C0 01 01 s 0C s C0 02 02 m 0C m AA s AA 01 m AA s AA 01 m AA s AA 01
        => s R_SENDER /., s R_ECHOED ??
    BATTLE m AA s 01 +3 s AA m AA s 01 +3 s AA m AA s 01 +3 s AA m AA s 01
        => s R_SENDER /, s R_SHARED ??
    BATTLE m AA +9 m AA +9 m AA +3 s AA +9 s AA +9 s AA +9 s AA +9 s AA +9 s AA
        => s R_SENDER ?.....
    MET m A1 s A1 1A m B2 06 00 00 01 02 s B2 06 00 00 01 02 2B 06 00 00 01 02 m A2 s A2 2A m A3 s A3 3A
        => s R_SENDER /.., s R_ECHOED ?
    MET m B2 06 00 00 01 02 s B2 06 00 00 01 02 2B 06 00 00 01 02 m A2 s A2 2A m B3 01 20 s B3 01 20 3B m A3 s
        A3 3A s A4 m 4A
        => s R_SENDER /., s R_ECHOED ??
"""
