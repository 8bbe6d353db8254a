"""Runs test functions on MicroPython: `driver.py MODULE FUNCTION...`.

Before each function a line MARK + "begin NAME" is printed, after it MARK + "passed NAME" or, behind the traceback,
MARK + "failed NAME". What the function prints itself stands between the two.
"""

import sys

MARK = "\x1e"


def main():
    module = __import__(sys.argv[1])
    for name in sys.argv[2:]:
        print(MARK + "begin " + name)
        try:
            getattr(module, name)()
        except BaseException as error:
            sys.print_exception(error, sys.stdout)
            print(MARK + "failed " + name)
        else:
            print(MARK + "passed " + name)


main()
