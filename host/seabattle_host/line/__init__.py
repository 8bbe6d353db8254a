"""A line and its ends: serial ports and sockets, the log of a line, the virtual board and its panel."""
