"""The summary of a capture: players, parameters, moves, result, timings, bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from seabattle import wire
from seabattle_host.language import text, words
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.sniff.capture import SECOND, SIDES, Header
from seabattle_host.sniff.record import Game
from seabattle_host.sniff.rendering import side_name, standing_line
from seabattle_host.sniff.session import Session

_LISTED = 20
"""Of more games than this only the last ones are listed, and those about which there is more to say;"""
_WITH_MOVES = 5
"""and of so many their moves."""


def report(session: Session, header: Header, files: Sequence[str], began: int) -> list[str]:
    """Return the summary of a session that has been read to its end, as lines."""
    sums = session.sums
    w = session.watch
    length = _ms(max(0, session.now - began)) if header.timed else tr("none")
    lines = [tr("report_head", files=", ".join(files), duration=length, settings=header.settings or "-")]
    for side in (0, 1):
        lines.append(
            tr(
                "report_side",
                side=SIDES[side],
                name=header.names[side],
                role=words.role(w.role_of(side)),
                nick=text.decode(session.nicks[side]) or tr("none"),
                bytes=sums.bytes[side],
                frames=sums.frames[side],
            )
        )
    last = sums.earlier + len(sums.games)
    listed = [
        (number, game)
        for number, game in enumerate(sums.games, sums.earlier + 1)
        if number > last - _LISTED or game.stood or game.verdict is not None
    ]
    if len(listed) < last:
        lines.append(tr("report_earlier", count=last - len(listed)))
    for number, game in listed:
        lines.append(_game(session, number, game))
        if last <= _LISTED or number > last - _WITH_MOVES:
            lines += _moves(session, game)
        if game.stood:
            lines.append("  " + standing_line(game, session.watch, game.stood))
        if game.verdict is not None:
            lines += [f"  {line}" for line in session.jury_lines(game.verdict)]
    if not sums.games:
        lines.append(tr("report_no_game"))
    if header.timed:
        lines += _times(session)
    if sums.faults:
        lines.append(tr("report_faults", faults=", ".join(f"{n} {name}" for name, n in sorted(sums.faults.items()))))
    lines.append(tr("report_noise", noise=sums.noise, cut=sums.cut, lost=sums.lost))
    if not header.ordered:
        lines.append(tr("report_guessed"))
    if sums.unsure:
        lines.append(tr("report_unsure", count=sums.unsure))
    lines.append(
        tr(
            "report_verdict",
            deviations=sums.deviations,
            violations=sums.violations,
            suspected=sums.suspected,
            doubts=sums.doubts,
        )
    )
    return lines


def _game(session: Session, number: int, game: Game) -> str:
    winner = side_name(game.winner, session.watch.role_of(game.winner)) if game.winner >= 0 else ""
    return tr(
        "report_game",
        number=number,
        parameters=words.parameters(*game.parameters) if game.parameters else tr("unknown_parameters"),
        a=game.shots[0],
        b=game.shots[1],
        hits_a=game.hits[0],
        hits_b=game.hits[1],
        result=tr(f"how_{game.how or 'open'}", who=winner),
    )


def _moves(session: Session, game: Game) -> list[str]:
    """Format the moves, one line per turn: `  master: B7 hit, C7 sunk, A1 miss`."""
    lines = []
    for side, turn in groupby(game.moves, key=lambda move: move[0]):
        shots = [f"{text.cell_name(x, y, words.russian())} {words.frame(answer)}" for _side, x, y, answer in turn]
        lines.append(f"  {side_name(side, session.watch.role_of(side))}: {', '.join(shots)}")
    return lines


def _times(session: Session) -> list[str]:
    sums = session.sums
    limit = wire.REPLY_TICKS * TICK_SECONDS * SECOND
    lines = []
    count = sum(times.count for times in sums.replies.values())
    if count:
        lines.append(
            tr(
                "report_times",
                count=count,
                mean=_ms(sum(times.total for times in sums.replies.values()) // count),
                longest=_ms(sums.longest_reply),
                limit=_ms(round(limit)),
                late=sum(times.late for times in sums.replies.values()),
            )
        )
        for command, times in sorted(sums.replies.items()):
            name = words.frame_name(command)
            mean, longest = _ms(times.total // times.count), _ms(times.longest)
            lines.append(tr("report_reply", name=name, count=times.count, mean=mean, longest=longest))
    if sums.sync_gaps.count:
        limit = wire.SYNC_TICKS * TICK_SECONDS * SECOND
        longest = _ms(sums.sync_gaps.longest)
        lines.append(tr("report_syncs", count=sums.syncs, longest=longest, limit=_ms(round(limit))))
    return lines


def _ms(us: int) -> str:
    """Format a duration."""
    if us >= 10 * SECOND:
        return tr("duration_s", value=f"{us / SECOND:.1f}")
    return tr("duration_ms", value=f"{us / 1000:.1f}")
