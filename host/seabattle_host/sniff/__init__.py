"""The sniffer: takes what two sides of a line say, shows it, keeps it, reads it back and plays it again.

capture.py    what a capture is: bytes with a time and a side
session.py    bytes become records: a frame or a fault, with the verdict of the watcher
taking.py     from ports: a relay, a tap, one shared line, a virtual port
showing.py    a record as a line for people; the state of both sides
keeping.py    text, JSON and pcapng files, rotation
reading.py    all of these and dumps, back into bytes
report.py     a capture in figures
replay.py     one side of a capture against a live peer
dissector.py  the Wireshark dissector, made from the table and the watcher
analyser.py   the sigrok decoder, made from the same
"""
