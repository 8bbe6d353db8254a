"""The sea battle serial protocol v1.0 between two boards or programs.

Shows the frames of both directions, and what is wrong with them.

Stack it on 'uart' (9600 baud, even parity, both lines), RX is side A, TX is
side B. Which side is the master is worked out from the traffic.
"""

# mypy: ignore-errors
# ruff: noqa: RUF012

import sigrokdecode as srd

from . import names, timing, watch

_ROWS = {watch.DEVIATION: 2, watch.VIOLATION: 3, watch.NOISE: 4, watch.DOUBT: 6, watch.FOLLOWS: 7}
_PATIENCE = 5  # silent bytes after which an open verdict is shown as it is
_FAULTS = ("PARITY ERROR", "INVALID STOPBIT", "INVALID STARTBIT")


class Decoder(srd.Decoder):
    """The decoder, as sigrok loads it."""

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
        ("doubt", "Losses and doubts"),
        ("follows", "What follows from a finding"),
    )
    annotation_rows = (
        ("a", "A", (0,)),
        ("b", "B", (1,)),
        ("verdicts", "Verdicts", (2, 3, 4, 6, 7)),
        ("errors", "Line errors", (5,)),
    )

    def __init__(self):
        self.reset()

    def reset(self):
        self.samplerate = None
        self.watch = watch.Watch()
        self.timer = timing.TickTimer()
        self.marked = [False, False]
        self.fed = [[], []]
        self.last = [0, 0]
        self.undecided = None
        self.waited = 0

    def start(self):
        self.out_ann = self.register(srd.OUTPUT_ANN)

    def metadata(self, key, value):
        if key == srd.SRD_CONF_SAMPLERATE:
            self.samplerate = value

    def decode(self, ss, es, data):
        kind, side, value = data
        if kind in _FAULTS:
            self.put(ss, es, self.out_ann, [5, [kind.capitalize(), "!"]])
            # the byte itself follows, with a framing error before its end
            self.marked[side] = True
            return
        if kind == "IDLE":
            self.idle(ss)
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
        self.fed[side].append(ss)
        self.watch.room = (at - self.last[side]) // names.BYTE_US
        self.last[side] = at
        self.watch.feed(side, value[0], 1 if self.marked[side] else 0)
        self.marked[side] = False
        self.take(ss, es)

    def idle(self, ss):
        """Handle silence for the length of one byte."""
        if self.undecided is not None:
            self.waited += 1
            if self.waited > _PATIENCE:
                self.judge(*self.undecided, watch.DOUBT)
                self.undecided = None

    def end(self):
        """Handle the end of the data."""
        self.watch.finish()
        self.take(0, 0)

    def take(self, ss, es):
        """Show the watcher's records; an open verdict waits."""
        w = self.watch
        while w.take():
            if w.kind == watch.RULING:
                if self.undecided is not None:
                    self.judge(*self.undecided, w.verdict)
                self.undecided = None
                continue
            first = ss
            if w.kind != watch.LACK:
                fed = self.fed[w.side]
                first = fed[0] if fed else ss
                self.fed[w.side] = fed[len(fed) - w.spare :]
            body = bytes(w.data(w.side)[: w.size(w.side)]) if w.kind in (watch.FRAME, watch.CUT) else b""
            who = names.ROLES.get(w.role) or "AB"[w.side]
            if w.kind == watch.FRAME:
                says = names.meaning(w.op, body)
                self.put(first, es, self.out_ann, [w.side, [f"{who}: {says}", says, f"{w.op:02X}"]])
            if w.open:
                self.undecided = first, es, who, w.op, names.why(w.reason, w.op, w.state, who)
                self.waited = 0
            elif w.reason and w.verdict:
                self.judge(first, es, who, w.op, names.why(w.reason, w.op, w.state, who), w.verdict)

    def judge(self, first, es, who, op, why, verdict):
        """Show what is wrong with a frame."""
        self.put(first, es, self.out_ann, [_ROWS[verdict], [f"{who}: {op:02X}: {why}", why, f"{op:02X}"]])
