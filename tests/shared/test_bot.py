"""A computer player: what it sends at each point of a session, and what it leaves to its owner."""

from endpoint import PlayerEndpoint, calm, master, slave
from talks import hold

from seabattle import wire
from seabattle.bot import BUSY, IDLE, STUCK, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.rng import Rng

OFFER = (6, 0, 0, 0, 2)


class BotsSeat(PlayerEndpoint):
    def __init__(self, role, seed=1, nick=b""):
        PlayerEndpoint.__init__(self, role, seed, nick)
        self.do_another([])

    def shoots_at(self, cells):
        """Make the bot's gunner name these cells, each after two steps of thought."""
        self.bot.gunner = Names(cells)

    def acts(self):
        """Let the bot act until it has nothing more to do; return what the link sends."""
        self.do_acts([])
        return self.sent()

    # The steps of a talk.

    def do_acts(self, _words):
        steps = 0
        while self.bot.step() == BUSY:
            self.collect()
            steps += 1
            assert steps < 10000

    def do_idles(self, _words):
        assert self.bot.step() == IDLE

    def do_thinks(self, _words):
        assert self.bot.step() == BUSY

    def do_finds(self, _words):
        while self.bot.cell < 0:
            self.do_thinks([])

    def do_offers(self, words):
        self.bot.offer = tuple([int(word) for word in words])

    def do_games(self, words):
        self.bot.games = int(words[0])

    def do_held(self, words):
        self.bot.held = words[0] == "1"

    def do_names(self, words):
        self.shoots_at([int(word) for word in words])

    def do_another(self, _words):
        self.bot = Bot(self.player, Gunner(self.player.radar, Rng(1), HUNT), 0, OFFER)

    def do_water(self, _words):
        """The peer shoots into the water."""
        cell = [c for c in range(36) if not self.player.field.ship[c]][0]
        for byte in (wire.SHOT, cell % 6 + 1, cell // 6 + 1):
            self.link.rx(byte)
        self.collect()

    def do_unseen(self, words):
        """Bytes come, or ticks, and the bot is asked before anybody has looked."""
        for word in words:
            if word == "tick":
                self.link.tick()
            else:
                self.link.rx(int(word, 16))
        self.bot.step()

    def do_sunk(self, _words):
        """The peer sinks every ship."""
        for cell in [c for c in range(36) if self.player.field.ship[c]]:
            assert self.hear("C0 %02X %02X" % (cell % 6 + 1, cell // 6 + 1)) == "2C"
            self.ticks(3, self.alive())

    def know_played(self):
        return self.bot.played

    def know_asked(self):
        return self.bot.gunner.starts


class Names:
    """A gunner that names given cells; `starts` counts the requests."""

    def __init__(self, cells):
        self.cells = cells
        self.starts = 0
        self.thought = 0

    def aim_start(self):
        self.starts += 1
        self.thought = 0

    def aim_step(self):
        assert self.starts
        self.thought += 1
        return self.cells[self.starts - 1] if self.thought == 2 else -1


def ready_to_shoot():
    """Return a master's bot in the battle, at its turn."""
    s = master(2, BotsSeat)
    assert s.acts() == "A3"
    s.hear("3A")
    s.hear("A4")
    return calm(s)


BATTLE = "M2: acts > A3; < 3A; < A4 > 4A; rest"
AGAIN = "< 5A; acts > PARAMS; < ECHO > A2; < 2A; acts > A3; < 3A"
"""A master's bot in the battle, and the way back there after its A5."""


def test_what_it_says():
    hold(
        """
A master offers its parameters once, as it was given them; a slave offers nothing.
    M1: acts > PARAMS; acts; < ECHO > A2; acts
    M1: offers 7 1 0 2 3; acts > B2 07 01 00 02 03
    S1: acts
An offer that was refused is made again.
    M1: offers 6 1 2 5 10; acts; offers 6 0 0 0 2; acts > PARAMS
It places its ships and is ready; a slave's readiness has to wait for the master's.
    M2: acts > A3; = whole 1
    S2: acts; = whole 1; < A3 > 3A A4
    S3: acts > A4; = whole 1
It stands by while the slave places, and before anybody is met.
    M3: idles
    S0: idles
It shoots when it is its turn and once; after a hit another cell.
    BATTLE; acts > C0 ...; acts; < 0C; acts; = my_turn 0
    BATTLE; names 8 20; acts > C0 03 02; < 2C; acts; ~2 > C0 03 04
Every shot is aimed for and goes where the gunner says; while it is not its turn it aims at nothing.
    BATTLE; names 0 35 20; acts > C0 01 01; < 2C; acts; ~2 > C0 06 06; = asked 2; < 0C; acts; = asked 2; water > 0C;
        acts > C0 03 04; = asked 3
A cell that was found for one game is not shot at in the next; an aim that was cut short begins anew.
    BATTLE; names 7 8; finds; < A6 > 6A; acts > A5; AGAIN; < A4 > 4A; acts > C0 03 02; = asked 2
    BATTLE; thinks; < A6 > 6A; acts > A5; AGAIN; < A4 > 4A; acts > C0 ...
A master begins another game and a slave waits for it; after so many games it says goodbye.
    M9: acts > A5; < 5A; acts > PARAMS
    S9: acts
    MS9: games 1; acts > A7; = played 1; acts; = played 1; < 7A; = closed 1; idles
    M9: games 2; acts > A5; = played 1; AGAIN; < A4 > 4A; < A6 > 6A; acts > A7; = played 2
A surrender before the battle ends no game.
    M9: games 2; acts > A5; = played 1; AGAIN; rest; < A6 > 6A; acts > A5; = played 1
Held it counts the game and waits; after its last game it leaves when the peer has left.
    M9: held 1; acts; = played 1; held 0; acts > A5; = played 1
    M9: games 1; held 1; acts; < A7 > 7A; = state 0; acts; = closed 1
A key that is awaited is left to the owner; what was missing comes, and only then it goes on.
    BATTLE; < A8 > 8A; = key_awaited 1; idles; = key_awaited 1
    M1: +70; = hung 1; idles; < 01; = hung 0; acts > PARAMS
    M2: +70; = hung 1; idles; < 01; = hung 0; acts > A3
A game that is begun after the last one is not played: a master starts over before the goodbye, or in place of A9.
    S2: games 1; acts; < A3 > 3A A4; < 4A; unseen A6 A5 > ...; acts > ...; = played 1, state 1; < 7A; = closed 1
    S2: games 1; acts; < A3 > 3A A4; < 4A; sunk; unseen A5 > ...; acts > ...; = played 1, state 1; < 7A; = closed 1
It is not ready with the ships of the game before, though the next placing begins before it is notified.
    S3: acts > A4; < 4A; rest; < A6 > 6A; < A5 > 5A; unseen A2 A3 > 2A 3A; = whole 0, state 3; acts > A4; = whole 1
It does not aim before its last answer is known.
    BATTLE; names 7 7; acts > C0 02 02; ~2; unseen 1C tick tick > A8; = asked 1
It can take over in the middle of a game.
    BATTLE; another; names 7; games 1; acts > C0 02 02; < A6 > 6A; acts > A7; = played 1
""".replace("BATTLE", BATTLE).replace("AGAIN", AGAIN),
        BotsSeat,
    )
    bot = Bot(PlayerEndpoint(wire.MASTER).player, None)
    assert bot.offer == (10, 1, 2, 3, 4) and bot.games == 0
    assert len({IDLE, BUSY, STUCK}) == 3


def test_a_fleet_that_cannot_be_placed_is_said():
    for at_once in (False, True):
        s = slave(2, BotsSeat)
        s.player.fleet.protocol(6, 1, 2, 5, 10)
        s.player.field.reset(s.player.fleet)
        done = s.bot.step()
        assert done == BUSY
        if at_once:
            s.bot.think()
        steps = 0
        while done == BUSY and steps < (1 if at_once else 200000):
            done = s.bot.step()
            steps += 1
        assert done == STUCK


def test_it_may_think_at_once_where_there_is_nothing_else_to_do():
    for role in (wire.MASTER, wire.SLAVE):
        s = (master if role == wire.MASTER else slave)(2, BotsSeat)
        s.bot.think()
        assert not s.bot.thinking and not s.player.field.complete()  # it has not begun yet
        assert s.bot.step() == BUSY and s.bot.thinking
        s.bot.think()
        assert not s.bot.thinking and s.player.field.complete()
        assert s.acts() == ("A3" if role == wire.MASTER else "")
    for cell in (0, 1, 35):
        s = ready_to_shoot()
        s.shoots_at([cell])
        s.bot.think()
        assert s.bot.gunner.starts == 0
        assert s.bot.step() == BUSY and s.bot.thinking
        s.bot.think()
        assert not s.bot.thinking and s.bot.gunner.thought == 2
        assert s.acts() == "C0 %02X %02X" % (cell % 6 + 1, cell // 6 + 1)
