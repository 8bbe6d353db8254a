"""A seat that plays by itself: what it says at each point of a session, and what it leaves to others."""

from endpoint import ECHO, PARAMS, PlayerEndpoint, calm, master, slave, to_bytes
from games import Games

from seabattle import link as L
from seabattle import wire
from seabattle.bot import BUSY, IDLE, STUCK, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.rng import Rng

OFFER = (6, 0, 0, 0, 2)


class BotsSeat(PlayerEndpoint):
    def __init__(self, role, seed=1, nick=b""):
        PlayerEndpoint.__init__(self, role, seed, nick)
        self.bot = Bot(self.player, Gunner(self.player.radar, Rng(seed), HUNT), 0, OFFER)

    def shoots_at(self, cells):
        """From now on the bot's gunner names these cells, each after two steps of thought."""
        self.bot.gunner = Names(cells)

    def acts(self):
        """The bot goes on until it has nothing more to do; what the link sends."""
        steps = 0
        while self.bot.step() == BUSY:
            self.collect()
            steps += 1
            assert steps < 10000
        return self.sent()


class Names:
    """A gunner that names given cells; `starts` counts how often it was asked."""

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
    """A master's bot in the battle; its turn."""
    s = master(2, BotsSeat)
    assert s.acts() == "A3"
    s.hear("3A")
    s.hear("A4")
    return calm(s)


def test_a_master_offers_its_parameters_once():
    s = master(1, BotsSeat)
    assert s.acts() == PARAMS
    assert s.acts() == ""
    assert s.hear(ECHO) == "A2"
    assert s.acts() == ""


def test_the_offer_is_the_one_it_was_given_and_the_classic_fleet_by_default():
    s = PlayerEndpoint(wire.MASTER)
    assert Bot(s.player, None).offer == (10, 1, 2, 3, 4)
    assert Bot(s.player, None).games == 0
    s = master(1, BotsSeat)
    s.bot.offer = (7, 1, 0, 2, 3)
    assert s.acts() == "B2 07 01 00 02 03"


def test_an_offer_that_was_refused_is_made_again():
    s = master(1, BotsSeat)
    s.bot.offer = (6, 1, 2, 5, 10)
    assert s.acts() == ""
    s.bot.offer = OFFER
    assert s.acts() == PARAMS


def test_a_game_that_is_begun_after_the_last_one_is_not_played():
    """A master starts over before the bot has said goodbye, in state 9 or in place of A9."""
    for end in ("A6 A5", "A5"):
        s = slave(2, BotsSeat)
        s.bot.games = 1
        s.acts()
        assert s.hear("A3") == "3A A4" and s.hear("4A") == ""
        for cell in range(36):
            if end == "A5" and s.player.field.ship[cell]:
                assert s.hear("C0 %02X %02X" % (cell % 6 + 1, cell // 6 + 1)) == "2C"
                s.ticks(3, s.alive())
        for byte in to_bytes(end):
            s.link.rx(byte)
        assert s.link.state == 1
        assert "A7" in s.acts() and s.bot.played == 1
        s.hear("7A")
        assert s.link.closed


def test_a_slave_offers_nothing():
    assert slave(1, BotsSeat).acts() == ""


def test_it_places_its_ships_and_is_ready():
    s = master(2, BotsSeat)
    assert s.acts() == "A3"
    assert s.player.field.complete()
    s = slave(2, BotsSeat)
    assert s.acts() == ""  # its readiness has to wait for the master's
    assert s.player.field.complete()
    assert s.hear("A3") == "3A A4"
    s = slave(3, BotsSeat)
    assert s.acts() == "A4"


def test_it_is_not_ready_with_the_ships_of_the_game_before():
    s = slave(3, BotsSeat)
    assert s.acts() == "A4"
    s.hear("4A")
    calm(s)
    s.hear("A6")
    s.hear("A5")
    # the next placing begins before the player is told of it
    for byte in to_bytes("A2 A3"):
        s.link.rx(byte)
    assert s.link.state == 3 and s.player.field.complete()
    assert s.bot.step() == IDLE
    assert s.sent() == "2A 3A" and not s.player.field.complete()
    assert s.acts() == "A4"
    assert s.player.field.complete()


def test_it_does_not_aim_before_its_last_answer_is_known():
    s = ready_to_shoot()
    s.shoots_at([7, 7])
    assert s.acts() == "C0 02 02"
    s.ticks(2, s.alive())
    for byte in to_bytes("1C"):
        s.link.rx(byte)
    s.link.tick()
    s.link.tick()
    assert s.bot.step() == IDLE and s.bot.gunner.starts == 1


def test_it_stands_by_while_the_slave_places():
    s = master(3, BotsSeat)
    assert s.bot.step() == IDLE and s.sent() == ""


def test_a_fleet_that_cannot_be_placed_is_said():
    s = slave(2, BotsSeat)
    s.player.fleet.protocol(6, 1, 2, 5, 10)
    s.player.field.reset(s.player.fleet)
    done = BUSY
    steps = 0
    while done == BUSY and steps < 200000:
        done = s.bot.step()
        steps += 1
    assert done == STUCK


def test_it_shoots_when_it_is_its_turn_and_once():
    s = ready_to_shoot()
    said = s.acts()
    assert said[:2] == "C0" and len(said) == 8
    assert s.acts() == ""
    s.hear("0C")
    assert s.acts() == "" and not s.link.my_turn


def test_after_a_hit_it_shoots_another_cell():
    s = ready_to_shoot()
    first = s.acts()
    s.hear("2C")
    assert s.acts() == ""
    second = s.ticks(2, s.alive())
    assert second[:2] == "C0" and second != first


def test_every_shot_is_aimed_for_and_goes_where_the_gunner_says():
    s = ready_to_shoot()
    s.shoots_at([0, 35, 20])
    assert s.acts() == "C0 01 01"
    s.hear("2C")
    s.acts()
    assert s.ticks(2, s.alive()) == "C0 06 06"
    assert s.bot.gunner.starts == 2
    # While it is not its turn it aims at nothing, and forgets what it was at.
    s.hear("0C")
    assert s.acts() == "" and s.bot.gunner.starts == 2
    water = [c for c in range(36) if not s.player.field.ship[c]][0]
    assert s.hear("C0 %02X %02X" % (water % 6 + 1, water // 6 + 1)) == "0C"
    assert s.acts() == "C0 03 04"
    assert s.bot.gunner.starts == 3


def test_a_cell_that_was_found_for_one_game_is_not_shot_at_in_the_next():
    s = ready_to_shoot()
    s.shoots_at([7, 8])
    while s.bot.cell < 0:
        assert s.bot.step() == BUSY
    s.hear("A6")
    assert s.acts() == "A5"
    s.hear("5A")
    s.acts()
    s.hear(ECHO)
    s.hear("2A")
    s.hear("3B")
    s.acts()
    s.hear("3A")
    s.hear("A4")
    assert s.acts() == "C0 03 02" and s.bot.gunner.starts == 2


def test_an_aim_that_was_cut_short_begins_anew():
    s = ready_to_shoot()
    assert s.bot.step() == BUSY
    s.hear("A6")
    assert s.acts() == "A5"
    s.hear("5A")
    assert s.acts() == PARAMS
    s.hear(ECHO)
    s.hear("2A")
    s.hear("3B")
    assert s.acts() == "A3"
    s.hear("3A")
    s.hear("A4")
    assert s.acts()[:2] == "C0"


def test_a_master_begins_another_game_and_a_slave_waits_for_it():
    s = master(9, BotsSeat)
    assert s.acts() == "A5"
    s.hear("5A")
    assert s.acts() == PARAMS
    assert slave(9, BotsSeat).acts() == ""


def test_after_so_many_games_it_says_goodbye():
    for s in (master(9, BotsSeat), slave(9, BotsSeat)):
        s.bot.games = 1
        assert s.acts() == "A7"
        assert s.bot.played == 1
        s.acts()
        assert s.bot.played == 1
        s.hear("7A")
        assert s.link.closed and s.bot.step() == IDLE


def test_held_it_counts_the_game_and_waits():
    s = master(9, BotsSeat)
    s.bot.held = True
    assert s.acts() == "" and s.bot.played == 1
    s.bot.held = False
    assert s.acts() == "A5" and s.bot.played == 1


def test_held_after_its_last_game_it_leaves_when_the_peer_has_left():
    s = master(9, BotsSeat)
    s.bot.games = 1
    s.bot.held = True
    assert s.acts() == ""
    assert s.hear("A7") == "7A" and s.link.state == 0
    assert s.acts() == "" and s.link.closed


def test_games_are_counted_one_by_one():
    s = master(9, BotsSeat)
    s.bot.games = 2
    assert s.acts() == "A5"
    assert s.bot.played == 1
    s.hear("5A")
    s.acts()
    s.hear(ECHO)
    s.hear("2A")
    s.hear("3B")
    calm(s)
    assert s.acts() == "A3"
    s.hear("3A")
    assert s.hear("A6") == "6A"
    assert s.acts() == "A7" and s.bot.played == 2


def test_a_key_that_is_awaited_is_left_to_the_owner():
    s = ready_to_shoot()
    assert s.hear("A8") == "8A"
    assert s.link.key_awaited
    assert s.bot.step() == IDLE and s.sent() == ""
    assert s.link.key_awaited
    for state in (1, 2):
        s = master(state, BotsSeat)
        s.ticks(70)
        assert s.link.hung
        assert s.bot.step() == IDLE and s.sent() == ""
        # It has not begun anything either: what was missing comes, and only then it goes on.
        s.hear("01")
        assert not s.link.hung and s.sent() == ""
        assert s.acts() == (PARAMS if state == 1 else "A3")


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


def test_thinking_at_once_about_a_fleet_that_cannot_be_placed_ends_too():
    s = slave(2, BotsSeat)
    s.player.fleet.protocol(6, 1, 2, 5, 10)
    s.player.field.reset(s.player.fleet)
    assert s.bot.step() == BUSY
    s.bot.think()
    assert s.bot.step() == STUCK


def test_it_can_take_over_in_the_middle_of_a_game():
    s = ready_to_shoot()
    s.bot = Bot(s.player, Names([7]), 1, OFFER)
    assert s.acts() == "C0 02 02"
    s.hear("A6")
    assert s.acts() == "A7" and s.bot.played == 1


def test_before_anybody_is_met_there_is_nothing_to_do():
    s = BotsSeat(wire.SLAVE)
    assert s.bot.step() == IDLE and s.sent() == ""


def test_two_of_them_play_games_to_their_ends():
    games = Games(5, HUNT, OFFER)
    assert games.play(6, 20000)
    assert games.agree() and games.master.won + games.master.lost == 6


def test_its_codes_are_apart():
    assert len({IDLE, BUSY, STUCK}) == 3 and L.DONE == 0
