"""The PC side of sea battle: command line, serial ports, opponents, simulation."""

__version__ = "0.1.0"
