"""Starts the game. `board` is the module of the board that this runs on."""

import board
from seaboard.app import App


def main():
    here = board.Board()
    app = App(here, here.seed)
    here.begin(app)
    app.run()


main()
