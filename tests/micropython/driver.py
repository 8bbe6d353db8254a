"""Runs test functions on MicroPython: `driver.py MODULE.FUNCTION...`.

Before each function a line MARK + "begin NAME" is printed, after it MARK + "passed NAME" or, after the traceback,
MARK + "failed NAME". The function's own output is between the two.
"""

import sys

MARK = "\x1e"


LEAVES = ("field_ships", "field_search", "radar_state")
"""Imported first: compiling modules nested ten imports deep is more than the 32-bit interpreter's
stack takes. A board has them compiled.
"""


def main():
    for name in LEAVES:
        __import__("seabattle." + name)
    for name in sys.argv[1:]:
        module, function = name.split(".")
        print(MARK + "begin " + name)
        try:
            getattr(__import__(module), function)()
        except BaseException as error:
            sys.print_exception(error, sys.stdout)
            print(MARK + "failed " + name)
        else:
            print(MARK + "passed " + name)


main()
