"""The command `seabattle`; `python -m seabattle_host` is the same."""

import signal
import sys


def main() -> int:
    """Run the command line. Ctrl-C while its modules are loaded ends it without a traceback."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from seabattle_host import cli

    if usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
