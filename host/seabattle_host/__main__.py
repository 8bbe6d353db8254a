"""`python -m seabattle_host` is the same as `seabattle`."""

import sys

from seabattle_host.cli import main

if __name__ == "__main__":
    sys.exit(main())
