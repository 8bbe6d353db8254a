"""How often a trial of `seabattle conform` is repeated, and what its tries come to on a line that loses frames.

What a lost frame explains is held against nobody: a rule is broken if it was in more tries than the line could have
spoilt. Tries that differ make the line, or the program, an unsteady one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from seabattle import wire
from seabattle_host.language.messages import tr
from seabattle_host.sniff.conform_peer import BORNE, BROKEN, KEPT, OPEN, UNSTEADY, Broken, NotThere, Peer

_TRIES = 3
"""Tries after which something is broken on a sound line,"""
_TRIES_MOST = 8
"""and most tries on one that loses frames."""

_ARRIVALS_MOST = 5
"""Tries to bring the program into a state, on such a line."""

_MORE = 2
"""More frames than those that were seen to be lost may get lost in as long a time again."""

_CHANCE = 1e-4
"""A rule is broken if the line alone would make it look so less often than this."""

_BELIEVED = 2
"""What was the same when it was tried again is, at this number of rules, believed at once elsewhere."""

_PINGS, _PING_SECONDS, _PING_WAIT = 100, 12.0, 1.0
"""Frames sent to measure how many are lost, for at most so many seconds, and how long one waits for its reply."""
_MEASURES = 3
"""Attempts to measure."""
_PINGS_IN_VAIN = 8
"""A program that answers none of the first ones does not answer these at all."""


@dataclass
class Result:
    """The result of a trial. traffic: the bytes, `>` ours and `<` theirs. tries: how often it was tried."""

    name: str
    verdict: str
    about: str = ""
    traffic: list[str] = field(default_factory=list)
    noise: int = 0
    """Number of bytes that came with it and belong to no frame."""
    tries: int = 1
    differed: bool = False
    """Its tries did not all end in the same way."""
    frames: int = 0
    """Number of frames any of which would make it look broken if it were lost."""
    spoilt: bool = False
    """An echo or noise came in place of the program's frames."""
    asked: int = 0
    """Frames sent until now to measure the line,"""
    lost: int = 0
    """and how many of them were not answered."""
    stays: bool = False
    """The program does not come back to state 0."""


Check = Callable[[Peer], "tuple[str, str]"]


@dataclass(frozen=True)
class Trial:
    """A rule, and a function that tests it and returns a verdict and an explanation.

    rule: its bytes, or the key of a message. repeats: whether its function repeats by itself what may be the line's.
    """

    rule: str
    check: Check
    repeats: bool = False

    @property
    def name(self) -> str:
        """Its name, in the language of the output."""
        return tr(self.rule) if self.rule.startswith("rule_") else self.rule


class Repeats:
    """Tries trials as often as the line demands.

    asked, lost: frames sent to measure the line, and those that were not answered. differed: rules whose tries were
    not alike.
    """

    def __init__(self, peer: Peer) -> None:
        self.asked = self.lost = 0
        self.differed = 0
        self._peer = peer
        self._frames = 0
        self._measured = 0
        self._alike: Counter[str] = Counter()
        self._contradicted: set[str] = set()
        self._open = 0
        """Rules in a row that could not be tried."""

    @property
    def unsteady(self) -> bool:
        """Whether something was lost, or came out otherwise when it was tried again."""
        return bool(self.lost or self.differed)

    def result(self, trial: Trial, stuck: bool) -> Result:
        """Try it; stuck: the program has not been where the last rules begin."""
        tries = [self._tried(trial)]
        while self._again(trial, tries, stuck):
            tries.append(self._tried(trial))
        result = self._sum(trial, tries)
        result.asked, result.lost = self.asked, self.lost
        result.stays = self._peer.by_silence is None
        self.differed += result.differed
        if result.differed:
            self._contradicted.update(each.about for each in tries)
        elif len(tries) > 1:
            self._alike[result.about] += 1
        self._open = self._open + 1 if result.verdict == OPEN else 0
        return result

    def _tried(self, trial: Trial) -> Result:
        peer = self._peer
        peer.arrived, peer.proven, peer.answers_shots = 0, False, True
        try:
            verdict, about = trial.check(peer)
        except NotThere as missing:
            verdict, about = OPEN, str(missing)
        except Broken as fault:
            verdict, about = BROKEN, str(fault)
        echoes = peer.echoes()
        spoilt = echoes or peer.noise > peer.understood
        if spoilt:
            verdict, about = OPEN, tr("conform_echo") if echoes else tr("conform_noise", bytes=peer.noise)
        result = Result(trial.name, verdict, about, list(peer.traffic), peer.noise, spoilt=spoilt)
        if not peer.proven:
            # one more: the one that did not come
            result.frames = len(peer.traffic) - peer.arrived + 1
        self._frames += len(peer.traffic)
        peer.history.append((peer.understood, peer.noise))
        return result

    def _again(self, trial: Trial, tries: list[Result], stuck: bool) -> bool:
        last, count = tries[-1], len(tries)
        if last.verdict in (KEPT, UNSTEADY) or (last.verdict == OPEN and last.spoilt):
            return False
        if any(each.verdict in (BROKEN, BORNE) for each in tries):
            self._measure()
        if any(each.verdict == BROKEN for each in tries):
            contrary = last.verdict == BORNE and not self.unsteady
            return not trial.repeats and not contrary and self._undecided(tries, BROKEN, _TRIES)
        if last.verdict == OPEN:
            if trial.repeats or stuck or self._open >= (_TRIES if self.unsteady else 1):
                return False
            return count < (_ARRIVALS_MOST if self.unsteady else _TRIES)
        if self._is_believed(last):
            return False
        return self._undecided(tries, BORNE, _TRIES) if self.unsteady else count < 2 and not trial.repeats

    def _is_believed(self, result: Result) -> bool:
        """Return whether the same was found at other rules, each time, on a line that loses nothing."""
        alike = self._alike[result.about] >= _BELIEVED and result.about not in self._contradicted
        return alike and not self.lost and result.verdict == BORNE

    def _undecided(self, tries: list[Result], verdict: str, least: int) -> bool:
        """Return whether more tries can decide between this verdict and a bad line."""
        same = [each for each in tries if each.verdict == verdict]
        if len(same) >= least and (self._by_chance(same) < _CHANCE or self._by_chance(same, _TRIES_MOST) >= _CHANCE):
            return False
        if not self.lost and [each.verdict for each in tries[-2:]] == [OPEN, OPEN]:
            return False  # it does not come back to where the rule begins
        return len(tries) < _TRIES_MOST

    def _sum(self, trial: Trial, tries: list[Result]) -> Result:
        """Return what the tries come to."""
        last = tries[-1]
        last.tries = len(tries)
        last.noise = min(each.noise for each in tries)
        # where the ship stands decides whether the program gets as far, and no line
        told = [each for each in tries if each.about != tr("won_early")]
        while len(told) > 1 and told[-1].verdict == OPEN:
            told.pop()  # it did not come back to where the rule begins
        last.differed = any(
            each.verdict == UNSTEADY or (each.verdict, each.about) != (told[-1].verdict, told[-1].about)
            for each in told
        )
        arrived = [each for each in tries if each.verdict != OPEN]
        if not arrived:
            if trial.repeats and not last.spoilt:
                self._measure()
                last.verdict = UNSTEADY if self.lost else OPEN
            if not last.spoilt:
                furthest = max(tries, key=lambda each: len(each.traffic))
                last.about, last.traffic = furthest.about, furthest.traffic
            return last
        broken = [each for each in arrived if each.verdict == BROKEN]
        if trial.repeats and not broken:
            if last.verdict == BORNE and self.lost:
                last.verdict, last.about = UNSTEADY, tr("conform_may_be_lost", about=last.about)
            return last
        wrong = broken or [each for each in arrived if each.verdict == BORNE]
        if not wrong or (not broken and arrived[-1].verdict == KEPT):
            last.verdict, last.about = arrived[-1].verdict, arrived[-1].about
            return last
        # where frames get lost, what did not come speaks neither for a program nor against it
        against = [
            each
            for each in arrived
            if each.verdict != wrong[0].verdict and not (self.unsteady and each.verdict == BORNE)
        ]
        last.traffic = wrong[0].traffic
        if (
            broken
            and not against
            and len(broken) < _TRIES
            and not trial.repeats
            and broken[0].about != tr("conform_silent")
        ):
            last.verdict, last.about = OPEN, tr("conform_not_again", about=broken[0].about)
            return last
        if not against and (self._by_chance(wrong) < _CHANCE or (len(tries) == 1 and self._is_believed(last))):
            last.verdict, last.about = wrong[0].verdict, wrong[0].about
            return last
        last.verdict, last.differed = UNSTEADY, True
        last.about = tr("conform_once" if against else "conform_may_be_lost", about=wrong[0].about)
        return last

    # The line.

    def _loss(self) -> float:
        """Return the highest probability that a frame is lost which what was seen still allows; 0 if nothing was."""
        if not self.unsteady:
            return 0.0
        differed = (self.differed + _MORE) / self._frames if self.differed else 0.0
        if not self.asked:
            return differed
        measured = (self.lost + _MORE) / (2 * self.asked)
        # where nothing was lost, it is rather the program that differs
        return min(1.0, max(measured, differed) if self.lost else min(differed, measured))

    def _by_chance(self, wrong: list[Result], tries: int = 0) -> float:
        """Return how probably the line makes all these, or so many of them, look wrong."""
        loss, count = self._loss(), tries or len(wrong)
        frames = [each.frames for each in wrong]
        once = 1.0 - (1.0 - loss) ** max(frames, default=1)
        if len(set(frames)) == 1 and len(wrong) > 1:
            # a line does not lose the same command, or its reply, each time
            return float(once * (1.0 - (1.0 - loss) ** min(2, frames[0])) ** (count - 1))
        return float(once**count)

    def _measure(self) -> None:
        """Find out, once, how many frames are lost: syncs by a master, nicks by a slave are answered at any time."""
        if self._measured >= _MEASURES:
            return
        peer = self._peer
        try:
            peer.reach(1)
        except NotThere:
            self._measured += 1
            return
        self._measured = _MEASURES
        ping, reply = (bytes((wire.SYNC,)), 0) if peer.role == wire.MASTER else (b"\xb1\x01A", 0x1B)
        peer.syncing = peer.role == wire.SLAVE
        end = peer.clock() + _PING_SECONDS
        asked = answered = 0
        synced = peer.synced
        while asked < _PINGS and peer.clock() < end and (answered or asked < _PINGS_IN_VAIN):
            before = peer.synced
            peer.send(*ping)
            asked += 1
            if reply:
                answered += peer.expect(reply, seconds=_PING_WAIT) is not None
            else:
                answered += peer.pump(_PING_WAIT, lambda before=before: peer.synced > before)  # type: ignore[misc]
        peer.syncing = True
        came = peer.traffic.count("< 1B") if reply else peer.synced - synced
        again = max(0, came - answered)
        if answered:
            # a program may answer everything twice, and no line doubles so much
            self.asked, self.lost = asked, asked - answered + (again if 2 * again < asked else 0)
