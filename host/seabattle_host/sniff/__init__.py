"""The sniffer: captures both sides of a line, shows, stores, reads and replays them.

capture.py    the data of a capture: bytes with a time and a side
session.py    turns bytes into records: frames or faults, with the watcher's verdict; record.py: their types
sources.py    capturing from ports: a relay, a tap, one shared line, a virtual port
merge.py      sides for bytes without them
rendering.py  a record as a line for people; the state of both sides
storage.py    files and their rotation; form_writers.py: text, JSON and pcapng; file_seals.py: their CRCs and hashes
reading.py    reads all of these, and other programs' files; forms/: each form with its recogniser
same_moment.py    the order of what two files have at one time
run_parts.py      the files of one run in order
checking.py   the outcome of a check, and what was not understood; oddities.py: noise that tells something
cached_watch.py, lazy_radar.py   fast doubles of the watcher and its radar, which say the same
counting_session.py, exchanges.py   a check's session: counts most frames, makes no records, and finds the same
report.py     the summary of a capture
replay.py     plays one side of a capture to a live peer
dissector.py  the Wireshark dissector, generated from the table and the watcher
sigrok.py     the sigrok decoder, generated from the same
"""
