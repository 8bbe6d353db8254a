"""
The sea battle serial protocol v1.0 between two boards or programs: frames of
both directions, and what is wrong with them.

Stack it on 'uart' (9600 baud, even parity, both lines), RX is side A, TX is
side B. Which side is the master is worked out from the traffic.
"""

# mypy: ignore-errors
# ruff: noqa: RUF012

import sigrokdecode as srd

from . import names, timing, watch

_ROWS = {watch.OK: 0, watch.DEVIATION: 2, watch.VIOLATION: 3, watch.NOISE: 4}
_FAULTS = ("PARITY ERROR", "INVALID STOPBIT", "INVALID STARTBIT")


class Decoder(srd.Decoder):
    api_version = 3
    id = "seabattle"
    name = "Sea Battle"
    longname = "Sea Battle serial protocol v1.0"
    desc = "A game of battleship over a serial line."
    license = "mit"
    inputs = ["uart"]
    outputs = []
    tags = ["Embedded/industrial"]
    annotations = (
        ("frame-a", "Frames of A"),
        ("frame-b", "Frames of B"),
        ("deviation", "Deviations"),
        ("violation", "Violations"),
        ("noise", "Noise"),
        ("line-error", "Line errors"),
    )
    annotation_rows = (
        ("a", "A", (0,)),
        ("b", "B", (1,)),
        ("verdicts", "Verdicts", (2, 3, 4)),
        ("errors", "Line errors", (5,)),
    )

    def __init__(self):
        self.reset()

    def reset(self):
        self.samplerate = None
        self.watch = watch.Watch()
        self.timer = timing.TickTimer()
        self.begun = [None, None]

    def start(self):
        self.out_ann = self.register(srd.OUTPUT_ANN)

    def metadata(self, key, value):
        if key == srd.SRD_CONF_SAMPLERATE:
            self.samplerate = value

    def decode(self, ss, es, data):
        kind, side, value = data
        if kind in _FAULTS:
            self.put(ss, es, self.out_ann, [5, [kind.capitalize(), "!"]])
            return
        if kind != "DATA":
            return
        if not self.samplerate:
            raise Exception("Cannot decode without samplerate.")
        at = es * 1000000 // self.samplerate
        self.timer.begin(at)
        while self.timer.due(at):
            self.watch.tick()
            self.take(ss, es)
        if self.begun[side] is None:
            self.begun[side] = ss
        self.watch.feed(side, value[0])
        self.take(ss, es)

    def take(self, ss, es):
        """Show the watcher's records."""
        w = self.watch
        while w.take():
            first = ss
            if w.kind != watch.LACK:
                first = self.begun[w.side] if self.begun[w.side] is not None else ss
                self.begun[w.side] = None
            body = bytes(w.data(w.side)[: w.size(w.side)]) if w.kind in (watch.FRAME, watch.CUT) else b""
            who = names.ROLES.get(w.role) or "AB"[w.side]
            if w.kind == watch.FRAME:
                says = names.meaning(w.op, body)
                self.put(first, es, self.out_ann, [w.side, [f"{who}: {says}", says, f"{w.op:02X}"]])
            if w.reason:
                why = names.REASONS[w.reason]
                row = _ROWS[w.verdict]
                self.put(first, es, self.out_ann, [row, [f"{who}: {w.op:02X}: {why}", why, f"{w.op:02X}"]])
