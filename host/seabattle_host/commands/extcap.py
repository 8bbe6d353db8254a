"""`seabattle extcap`: a capture interface for Wireshark, so that it captures from a line as from a network.

Wireshark asks for interfaces, link types and options, one `--extcap-...` per call, and then has the capture written to
a pipe (https://www.wireshark.org/docs/wsdg_html_chunked/ChCaptureExtcap.html). These options are not for people.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from seabattle_host import __version__
from seabattle_host.commands import options, sniff
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

INTERFACE = "seabattle"

SCRIPT = "seabattle-extcap.bat" if os.name == "nt" else "seabattle-extcap"

WAYS = ("relay", "tap", "one")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("extcap_about")
    parser = subparsers.add_parser("extcap", help=about, description=about)
    parser.add_argument("--install", action="store_true", help=tr("help_install_extcap"))
    parser.add_argument("--folder", metavar="DIR", help=tr("help_folder_extcap"))
    parser.add_argument("--extcap-interfaces", action="store_true", help=tr("help_extcap"))
    parser.add_argument("--extcap-dlts", action="store_true", help=tr("help_extcap"))
    parser.add_argument("--extcap-config", action="store_true", help=tr("help_extcap"))
    parser.add_argument("--capture", action="store_true", help=tr("help_extcap"))
    for name in ("interface", "version", "capture-filter", "reload-option", "control-in", "control-out"):
        parser.add_argument(f"--extcap-{name}", metavar="WORD", help=tr("help_extcap"))
    parser.add_argument("--fifo", metavar="PATH", help=tr("help_extcap"))
    parser.add_argument("--port-a", metavar="PORT", default="", help=tr("extcap_port_a"))
    parser.add_argument("--port-b", metavar="PORT", default="", help=tr("extcap_port_b"))
    parser.add_argument("--way", choices=WAYS, default=WAYS[0], help=tr("extcap_way"))
    options.add_settings(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer Wireshark, or capture for it; return the exit status."""
    if args.install or args.folder:
        return _install(args.folder)
    if args.extcap_interfaces:
        print(f"extcap {{version={__version__}}}{{display=Sea Battle}}")
        print(f"interface {{value={INTERFACE}}}{{display={tr('extcap_line')}}}")
        return 0
    if args.extcap_dlts:
        from seabattle_host.sniff.forms.packets import LINKTYPE_RTAC

        print(f"dlt {{number={LINKTYPE_RTAC}}}{{name=RTAC_SERIAL}}{{display=RTAC Serial}}")
        return 0
    if args.extcap_config:
        print("\n".join(_config()))
        return 0
    if not args.capture or not args.fifo:
        raise UserError(tr("extcap_how"))
    return _capture(args)


def _config() -> list[str]:
    """Return the options that Wireshark offers its user, in its own format."""
    from seabattle_host.line import port_errors

    lines = []
    ports = [device for device, _about in port_errors.found_ports()]
    for number, name in enumerate(("port-a", "port-b")):
        label = tr(f"extcap_{name.replace('-', '_')}")
        wanted = "{required=true}" if not number else ""
        lines.append(f"arg {{number={number}}}{{call=--{name}}}{{display={label}}}{{type=string}}{wanted}")
        lines += [f"value {{arg={number}}}{{value={port}}}{{display={port}}}" for port in ports]
    lines.append(f"arg {{number=2}}{{call=--way}}{{display={tr('extcap_way')}}}{{type=selector}}")
    for way in WAYS:
        default = "{default=true}" if way == WAYS[0] else ""
        lines.append(f"value {{arg=2}}{{value={way}}}{{display={tr(f'mode_{way}')}}}{default}")
    lines.append(f"arg {{number=3}}{{call=--baud}}{{display={tr('extcap_baud')}}}{{type=unsigned}}{{default=9600}}")
    lines.append(f"arg {{number=4}}{{call=--parity}}{{display={tr('extcap_parity')}}}{{type=selector}}")
    for parity, default in (("even", "{default=true}"), ("odd", ""), ("none", "")):
        lines.append(f"value {{arg=4}}{{value={parity}}}{{display={tr(f'extcap_{parity}')}}}{default}")
    lines.append(f"arg {{number=5}}{{call=--stopbits}}{{display={tr('extcap_stopbits')}}}{{type=selector}}")
    lines += ["value {arg=5}{value=2}{display=2}{default=true}", "value {arg=5}{value=1}{display=1}"]
    return lines


def _capture(args: argparse.Namespace) -> int:
    """Sniff into the pipe until Wireshark closes it."""
    ports = [port for port in (args.port_a, args.port_b) if port]
    if not ports:
        raise UserError(tr("extcap_no_port"))
    if (args.way == "one") != (len(ports) == 1):
        raise UserError(tr("extcap_ports", way=tr(f"mode_{args.way}"), count=1 if args.way == "one" else 2))
    words = ["sniff", *ports, "--quiet", "--pcapng", args.fifo]
    words += [] if args.way == "relay" else [f"--{args.way}"]
    parser = argparse.ArgumentParser()
    sniff.register(parser.add_subparsers())
    sniffing = parser.parse_args(words)
    for name in ("baud", "bytesize", "parity", "stopbits"):
        setattr(sniffing, name, getattr(args, name))
    sniffing.while_kept = True
    # when Wireshark stops it may close the pipe first, which is no failure
    sniff.run(sniffing)
    return 0


def _install(chosen: str | None) -> int:
    from seabattle_host.sniff.dissector import extcap_folder, put

    folder = Path(chosen) if chosen else extcap_folder()
    program = [sys.executable, "-m", "seabattle_host", "extcap"]
    script = folder / SCRIPT
    if os.name == "nt":
        put(script, "@echo off\r\n" + " ".join(f'"{word}"' for word in program) + " %*\r\n")
    else:
        put(script, f'#!/bin/sh\nexec {shlex.join(program)} "$@"\n')
        script.chmod(0o755)
    print(tr("installed", path=script))
    if chosen and folder != extcap_folder():
        print(tr("extcap_folder", path=folder))
    print(tr("extcap_next"))
    return 0
