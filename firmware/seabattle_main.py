"""Starts a game installed with mip: `import seabattle_main`, at the prompt or in a main.py.

mip would overwrite an existing main.py, so its package contains none. On a board without a main.py the first start
writes one, which starts the game at every power-on; an existing one is left alone.
"""

import os

LINE = "import seabattle_main\n"
"""The whole content of such a main.py; one with more in it is not ours."""


def start_from_now_on() -> None:
    """Make the game start with the board, unless something else does."""
    try:
        os.stat("main.py")
    except OSError:
        with open("main.py", "w") as file:
            file.write(LINE)
        print("seabattle: main.py written, the game will start with the board")


start_from_now_on()
import seabattle_start  # noqa: E402, F401  (firmware/main.py under this name)
