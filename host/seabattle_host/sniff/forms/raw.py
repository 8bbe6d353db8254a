"""Raw bytes of a line, without times and sides; recognised by their content, never because nothing else matches."""

from __future__ import annotations

from collections.abc import Iterator

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import evidence, no_capture
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source


class RawForm:
    """The bytes themselves."""

    name = "raw"

    def recognise(self, source: Source) -> Guess | None:
        if source.encoding and not source.encoding.startswith("latin"):
            return None
        if no_capture.lacking(source.sample[: evidence.MOST]):
            return None
        found = evidence.weigh(source.sample[: evidence.MOST])
        return self._guess(source, found) if found.is_protocol else None

    def forced(self, source: Source) -> Guess:
        return self._guess(source, evidence.weigh(source.sample[: evidence.MOST]))

    def items(self, source: Source, _guess: Guess, _left: Left) -> Iterator[Item]:
        for block in source.blocks(4096):
            yield Chunk(0, 0, block)
        if source.cut:
            yield Lost(0, tr("lost_tail"))

    def _guess(self, source: Source, found: evidence.Evidence) -> Guess:
        why = tr("why_frames", share=round(100 * found.share))
        header = Header((source.name, "-"), mode="raw", timed=False)
        return Guess(why, header, merged=found.is_merged, maybe_merged=True)
