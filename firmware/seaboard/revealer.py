"""Shows this board's field after a battle, by the lines of seabattle.reveal: to an opponent that asks for it, and
unasked to one that has sealed its own.

The board judges nobody and seals nothing: it only answers. What an opponent says of its own field is of no use here,
and is kept from the chat.
"""

from seabattle import link as links
from seabattle import reveal
from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from seabattle.player import Player


class Revealer:
    """player: the seat whose field it is. owed: the field is to be sent. line: where draw() writes it, which
    may serve others in between."""

    def __init__(self, player: "Player", line: bytearray) -> None:
        self.player = player
        self.line = line
        self.owed = False
        self._fought = False
        self._sealed = False  # the opponent's field, before the battle

    def event(self, ev: int) -> bool:
        """Take an event of the link; True for a chat text that is dealt with here."""
        link = self.player.link
        if ev == links.EV_PLACING:
            self.owed = self._fought = self._sealed = False
        elif ev == links.EV_BATTLE:
            self._fought = True
        elif ev == links.EV_OVER:
            self.owed = self._fought and self._sealed and link.state == 9
        elif ev == links.EV_CHAT:
            kind = reveal.kind(link.text, link.text_len)
            if kind == reveal.SEAL and not self._fought:
                self._sealed = True
            elif kind == reveal.SHOW and self._fought and link.state == 9:
                self.owed = True
            return kind != reveal.NONE
        return False

    def draw(self) -> int:
        """Write the line that shows the field; how many letters it has."""
        player = self.player
        return reveal.put_field(self.line, player.fleet.width, player.field.ship, None)
