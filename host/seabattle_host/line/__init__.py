"""Serial ports and sockets, the log of a line, the virtual board and its panel."""
