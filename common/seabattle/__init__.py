"""The rules of sea battle and its serial protocol, for MicroPython and CPython alike.

No input or output, no clock, nothing allocated after construction, no integer of 2**30 or more. Import the modules
by name; importing the package alone loads nothing, which is what a small board wants.
"""
