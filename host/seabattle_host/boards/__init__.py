"""Boards: which are plugged in, what their folders in boards/ say, and how the game gets onto them."""
