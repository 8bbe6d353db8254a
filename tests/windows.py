"""The program as if on Windows, from `pretend()` on; tests.forked starts it so.

There is no Windows where the tests run, so whatever its Python lacks or does differently is removed or replaced for
the program's own modules; the standard library and the packages stay unchanged.

A COM port is a TCP connection: the environment variable COM10 holds the URL that COM10 leads to.
"""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import os
import pkgutil
import select
import signal
import stat
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

LACKING = ("termios", "fcntl", "pty", "tty", "resource", "grp", "pwd", "curses", "readline", "syslog")
"""Modules missing from Windows' Python."""

_OS = """
openpty forkpty fork getuid geteuid getgid getegid mkfifo mknod ttyname set_blocking setsid getpgid setpgid killpg
uname sysconf getloadavg wait waitid waitpid posix_spawn sched_getaffinity sched_setaffinity chown fchmod fchown
lchown getpriority nice O_NOCTTY O_NONBLOCK O_CLOEXEC O_DIRECTORY WNOHANG getgroups tcgetpgrp
""".split()
_SIGNALS = """SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGPIPE SIGALRM SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGWINCH
SIGXFSZ SIGKILL pthread_sigmask pthread_kill setitimer alarm pause sigwait siginterrupt""".split()
_SELECT = ("poll", "epoll", "devpoll", "kqueue", "EPOLLIN", "POLLIN", "POLLOUT", "POLLHUP")

_LATE = [
    *(f"multiprocessing.{name}" for name in ("connection", "pool", "popen_spawn_posix", "queues", "synchronize")),
    "rich.console",
]
"""Modules that are imported on first use."""


def _without(module: types.ModuleType, names: Any, **changes: Any) -> types.ModuleType:
    copy = types.ModuleType(module.__name__, module.__doc__)
    copy.__dict__.update({name: value for name, value in vars(module).items() if name not in names})
    copy.__dict__.update(changes)
    return copy


class _Sys(types.ModuleType):
    """The module sys, except for its platform."""

    platform = "win32"

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(sys, name, value)


def _select(*waited: Any) -> Any:
    for each in (*waited[0], *waited[1], *waited[2]):
        number = each if isinstance(each, int) else each.fileno()
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            raise OSError(10038, "an operation was attempted on something that is not a socket")
    return select.select(*waited)


class _Popen(subprocess.Popen):
    def __init__(self, *words: Any, **more: Any) -> None:
        if more.get("preexec_fn") is not None or more.get("pass_fds"):
            raise ValueError("not supported on Windows platforms")
        if more.get("creationflags"):
            # a group of its own: Ctrl-C does not reach it
            more["creationflags"] = 0
            more["start_new_session"] = True
        super().__init__(*words, **more)


def _serial_for_url(real: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap pyserial's: a COM port opens the URL in its environment variable."""

    def open_url(url: str, *words: Any, **more: Any) -> Any:
        import serial

        if "://" not in url:
            more.pop("exclusive", None)
            leads_to = os.environ.get(url.upper())
            if leads_to is None:
                # the wording of pyserial's class for Windows
                said = f"could not open port {url!r}: FileNotFoundError(2, 'Не удается найти указанный файл.', None, 2)"
                raise serial.SerialException(said)
            if leads_to == "busy":
                said = f"could not open port {url!r}: PermissionError(13, 'Отказано в доступе.', None, 5)"
                raise serial.SerialException(said)
            url = leads_to
        return real(url, *words, **more)

    return open_url


def pretend() -> None:
    """Make the program's modules believe that they are on Windows."""
    import serial
    from serial.tools import list_ports

    from seabattle_host import commands

    # what they import stays unchanged
    modules = pkgutil.iter_modules(commands.__path__, f"{commands.__name__}.")
    for name in (*(module.name for module in modules), *_LATE):
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.split(".")[0] == "seabattle_host"]:
        del sys.modules[name]
    for name in LACKING:
        sys.modules[name] = None  # type: ignore[assignment]
    sys.modules["os"] = _without(os, _OS, name="nt")
    sys.modules["sys"] = _Sys("sys")
    sys.modules["signal"] = _without(signal, _SIGNALS, SIGBREAK=21)
    sys.modules["select"] = _without(select, _SELECT, select=_select)
    sys.modules["subprocess"] = _without(subprocess, ("pass_fds",), Popen=_Popen, CREATE_NEW_PROCESS_GROUP=512)

    def lacks(*_: Any, **__: Any) -> Any:
        raise NotImplementedError

    loop = asyncio.SelectorEventLoop
    for name in ("add_reader", "remove_reader", "add_writer", "remove_writer", "add_signal_handler"):
        setattr(loop, name, lacks)
    # no forks: data for another process must be pickled
    multiprocessing.set_start_method("spawn", force=True)
    serial.serial_for_url = _serial_for_url(serial.serial_for_url)
    list_ports.comports = lambda *_, **__: []
