"use strict";
// Whatever comes from players is inserted as text, never as markup.

const WORDS = wordsOf("club"); // by language

const $ = (id) => document.getElementById(id);
let language = remembered() || spoken(WORDS);
let state = null;
let older = []; // games of the archive loaded in addition to the snapshot's
let away = false;

function remembered() {
  try { const kept = localStorage.getItem("language"); return WORDS[kept] ? kept : null; } catch { return null; }
}

// Rebuild a list only if it has changed, so that what is being read or pressed stays in place.
function fill(parent, key, make) {
  const mark = JSON.stringify([language, key]);
  if (parent.dataset.mark === mark) return;
  parent.dataset.mark = mark;
  parent.replaceChildren(...make());
}

function color(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

// cells: a mark per cell, row by row: . unknown, o miss, x hit, # sunk, - open water; last: column and row from 1.
function draw(canvas, cells, size, last) {
  const look = [cells, last, color("--water")].join();
  if (canvas.dataset.look === look && canvas.width > 1) return;
  const side = Math.max(120, Math.round(canvas.clientWidth * (window.devicePixelRatio || 1)));
  if (canvas.clientWidth) canvas.dataset.look = look;
  canvas.dataset.cells = cells;
  canvas.width = canvas.height = side;
  const g = canvas.getContext("2d");
  const step = side / size;
  const ink = { o: color("--miss"), x: color("--hit"), "#": color("--sunk") };
  g.fillStyle = color("--water");
  g.fillRect(0, 0, side, side);
  for (let i = 0; i < cells.length; i++) {
    const x = (i % size) * step, y = Math.floor(i / size) * step, mark = cells[i];
    if (mark === "-" || mark === "o") { g.fillStyle = color("--open"); g.fillRect(x, y, step, step); }
    if (mark === "-") { g.fillStyle = color("--grid"); dot(g, x, y, step, 0.08); }
    if (mark === "o") { g.fillStyle = ink.o; dot(g, x, y, step, 0.17); }
    if (mark === "#") { g.fillStyle = ink["#"]; g.fillRect(x + step * 0.06, y + step * 0.06, step * 0.88, step * 0.88); }
    if (mark === "s") { g.strokeStyle = color("--ink"); g.lineWidth = Math.max(2, step * 0.1); g.strokeRect(x + step * 0.15, y + step * 0.15, step * 0.7, step * 0.7); }
    if (mark === "x" || mark === "#") {
      g.strokeStyle = mark === "x" ? ink.x : color("--card");
      g.lineWidth = step * 0.14;
      g.beginPath();
      g.moveTo(x + step * 0.25, y + step * 0.25); g.lineTo(x + step * 0.75, y + step * 0.75);
      g.moveTo(x + step * 0.75, y + step * 0.25); g.lineTo(x + step * 0.25, y + step * 0.75);
      g.stroke();
    }
  }
  g.strokeStyle = color("--grid");
  g.lineWidth = Math.max(1, side / 300);
  g.beginPath();
  for (let i = 1; i < size; i++) { g.moveTo(i * step, 0); g.lineTo(i * step, side); g.moveTo(0, i * step); g.lineTo(side, i * step); }
  g.stroke();
  if (last) {
    g.strokeStyle = color("--accent");
    g.lineWidth = Math.max(2, step * 0.12);
    g.strokeRect((last[0] - 1) * step, (last[1] - 1) * step, step, step);
  }
}

function dot(g, x, y, step, part) {
  g.beginPath();
  g.arc(x + step / 2, y + step / 2, step * part, 0, 7);
  g.fill();
}

function pair(parent) {
  for (let side = 0; side < 2; side++) {
    const half = element("div");
    half.append(element("span", "", "who"), document.createElement("canvas"));
    parent.append(half);
  }
}

function showGames() {
  const box = $("games");
  const cards = new Map([...box.children].map((card) => [card.dataset.id, card]));
  for (const game of state.games) {
    let card = cards.get(String(game.id));
    cards.delete(String(game.id));
    if (!card) {
      card = element("article", undefined, "game");
      card.dataset.id = game.id;
      const fields = element("div", undefined, "pair");
      pair(fields);
      card.append(element("p"), fields);
      box.append(card);
    }
    showGame(card, game);
  }
  for (const gone of cards.values()) gone.remove();
}

function showGame(card, game) {
  const stage = w(game.stage) + (game.winner === null ? "" : `: ${game.players[game.winner].name}`);
  card.firstChild.replaceChildren(element("span", `${w("game")} ${game.id}`), element("span", stage, "stage"));
  [...card.lastChild.children].forEach((half, side) => {
    const player = game.players[side];
    half.classList.toggle("turn", game.turn === side);
    const who = element("span", player.name, "who");
    who.append(element("small", `${w(side ? "slave" : "master")}, ${player.rating} ±${player.within}`));
    half.firstChild.replaceWith(who);
    const canvas = half.lastChild;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", w("field")(player.name, game.shots[1 - side], game.hits[1 - side]));
    const last = game.last && game.last[0] !== side ? game.last.slice(1) : null;
    draw(canvas, game.fields[side] || ".".repeat(100), game.size || 10, last);
  });
}

function minutes(seconds) { return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`; }

function show() {
  document.documentElement.lang = language;
  document.title = w("title");
  for (const each of document.querySelectorAll("[data-words]")) each.textContent = w(each.dataset.words);
  $("replay-play").textContent = w(playing ? "stop" : "play");
  $("language").textContent = LANGUAGES[nextLanguage(language)];
  $("language").lang = nextLanguage(language);
  $("sums").classList.toggle("away", away);
  if (!state) { $("sums").textContent = away ? w("away") : ""; return; }
  $("sums").textContent = away ? w("away") : w("sums")(state.here, state.waiting.length, state.games.length);
  showGames();
  $("no-games").hidden = state.games.length > 0;
  $("no-queue").hidden = state.waiting.length > 0;
  $("no-table").hidden = state.table.length > 0;
  $("table").hidden = state.table.length === 0;
  fill($("queue"), state.waiting, () => state.waiting.map((one) => {
    const item = element("li", one.name);
    item.append(element("small", `${one.either ? w("either") : w(one.role)}, ${minutes(one.seconds)}`));
    return item;
  }));
  fill($("table").tBodies[0], state.table, () => state.table.map((one, i) => {
    const row = document.createElement("tr");
    const name = element("td", one.name);
    if (one.computer) name.append(element("small", ` ${w("computer")}`, "faint"));
    const spoiled = ["broke", "left", "stalled"].filter((kind) => one[kind]).map((kind) => `${w(kind)} ${one[kind]}`);
    if (spoiled.length) { name.append(element("br")); name.append(element("small", spoiled.join(", "), "faint")); }
    row.append(element("td", i + 1), name);
    row.append(element("td", `${one.rating} ±${one.within}`));
    for (const key of ["games", "won", "lost"]) row.append(element("td", one[key]));
    return row;
  }));
  showArchive();
}

function showArchive() {
  const newest = state.archive;
  const last = newest.length ? newest[newest.length - 1].id : 0;
  const all = [...newest, ...older.filter((game) => game.id < last)];
  $("no-archive").hidden = all.length > 0;
  $("more").hidden = all.length < 20 || $("more").dataset.end === "yes";
  fill($("archive"), all, () => all.map((game) => {
    const item = document.createElement("li");
    const button = element("button");
    button.type = "button";
    const [one, two] = game.players.map((player) => player.name);
    button.append(element("strong", `${one} - ${two}`), element("small", `${game.id}. ${when(game.started)}, ${result(game)}`));
    button.addEventListener("click", () => openReplay(game.id));
    item.append(button);
    return item;
  }));
}

function when(stamp) {
  const place = navigator.language.startsWith(language) ? navigator.language : language;
  return new Date(stamp).toLocaleString(place, { dateStyle: "short", timeStyle: "short" });
}

function result(game) {
  const how = WORDS[language].endings[game.ending] || game.ending;
  const what = game.winner === null ? `${w("noResult")}: ${how}` : `${w("wins")(game.players[game.winner].name)}: ${how}`;
  return game.winner !== null && !game.counts ? `${what} (${w("free")})` : what;
}

// The replay of a finished game.

let replayed = null;
let playing = 0;

async function openReplay(number) {
  const answer = await fetch(`api/games/${number}`);
  if (!answer.ok) return;
  replayed = await answer.json();
  $("replay-fields").replaceChildren();
  pair($("replay-fields"));
  $("replay-at").max = replayed.moves.length;
  $("replay-at").value = replayed.moves.length;
  if (!$("replay").open) $("replay").showModal();
  history.replaceState(null, "", `#${number}`);
  showReplay();
}

function showReplay() {
  if (!replayed) return;
  const size = replayed.size || 10, at = Number($("replay-at").value);
  $("replay-title").textContent = `${w("game")} ${replayed.game}`;
  $("replay-result").textContent = `${when(replayed.started)}, ${result(replayed)}`;
  const fields = [0, 1].map(() => ".".repeat(size * size).split(""));
  for (const move of replayed.moves.slice(0, at)) mark(fields[1 - move.player], size, move);
  // both fleets, if the club knows them
  replayed.decks.forEach((decks, side) => {
    for (const cell of decks || []) if (fields[side][cell] === "." || fields[side][cell] === "-") fields[side][cell] = "s";
  });
  const last = at ? replayed.moves[at - 1] : null;
  [...$("replay-fields").children].forEach((half, side) => {
    half.firstChild.textContent = replayed.players[side].name;
    draw(half.lastChild, fields[side].join(""), size, last && last.player !== side ? [last.x, last.y] : null);
  });
  const cell = last && columns()[last.x - 1] + last.y;
  $("replay-move").textContent = last
    ? `${at}. ${replayed.players[last.player].name}: ${cell}, ${w(last.result)}` : w("before");
}

function mark(field, size, move) {
  const at = (x, y) => (x < 1 || y < 1 || x > size || y > size ? -1 : (y - 1) * size + x - 1);
  const cell = at(move.x, move.y);
  if (move.result === "miss") field[cell] = "o";
  if (move.result === "hit") field[cell] = "x";
  if (move.result !== "sunk") return;
  const ship = [[move.x, move.y]];
  field[cell] = "#";
  for (const [x, y] of ship) {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const next = at(x + dx, y + dy);
      if (next >= 0 && field[next] === "x") { field[next] = "#"; ship.push([x + dx, y + dy]); }
    }
  }
  for (const [x, y] of ship) {
    for (let dx = -1; dx < 2; dx++) for (let dy = -1; dy < 2; dy++) {
      const next = at(x + dx, y + dy);
      if (next >= 0 && field[next] === ".") field[next] = "-";
    }
  }
}

function stopReplay() {
  clearInterval(playing);
  playing = 0;
  $("replay-play").textContent = w("play");
}

$("replay-at").addEventListener("input", showReplay);
$("replay-close").addEventListener("click", () => $("replay").close());
$("replay").addEventListener("close", () => history.replaceState(null, "", location.pathname));

// A link to a game, #17: a running game is scrolled into view, and replayed once it is over.
let followed = Number(location.hash.slice(1)) || 0;
window.addEventListener("hashchange", () => { followed = Number(location.hash.slice(1)) || 0; follow(); });
function follow() {
  if (!followed || !state) return;
  const card = document.querySelector(`.game[data-id="${followed}"]`);
  if (card && state.games.some((game) => game.id === followed && game.stage !== "finished")) { if (!card.dataset.seen) { card.dataset.seen = "yes"; card.scrollIntoView(); } return; }
  const number = followed;
  followed = 0;
  openReplay(number);
}
$("replay").addEventListener("close", () => { stopReplay(); replayed = null; });
$("replay-play").addEventListener("click", () => {
  if (playing) { stopReplay(); return; }
  const slider = $("replay-at");
  if (slider.value === slider.max) slider.value = 0;
  playing = setInterval(() => {
    slider.value = Number(slider.value) + 1;
    showReplay();
    if (slider.value === slider.max) stopReplay();
  }, 400);
  $("replay-play").textContent = w("stop");
});
$("more").addEventListener("click", async () => {
  const all = [...state.archive, ...older];
  const answer = await fetch(`api/games?before=${Math.min(...all.map((game) => game.id))}`);
  if (!answer.ok) return;
  const found = await answer.json();
  older = [...older, ...found];
  if (!found.length) $("more").dataset.end = "yes";
  show();
});
$("language").addEventListener("click", () => {
  language = nextLanguage(language);
  try { localStorage.setItem("language", language); } catch { /* not remembered then */ }
  show();
  showReplay();
});
window.addEventListener("resize", () => {
  for (const canvas of document.querySelectorAll("canvas")) delete canvas.dataset.look;
  if (state) show();
  showReplay();
});

// redraw the fields in the new colours
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (state) show(); });

const events = new EventSource("events");
events.addEventListener("message", (event) => { state = JSON.parse(event.data); away = false; show(); follow(); });
events.addEventListener("error", () => { away = true; show(); });
show();
