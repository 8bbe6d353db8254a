"""Boards: detecting them, their folders in boards/, and installing the game on them."""
