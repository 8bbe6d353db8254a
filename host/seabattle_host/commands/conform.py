"""`seabattle conform`: test a program against the rules of the protocol."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle import wire
from seabattle_host.commands import options
from seabattle_host.errors import PortLost, UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.player.parameters import ROLES
from seabattle_host.whole_file import write_whole

if TYPE_CHECKING:
    from seabattle_host.sniff import conform

_USUAL_WAIT = 5.0
_UNDECIDED = 3
_NAME_WIDTH = 32
_SILENT_MOST = 3
"""Rules tried in vain before the run is given up, if not a single byte has come."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("conform_about")
    parser = subparsers.add_parser("conform", help=about, description=about)
    options.add_port(parser)
    parser.add_argument("--role", choices=("master", "slave"), required=True, help=tr("conform_help_role"))
    parser.add_argument(
        "--wait",
        type=options.seconds,
        default=_USUAL_WAIT,
        metavar="S",
        help=tr("conform_help_wait", usual=_USUAL_WAIT),
    )
    parser.add_argument("--only", default="", metavar="TEXT", help=tr("help_only"))
    parser.add_argument("--bytes", action="store_true", help=tr("help_bytes"))
    parser.add_argument("--report", metavar="FILE", help=tr("conform_help_report"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Test all rules; return the exit status.

    1 if one is broken, 2 if none could be tested or the program left, 3 if a bad line leaves one undecided.
    """
    from seabattle_host.line.line_monitor import LineMonitor
    from seabattle_host.line.port import Port
    from seabattle_host.sniff import conform

    role = ROLES[args.role]
    names = [trial.name for trial in conform.trials(role) if args.only.lower() in trial.name.lower()]
    if not names:
        raise UserError(tr("no_such_rule", only=args.only))
    results: list[conform.Result] = []
    lost: PortLost | None = None
    if args.report:
        _check_writable(args.report)
    with Port(args.port, options.settings(args)) as port:
        sense = LineMonitor(port.settings, port)
        heard = silent = 0  # bytes so far, and rules since the last one
        last = ""  # the rule at which it came

        def observe(sent: bool, data: bytes) -> None:
            nonlocal heard
            heard += 0 if sent else len(data)
            sense.traffic(0.0, sent, data)
            if not sent and not results and (warning := sense.warning()):
                print(warning, flush=True)

        for doubt in port.warnings_at_open():
            print(doubt, flush=True)
        try:
            before = 0
            for result in conform.run(port, role, args.wait, args.only, observe):
                silent = 0 if heard > before else silent + 1
                last, before = (result.name if not silent else last), heard
                if warning := sense.warning():
                    print(warning, flush=True)
                # why a rule could not be tried is often the same for all that follow
                told = result.verdict != conform.KEPT
                if result.verdict == conform.OPEN:
                    told = not result.noise and not (results and results[-1].about == result.about)
                results.append(result)
                print(_line(result), flush=True)
                if args.bytes or told:
                    print("".join(f"    {frame}\n" for frame in result.traffic), end="")
                if not heard and silent >= _SILENT_MOST:
                    break
                if silent == _SILENT_MOST:
                    print(tr("conform_hung", rule=last), flush=True)
        except PortLost as error:
            lost = error
            print(tr("conform_left", why=lost, rule=names[len(results)]))
        finally:
            # after an interrupt, too
            left = names[len(results) :]
            count = Counter(result.verdict for result in results)
            count[conform.OPEN] += len(left)
            verdicts = (conform.KEPT, conform.BORNE, conform.BROKEN, conform.OPEN)
            total = tr("total", **{name: count[name] for name in verdicts})
            if undecided := count[conform.UNSTEADY]:
                total += tr("total_unsteady", count=undecided)
            try:
                if args.report:
                    _write(args.report, results, left, args.role)
            finally:
                print("\n".join([total, *_about_line(results)]), flush=True)
    if lost:
        # what it had broken before stays broken
        return 1 if count[conform.BROKEN] else 2
    if all(result.verdict == conform.OPEN for result in results):
        other = wire.SLAVE if role == wire.MASTER else wire.MASTER
        raise UserError(tr("nothing_tried", role=words.role(other)))
    if count[conform.BROKEN]:
        return 1
    if silent >= _SILENT_MOST:
        return 2
    return _UNDECIDED if count[conform.UNSTEADY] else 0


def _about_line(results: list[conform.Result]) -> list[str]:
    """Say what speaks for a line that loses frames, and why so little could be tried."""
    said = []
    if differed := sum(result.differed for result in results):
        said.append(tr("conform_unsteady", count=differed, rules=len(results)))
    if results and results[-1].lost:
        said.append(tr("conform_lost", lost=results[-1].lost, asked=results[-1].asked))
    if results and results[-1].stays:
        said.append(tr("conform_stays"))
    return said


def _line(result: conform.Result) -> str:
    return f"{result.name:{_NAME_WIDTH}} {tr(result.verdict):12} {result.about}".rstrip()


def _check_writable(path: str) -> None:
    """Raise UserError if the report cannot be written, before anything is tested. A former report stays until then."""
    report = Path(path)
    new = not report.exists()
    try:
        report.open("ab").close()
        if new:
            report.unlink()
    except OSError as error:
        raise UserError(tr("conform_cannot_write", file=path, reason=why(error))) from None


def _write(path: str, results: list[conform.Result], left: list[str], role: str) -> None:
    body = {
        "format": "seabattle-conform",
        "version": 1,
        "role": role,
        "rules": [
            {"name": r.name, "verdict": r.verdict, "about": r.about, "tries": r.tries, "traffic": r.traffic}
            for r in results
        ],
        "not_reached": left,
        "line": _about_line(results),
    }
    try:
        write_whole(Path(path), json.dumps(body, ensure_ascii=False, indent=1) + "\n")
    except OSError as error:
        raise UserError(tr("conform_cannot_write", file=path, reason=why(error))) from None
