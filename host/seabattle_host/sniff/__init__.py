"""The sniffer: takes what two sides of a line say, shows it, keeps it, reads it back and plays it again.

capture.py    what a capture is: bytes with a time and a side
session.py    bytes become records: a frame or a fault, with the verdict of the watcher; record.py: what they are
sources.py    from ports: a relay, a tap, one shared line, a virtual port
merge.py      sides for bytes that carry none
rendering.py  a record as a line for people; the state of both sides
storage.py    files and their rotation; form_writers.py: text, JSON and pcapng; sealing.py: the seal of a line of JSON
reading.py    all of these, and what other programs write, back into bytes; forms/: each form with its recogniser
parts.py      the files of one run in their order
checking.py   what a check comes to, and what was not understood
report.py     a capture in figures
replay.py     one side of a capture against a live peer
dissector.py  the Wireshark dissector, made from the table and the watcher
sigrok.py     the sigrok decoder, made from the same
"""
