"""Scripted talks with one link, as text: the seat, the bytes and orders it gets, what it sends, its events.

    Real text only after 3B.
        S2: send_chat HI > B3 02 48 49; < 3B ! CHAT_SENT; send_chat HI > B3 02 48 49; ~62 ! CHAT_LOST

A line that is not indented is the title of the talks below it; a line that begins with a seat begins a talk, any other
continues it. `S2` is a slave that was led to state 2, `M1/ME` a master in state 1 with a nick, `A` one whose role
is auto; `MS49` are four talks, of each role in each of the states. Steps:

    < C0 01 01     bytes arrive; !C0 is one that the line marked as damaged
    << C0 01 01    the same, and the owner does not look between them
    +5, ~5         this many ticks pass; with ~ the peer keeps the session alive meanwhile
    tick           one tick passes, and the sync counts as sent
    sync 10        it syncs after this many ticks; without a number, after any
    silent 30      it sends nothing for this many ticks
    calm CALM_MS   this many milliseconds of calm; EARLY is one less
    shoot 1 1      an order, as the methods of Link are named; a word after it is the result, if not DONE
    = state 4      what the link knows; @ is the state in which the talk began

After a step `> 0C` is what the link sends (nothing if it is missing; `> ...` anything), `! SHOT 2 5,
BATTLE` all events since the last look, and `? SHOT` one of them. `...` at the end
stands for any more of them. WINS, LOSES, PARAMS and ECHO stand for common sequences.

A kind of Endpoint may have steps of its own, methods do_VERB(words), and facts that it knows, know_NAME().
"""

from endpoint import ECHO, PARAMS, Endpoint, master, slave, to_bytes, to_text

from seabattle import link as L
from seabattle import wire

# A master that sinks both ships of the small game; a slave whose ships are sunk.
WINS = "shoot 1 1 > C0 01 01; < 2C; shoot 3 3; ~2 > C0 03 03; < 2C > A9"
LOSES = "< C0 01 01; answer SUNK > 2C; < C0 03 03; answer SUNK > 2C"

RESULTS = ("DONE", "NOT_NOW", "NOT_YOURS", "OUT_OF_RANGE", "NO_CHAT")
MARKS = (">", "!", "?")


def hold(text, kind=Endpoint):
    """Run all talks of a text; fail with those that differ."""
    failed = []
    title = ""
    talk = ""
    for line in text.strip("\n").split("\n") + ["."]:
        words = line.strip()
        begins = words.split(":")[0].split("/")[0]
        if line[:1] != " " or begins.strip("MSA0123456789") == "":
            if talk:
                failed += _otherwise(title, talk, kind)
            talk = words if line[:1] == " " else ""
        else:
            talk += " " + words
        if line[:1] != " ":
            title = line
    assert not failed, "\n".join(failed)


def talk(text, kind=Endpoint):
    """Run one talk."""
    failed = _otherwise("", text, kind)
    assert not failed, "\n".join(failed)


def _otherwise(title, text, kind):
    who, _, steps = text.partition(":")
    who, _, nick = who.partition("/")
    roles = [c for c in who if c in "MSA"]
    failed = []
    for role in roles:
        for state in [int(c) for c in who[len(roles) :]] or [0]:
            if role == "A":
                seat = kind(wire.AUTO)
            else:
                seat = (master if role == "M" else slave)(state, kind, nick=nick.encode())
            for step in steps.replace("WINS", WINS).replace("LOSES", LOSES).split(";"):
                try:
                    _step(seat, state, step.split())
                except AssertionError as error:
                    failed.append("%s\n    %s%d, at '%s': %s" % (title, role, state, step.strip(), error))
                    break
    return failed


def _step(s, state, words):
    parts = [[words[0], []]]
    for word in words[1:]:
        if word in MARKS:
            parts.append([word, []])
        else:
            parts[-1][1].append(word)
    said = None
    if words[0] == "=":
        _check(s, state, parts[0][1])
    elif words[0] not in MARKS:
        said = _do(s, parts[0][0], parts[0][1])
    wanted = [more for mark, more in parts if mark == ">"]
    if said is not None:
        _same(said.split(), _spelled(wanted[0]) if wanted else [], "it says")
    for mark, more in parts:
        if mark in ("!", "?"):
            told = s.events()
            want = [_event(text.split()) for text in " ".join(more).split(",") if text.strip()]
            if mark == "!":
                _same(
                    [event[: len(want[i])] if i < len(want) else event for i, event in enumerate(told)],
                    want,
                    "it tells",
                )
            elif want:
                assert want[0] in [event[: len(want[0])] for event in told], "it tells %s" % told


def _same(are, want, what):
    if want and want[-1] in ("...", ("...",)):
        want = want[:-1]
        are = are[: len(want)]
    assert are == want, "%s %s" % (what, are)


def _spelled(words):
    return " ".join(words).replace("PARAMS", PARAMS).replace("ECHO", ECHO).split()


def _value(word):
    for names in (wire, L):
        if hasattr(names, word):
            return getattr(names, word)
    return int(word, 16)


def _event(words):
    if words == ["..."]:
        return ("...",)
    return (getattr(L, "EV_" + words[0]),) + tuple([_value(word) for word in words[1:]])


def _check(s, state, words):
    for name, value in [text.split() for text in " ".join(words).split(",")]:
        link = s.link
        if hasattr(s, "know_" + name):
            known = str(getattr(s, "know_" + name)())
        elif name == "ships":
            known = "".join([str(link.ships(n)) for n in (4, 3, 2, 1)])
        elif name == "peer":
            known = to_text(link.peer_nick[: link.peer_nick_len]).replace(" ", "")
        elif name == "text":
            known = to_text(link.text[: link.text_len]).replace(" ", "")
        else:
            known = int(getattr(link, name))
            value = state if value == "@" else int(value) if value.isdigit() else _value(value)
        assert known == value, "%s is %s" % (name, known)


def _do(s, verb, words):
    """Do it; return what the link sends."""
    link = s.link
    if hasattr(s, "do_" + verb):
        getattr(s, "do_" + verb)(words)
    elif verb == "<":
        for word in _spelled(words):
            if word[0] == "!":
                link.rx_damaged()
            else:
                link.rx(int(word, 16))
            s.collect()
    elif verb == "<<":
        for byte in to_bytes(" ".join(_spelled(words))):
            link.rx(byte)
    elif verb[0] in "+~":
        return s.ticks(int(verb[1:]), s.alive() if verb[0] == "~" else "")
    elif verb == "tick":
        link.tick()
    elif verb == "calm":
        link.calm({"CALM_MS": L.CALM_MS, "EARLY": L.CALM_MS - 1}[words[0]])
    elif verb == "sync":
        passed = 0
        said = ""
        while not said and passed < 100:
            link.tick()
            said = s.sent()
            passed += 1
        assert said == "AA" and (not words or passed == int(words[0])), "%s after %d" % (said, passed)
        return ""
    elif verb == "silent":
        for _ in range(int(words[0])):
            link.tick()
            assert s.sent() == ""
    elif verb == "set":
        setattr(link, words[0], int(words[1]))
    else:
        _order(link, verb, words)
    return s.sent()


def _order(link, verb, words):
    taken = L.DONE
    if words and words[-1] in RESULTS:
        taken = getattr(L, words[-1])
        words = words[:-1]
    if verb in ("send_chat", "nick"):
        text = words[0].encode() if words else b""
        given = (text, len(text))
    elif verb in ("answer", "accuse", "open"):
        given = tuple([_value(word) for word in words])
    else:
        given = tuple([int(word) for word in words])
    if verb == "offer" and not given:
        given = (6, 0, 0, 0, 2)
    result = getattr(link, verb)(*given)
    assert (L.DONE if result is None else result) == taken, "%s is answered with %s" % (verb, result)
