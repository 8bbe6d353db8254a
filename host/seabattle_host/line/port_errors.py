"""Why a port did not open, or why an open one stopped working: the cause and the remedy in one line.

The messages of pyserial and the system are meant for programmers, and differ between systems; here they are mapped to a
few cases. Also: which ports exist, and which programs use one.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import getpass
import os
import re
import socket
import stat
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import serial
from serial.tools import list_ports

from seabattle_host.errors import PortError, PortLost
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

if TYPE_CHECKING:
    from seabattle_host.line.settings import Settings

try:
    import grp
    import pwd
except ImportError:
    pass  # Windows, where ports have no owner that could deny access

NETWORK_KINDS = ("socket", "rfc2217")
WRAPPERS = ("spy", "alt")
"""Schemes of pyserial that open a device in another way."""

SYSFS = Path("/sys/class/tty")

_KINDS_OF_FILES = {
    stat.S_IFDIR: "what_directory",
    stat.S_IFREG: "what_file",
    stat.S_IFIFO: "what_pipe",
    stat.S_IFSOCK: "what_socket",
}

_PTMX = 5 << 8 | 2
"""Linux's device for creating pseudo-terminals."""


def kind_of(url: str) -> str:
    """Return the scheme of a port's URL in lower case, empty for a device."""
    return url.split("://", 1)[0].lower() if "://" in url else ""


def device_of(url: str) -> str:
    """Return the device that a URL names, the URL itself if it names none.

    `hwgrep://` names the adapter that matches now.
    """
    kind = kind_of(url)
    if kind == "hwgrep":
        check_url(url, kind)
        return str(serial.serial_for_url(url, do_not_open=True).port)
    parts = urllib.parse.urlsplit(url) if kind in WRAPPERS else None
    return parts.netloc + parts.path if parts else url


def found_ports() -> list[tuple[str, str]]:
    """Return the serial ports of this machine: device and description (may be empty), sorted by name.

    Depending on the kernel, pyserial leaves out the UARTs of a Raspberry Pi, or lists ports without hardware.
    """
    ports = {}
    for info in list_ports.comports():
        if _has_uart(info.device) is not False:
            ports[info.device] = (
                info.description if info.description not in (None, "n/a", info.device, info.name) else ""
            )
    for about in SYSFS.glob("tty*/device") if sys.platform.startswith("linux") else ():
        device = f"/dev/{about.parent.name}"
        if device not in ports and _has_uart(device) and os.path.exists(device):
            ports[device] = ""
    return sorted(ports.items())


def _has_uart(device: str) -> bool | None:
    """Return whether there is hardware behind a UART of Linux; None for other devices."""
    about = SYSFS / Path(os.path.realpath(device)).name
    try:
        return (about / "type").read_text(encoding="ascii").strip() != "0"
    except OSError:
        # older kernels tell it to root only
        return True if (about / "device/of_node").exists() else None


def processes_using(device: str) -> str:
    """Return who else has the device open, as `name (PID), name (PID)`.

    It is empty if nobody has, or if that cannot be determined.

    The program that created a pseudo-terminal is not counted: it is the other end, and keeps this one open so that it
    persists.
    """
    if sys.platform == "win32":
        return ""
    try:
        wanted = os.stat(device)
    except OSError:
        return ""
    pids, makers = set(), set()
    with contextlib.suppress(OSError):
        # names the owner of a lock even if the other user's files are not accessible
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if "FLOCK" in words and words[5].endswith(f":{wanted.st_ino}"):
                major, minor, _inode = words[5].split(":")
                if os.makedev(int(major, 16), int(minor, 16)) == wanted.st_dev:
                    pids.add(words[4])
    for entry in _descriptors() if sys.platform.startswith("linux") else ():
        with contextlib.suppress(OSError):
            there = entry.stat()
            if (there.st_dev, there.st_ino) == (wanted.st_dev, wanted.st_ino):
                pids.add(entry.parts[2])
            elif there.st_rdev == _PTMX and _pty_number(entry) == os.minor(wanted.st_rdev):
                makers.add(entry.parts[2])
    names = []
    for pid in sorted(pids - makers, key=int):
        if int(pid) != os.getpid():
            with contextlib.suppress(OSError):
                names.append(f"{Path('/proc', pid, 'comm').read_text(encoding='utf-8').strip()} ({pid})")
    return ", ".join(names)


def _descriptors() -> Iterator[Path]:
    """Yield the open descriptors of all processes. A process may end meanwhile."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            yield from list((process / "fd").iterdir())
        except OSError:
            continue


def _pty_number(entry: Path) -> int:
    """Return the number of the pseudo-terminal of a descriptor of the multiplexer in /proc; -1 if unknown."""
    about = Path(*entry.parts[:3], "fdinfo", entry.name).read_text(encoding="ascii")
    index = re.search(r"^tty-index:\s*(\d+)", about, re.MULTILINE)
    return int(index[1]) if index else -1


def check_url(url: str, kind: str) -> None:
    """Refuse URLs that pyserial would answer with an obscure error, or with none."""
    if kind in NETWORK_KINDS:
        try:
            parts = urllib.parse.urlsplit(url)
            good = bool(parts.hostname) and bool(parts.port)
        except ValueError:
            good = False
        if not good:
            raise PortError(tr("port_url_address", url=url, kind=kind))
    if not url.strip():
        raise PortError(tr("port_empty", near=_similar_ports(url)))
    if kind == "hwgrep":
        _check_wanted(url)
    if kind in WRAPPERS:
        url, kind = device_of(url), ""
    if kind or os.name != "posix":
        return
    try:
        mode = os.stat(url).st_mode
    except FileNotFoundError:
        if os.path.islink(url):
            raise PortError(tr("port_dangling", url=url, target=os.readlink(url))) from None
        raise PortError(tr("port_missing", url=url, near=_similar_ports(url))) from None
    except OSError as error:
        raise PortError(tr("port_failed", url=url, reason=plain_message(error))) from None
    if not stat.S_ISCHR(mode):
        raise PortError(tr("port_not_serial", url=url, what=tr(_KINDS_OF_FILES.get(stat.S_IFMT(mode), "what_other"))))


def _check_wanted(url: str) -> None:
    """Refuse a `hwgrep://` pattern that matches no port."""
    wanted = url.partition("://")[2].partition("&")[0]
    try:
        if any(list_ports.grep(wanted)):
            return
    except re.error:
        pass
    raise PortError(tr("port_no_match", url=url, wanted=wanted, near=_similar_ports("")))


def is_pty(url: str) -> bool:
    """Return whether a device is a pseudo-terminal."""
    return os.path.realpath(url).startswith(("/dev/pts/", "/dev/ttys"))


def has_settings(url: str) -> bool:
    """Return whether there is a line behind a device that settings could be for."""
    return not is_pty(url) and not Path(os.path.realpath(url)).name.startswith("ttyGS")  # Linux as a USB gadget


def is_mini_uart(url: str) -> bool:
    """Return whether a device is the second, smaller UART of a Raspberry Pi, which has no parity."""
    about = SYSFS / Path(os.path.realpath(url)).name / "device/of_node/compatible"
    try:
        return b"aux-uart" in about.read_bytes()
    except OSError:
        return False


def _similar_ports(url: str) -> str:
    """Return, in words, the existing ports with the names most similar to one that does not exist."""
    known = dict(found_ports())
    folder = Path(url).parent
    names = set(known)
    with contextlib.suppress(OSError):
        names |= {str(entry) for entry in folder.iterdir() if _is_port_like(entry)}
    names.discard(url)
    same = [name for name in sorted(known) if name != url and Path(name).name == Path(url).name]
    near = same or difflib.get_close_matches(url, sorted(names), n=3, cutoff=0.75) or sorted(set(known) - {url})[:3]
    if not near:
        return tr("ports_none")
    return tr("ports_found", ports=", ".join(f"{name} ({known[name]})" if known.get(name) else name for name in near))


def _is_port_like(path: Path) -> bool:
    name = path.name
    return (
        path.is_symlink()
        or (path.parent.name == "pts" and name.isdigit())
        # most of /dev/ttyS* have no hardware: those that have are found otherwise
        or (name.startswith("tty") and name[3:4].isalpha() and not re.fullmatch(r"ttyS\d+", name))
    )


def why_not_opened(error: Exception, url: str, kind: str, settings: Settings) -> str:
    """Return one line on why a port did not open."""
    if kind in WRAPPERS:
        url, kind = device_of(url), ""
    cause = _root(error)
    code = getattr(error, "errno", None) or getattr(cause, "errno", None)
    if kind:
        if isinstance(error, ValueError) and "protocol" in str(error):
            return tr("port_url_kind", url=url, kind=kind)
        if isinstance(cause, ConnectionRefusedError):
            return tr("port_refused", url=url)
        if isinstance(cause, socket.gaierror):
            return tr("port_unknown_host", url=url)
        if isinstance(cause, TimeoutError):
            return tr("port_no_answer", url=url)
        if isinstance(cause, (BrokenPipeError, ConnectionResetError)):
            return tr("lost_at_once", url=url)
        # pyserial also refuses what a server answers by ValueError; an address it does not understand has these words
        misread = isinstance(cause, KeyError) or re.search("in the forms? |unknown option", f"{error} {cause}")
        if misread and "?" in url:
            return tr("port_url_option", url=url)
        if kind == "rfc2217":
            return _why_refused(str(error), url, settings)
        return tr("port_failed", url=url, reason=plain_message(cause))
    if code in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or (os.name == "nt" and "PermissionError" in str(error)):
        who = processes_using(url)
        if sys.platform != "win32" and code == errno.EBUSY and is_pty(url) and not who and os.geteuid():
            return tr("port_left_exclusive", url=url)
        return tr("port_busy", url=url, who=who or tr("somebody"))
    if code == errno.ENOENT or (os.name == "nt" and "FileNotFoundError" in str(error)):
        return tr("port_missing", url=url, near=_similar_ports(url))
    if code in (errno.EACCES, errno.EPERM):
        return _why_denied(url)
    if "could not configure port" in str(error).lower():
        number = cause.args[0] if cause.args else None
        if number == errno.EIO:
            return tr("port_no_hardware", url=url, near=_similar_ports(url))
        if number == errno.ENOTTY:
            return tr("port_not_serial", url=url, what=tr("what_other"))
    if code in (errno.ENXIO, errno.ENODEV, errno.EIO):
        return tr("port_no_hardware", url=url, near=_similar_ports(url))
    if isinstance(error, ValueError):
        return tr("port_settings", url=url, settings=settings, reason=plain_message(error))
    return tr("port_failed", url=url, reason=plain_message(cause))


def _why_denied(url: str) -> str:
    if sys.platform == "win32":
        return tr("port_denied", url=url, owner="SYSTEM")
    try:
        owner = os.stat(url)
        group = grp.getgrgid(owner.st_gid).gr_name
        if owner.st_mode & stat.S_IRGRP and owner.st_mode & stat.S_IWGRP and owner.st_gid:
            return tr("port_denied_group", url=url, group=group, user=getpass.getuser())
        return tr("port_denied", url=url, owner=pwd.getpwuid(owner.st_uid).pw_name)
    except (OSError, KeyError):
        return tr("port_denied", url=url, owner="root")


def _why_refused(message: str, url: str, settings: Settings) -> str:
    """Return one line on what an RFC 2217 server does not support, from pyserial's message."""
    option = re.search(r"for option '(\w+)'", message)
    if option and option[1] == "control" and "timeout" in message:
        better = f"{url}{'&' if '?' in url else '?'}ign_set_control"
        return tr("rfc2217_control", url=url, better=better)
    if (option and "rejected" in message) or "parameter change" in message:
        return tr("rfc2217_refuses", url=url, settings=settings, what=option[1] if option else "-")
    if option:
        return tr("rfc2217_deaf", url=url, what=option[1])
    if "seem to support" in message:
        plain = "socket" + url.partition("?")[0].removeprefix("rfc2217")
        return tr("rfc2217_not", url=url, plain=plain)
    return tr("port_failed", url=url, reason=message)


def why_lost(error: Exception, url: str, kind: str) -> str:
    """Return one line on why an open port stopped working."""
    if not kind:
        # only a pseudo-terminal has another end that hangs up; the name of an adapter may outlive it for a moment
        gone = getattr(error, "errno", 0) in (errno.EIO, errno.ENXIO, errno.ENODEV) and not is_pty(url)
        if os.name == "posix" and (gone or not os.path.exists(url)):
            return tr("lost_gone", url=url)
        others = processes_using(url)
        if others:
            return tr("lost_shared", url=url, who=others)
    if isinstance(error, (ConnectionError, BrokenPipeError)) or getattr(error, "errno", 0) in (errno.EPIPE, errno.EIO):
        return tr("lost_hung_up", url=url)
    if "disconnected" in str(error) or "reader thread died" in str(error):
        return tr("lost_hung_up", url=url)
    return tr("lost_failed", url=url, reason=plain_message(_root(error)))


def waits(lost: PortLost) -> str:
    """Return the line about a port that is lost and will be opened again."""
    return tr("port_waits", why=lost)


def is_back(url: str, device: str) -> str:
    """Return the line that a lost port works again, with its name if it has another now."""
    return tr("port_back" if device == url else "port_back_as", url=url, device=device)


def _root(error: BaseException) -> BaseException:
    """Return the first error of a chain, which is the system's own."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return error


def plain_message(error: BaseException) -> str:
    """Return an error's message without its class and number."""
    return why(error)
