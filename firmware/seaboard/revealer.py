"""Shows this board's field after a battle, with the lines of seabattle.reveal.

It shows it to an opponent that asks for it, and unasked to one that has sealed its own.

The board does not judge and does not seal: it only answers. The opponent's own field is not used here, and is kept out
of the chat.
"""

from seabattle import link as links
from seabattle import reveal
from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from seabattle.player import Player


class Revealer:
    """player: the Player whose field it is.

    owed: the field is to be sent. line: the buffer for draw(), which others may use in between.
    """

    def __init__(self, player: "Player", line: bytearray) -> None:
        self.player = player
        self.line = line
        self.owed = False
        self._fought = False
        self._sealed = False  # the opponent sealed its field before the battle

    def event(self, ev: int) -> bool:
        """Handle an event of the link; return True for a chat text handled here."""
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
        """Write the line that shows the field; return its length."""
        player = self.player
        return reveal.put_field(self.line, player.fleet.width, player.field.ship, None)
