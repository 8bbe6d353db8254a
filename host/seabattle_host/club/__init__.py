"""The club: players come by serial port, TCP or websocket, wait in a queue, are paired, and play over protocol v1.0.

lobby.py      the club as a whole: sessions, queue, games, and the clock
session.py    one connection: greeting, syncs, nick, chat
role_finder.py the role in which the club meets a peer
matchmaker.py the queue: who plays whom, and when a computer comes
tournament.py rounds, pairs and table of a tournament
pairing.py    brings a master and a slave to the same state and hands them over to each other
relay.py      passes bytes between master and slave, watches them, decides the game
endpoint.py   the interface between a relay and its sessions
move_clock.py whose move a game waits for, and for how long
notice.py     messages of the club to players in a relay
line.py       lines to peers: TCP, serial port, inside this process
limits.py     what the club tolerates from a connection
accounts.py   player identities: IDs, nicks, PINs
pins.py       hashing PINs, slowing down guesses
names.py      names that look alike
computers.py  the club's own players
store.py      players, games, moves and captures in SQLite
ratings.py    ratings from results, by glicko2.py
conduct.py    players who leave, stall or break the protocol
chat_orders.py chat commands of waiting players
admin.py      administration by the operator, with the club open or closed
metrics.py    metrics for Prometheus
wording.py    addresses and results in words
web.py        the page (page/), and the websocket for boards and programs
play_page.py  the websocket for players at the page
browser_player.py a player at the page: browser_orders.py its orders, browser_view.py its view
page_boards.py virtual boards for the page
forwarded.py  client address and public URL of a request, also behind a reverse proxy
"""
