"""`seabattle ports`: the serial ports of this computer, their adapters, and which programs have them open."""

from __future__ import annotations

import argparse
import os

from seabattle_host.commands import options
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("ports_about")
    parser = subparsers.add_parser("ports", help=about, description=about)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the ports; return the exit status, 1 if there is none."""
    lines = port_lines()
    print("\n".join(lines) if lines else tr("no_ports"))
    return 0 if lines else 1


def port_lines() -> list[str]:
    """Return a line for each port."""
    from seabattle_host.line import port_errors

    found = port_errors.found_ports()
    wide = max((len(device) for device, _ in found), default=0)
    return [f"{device:{wide}}  {'; '.join(facts(device, about))}".rstrip() for device, about in found]


def facts(device: str, about: str) -> list[str]:
    """Return what is known of a port: adapter, persistent name, owner, and obstacles."""
    from seabattle_host.line import port_errors

    found = [about] if about else []
    lasting = _lasting_name(device)
    if lasting:
        found.append(lasting)
    if holders := port_errors.processes_using(device):
        found.append(tr("port_held", who=holders))
    if os.name == "posix" and not os.access(device, os.R_OK | os.W_OK):
        found.append(tr("port_no_rights"))
    if port_errors.is_mini_uart(device):
        found.append(tr("port_no_parity"))
    return found


def _lasting_name(device: str) -> str:
    """Return the adapter's path in /dev/serial/by-id, the same wherever it is plugged in; empty if there is none."""
    folder = "/dev/serial/by-id"
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ""
    paths = (os.path.join(folder, name) for name in names)
    return next((path for path in paths if os.path.realpath(path) == device), "")
