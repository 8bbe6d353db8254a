"""The club: players come by serial port, TCP or websocket, wait in a queue, are paired, and play over protocol v1.0.

lobby.py      the club as a whole: its sessions, and the clock
session.py    one connection: greeted by the protocol itself, kept in sync, its nick taken, talked to
greeting.py   the role in which the club meets a peer
matching.py   the queue: who plays whom, and when a computer comes
tournament.py rounds, pairs and table of a tournament
pairing.py    a master and a slave are brought to the same state and handed over to each other
relay.py      a master and a slave joined byte for byte, watched; what the game comes to
endpoint.py   one of the two of a relay, as the relay needs it
move_clock.py whose move a game waits for
notice.py     a text of the club's to one of two who are joined
line.py       how bytes come and go: TCP, serial port, the inside of this process
limits.py     what the club puts up with
accounts.py   who a session is: IDs, nicks, PINs
pins.py       PINs, stored and tried
names.py      names that can be taken for one another
computers.py  the club's own players
store.py      players, games, moves and captures in SQLite
ratings.py    ratings from results, by glicko2.py
conduct.py    players who leave, stall or break the protocol
chat_orders.py orders in the chat while a player waits
admin.py      what the operator does to the club, open or closed
metrics.py    figures for Prometheus
wording.py    addresses and results in words
web.py        the page (page/), and the way in for boards and programs by websocket
play_page.py  the way in for people at the page
browser_player.py a player at the page: browser_orders.py what it orders, browser_view.py what it is shown
page_boards.py virtual boards that run for people at the page
origin.py     the address of a request, also behind a reverse proxy
"""
