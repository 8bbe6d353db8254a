"use strict";
// The page of a player of salvo or melee. It shows what the club sends and sends the player's choices: texts, fields
// and choices all come from the club, and no rule of the games is in here.

const $ = (id) => document.getElementById(id);
function kept(name, store = sessionStorage) { try { return store.getItem(name); } catch { return null; } }
function keep(name, value, store = sessionStorage) { try { if (value) store.setItem(name, value); else store.removeItem(name); } catch { /* not allowed here */ } }
function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

let words = {};
let language = kept("language", localStorage) || navigator.language;
let view = { phase: "new" };
let log = [];
let socket = null;
let online = false;
let done = false;
let wait = 500;
let invited = location.hash.slice(1);
let marked = new Set(); // cells of the salvo
let ghost = 0; // the ship selected for placing
let way = 0;

function open() {
  const url = new URL("party/ws", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  const mine = new WebSocket(url);
  socket = mine;
  mine.onopen = () => {
    online = true;
    wait = 500;
    log = [];
    send({ do: "language", language, key: kept("party") });
  };
  mine.onmessage = (message) => { if (socket === mine) take(JSON.parse(message.data)); };
  mine.onclose = () => {
    if (socket !== mine) return;
    online = false;
    if (!done) { setTimeout(() => { if (socket === mine) open(); }, wait); wait = Math.min(5000, wait * 2); }
    show();
  };
}
function choose(order) { send({ ...order, n: view.want.n }); }
function send(order) { if (online) socket.send(JSON.stringify(order)); }

function take(told) {
  if (told.words) { words = told.words; language = told.language; label(told); }
  if (told.phase === "elsewhere") done = true;
  const before = view;
  if (told.phase === "lobby" || told.code !== before.code || told.phase === "playing" && before.phase !== "playing") { log = []; marked.clear(); }
  keep("party", told.key || (told.phase === "elsewhere" ? kept("party") : null));
  if (told.code) { invited = ""; history.replaceState(null, "", `#${told.code}`); }
  else if (before.code) history.replaceState(null, "", location.pathname);
  view = told;
  const fresh = told.log || [];
  log.push(...fresh);
  const want = told.want;
  if (!want || want.shots < 2) marked.clear();
  ghost = want ? Math.min(ghost, Math.max(0, want.ghosts.length - 1)) : 0;
  way = want && want.ghosts.length ? way % want.ghosts[ghost].ways.length : 0;
  show();
  if (fresh.length) $("said").textContent = fresh.map((line) => line.text).join(". ");
}

function label(told) {
  document.documentElement.lang = language;
  document.title = words.title;
  for (const each of document.querySelectorAll("[data-words]")) each.textContent = words[each.dataset.words];
  $("language").replaceChildren(...Object.entries(told.languages).map(([code, name]) => {
    const option = element("option", name);
    option.value = code;
    option.lang = code;
    return option;
  }));
  $("language").value = language;
}

function show() { keepFocus(render); }

function render() {
  const inside = ["waiting", "playing", "over"].includes(view.phase);
  $("lobby").hidden = view.phase !== "lobby";
  $("game").hidden = !inside;
  const lost = !online && !done && words.lost;
  const trouble = view.phase === "elsewhere" ? words.elsewhere : lost || view.problem || "";
  $("trouble").textContent = trouble;
  $("trouble").hidden = !trouble;
  // without a connection nobody can act: only the end of a game is still true
  const state = lost && view.phase !== "over" ? "" : view.state || "";
  if ($("state").textContent !== state) $("state").textContent = state;
  if (view.phase === "lobby") showLobby();
  if (inside) showGame();
}

function options(select, entries) {
  const now = select.value;
  select.replaceChildren(...entries.map(([value, text]) => { const option = element("option", text); option.value = value; return option; }));
  if (entries.some(([value]) => value === now)) select.value = now;
}

function showLobby() {
  options($("kind"), view.games.map((game) => [game.kind, `${words[`name_${game.kind}`]} (${game.people})`]));
  const level = $("level").value || "sharp";
  options($("level"), Object.entries(view.levels));
  $("level").value = level;
  $("invited").hidden = $("join-invited").hidden = !invited;
  $("choices").hidden = Boolean(invited);
  for (const button of $("open").querySelectorAll("button")) if (button.id !== "join-invited") button.hidden = Boolean(invited);
  $("none").hidden = view.parties.length > 0;
  $("parties").replaceChildren(...view.parties.map((party) => {
    const item = element("li", party.text);
    const button = element("button", words.join);
    button.type = "button";
    button.addEventListener("click", () => join(party.code));
    item.append(button);
    return item;
  }));
}

function join(code) {
  if (!$("open").reportValidity()) return;
  keep("name", $("name").value, localStorage);
  send({ do: "join", name: $("name").value, code });
}

function showGame() {
  const want = view.want;
  $("seats").replaceChildren(...view.seats.map((seat, number) => {
    const extra = [seat.moves ? words.moves : "", seat.here || view.phase === "waiting" ? "" : words.away].filter(Boolean).join(", ");
    return element("li", seat.name + (extra ? ` – ${extra}` : ""), [seat.moves ? "moves" : "", seat.here ? "" : "away", number === view.me ? "me" : ""].join(" "));
  }));
  $("invitation").hidden = view.phase !== "waiting";
  if (view.phase === "waiting" && $("link").dataset.code !== view.code) {
    $("link").dataset.code = view.code;
    $("link").href = $("link").textContent = `${location.href.split("#")[0]}#${view.code}`;
    $("qr").src = `party/qr?code=${encodeURIComponent(view.code)}`;
  }
  showFields(want);
  $("left").textContent = view.left;
  $("legend").textContent = view.fields.length ? view.legend : "";
  const ghosts = want ? want.ghosts : [];
  $("ships-title").hidden = $("ships").hidden = $("turn").hidden = !ghosts.length;
  $("ships").replaceChildren(...ghosts.map((one, number) => {
    const button = element("button", one.label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(number === ghost));
    button.addEventListener("click", () => { ghost = number; show(); });
    return button;
  }));
  $("buttons").replaceChildren(...(want ? want.words : []).map(([word, text]) => {
    const button = element("button", text, word === "ready" ? "main" : "");
    button.type = "button";
    button.dataset.word = word;
    button.addEventListener("click", () => choose({ do: "word", word }));
    return button;
  }));
  $("fire").hidden = !want || want.shots < 2;
  $("fire").disabled = !marked.size;
  for (const each of ["begin", "again", "skip", "surrender"]) $(each).hidden = !view.may[each];
  showLog();
}

function showLog() {
  const mark = `${view.code} ${log.length && log[log.length - 1].n} ${log.length}`;
  if ($("log").dataset.mark === mark) return;
  $("log").dataset.mark = mark;
  $("log").replaceChildren(...log.slice(-200).map((line) => {
    const item = element("li");
    if (line.kind === "chat") item.append(element("b", `${line.name}: `));
    item.append(line.text);
    if (line.kind === "mine") item.className = "mine";
    return item;
  }));
  $("log").scrollTop = $("log").scrollHeight;
}

// Fields.

function busyField(want) {
  if (!want) return -1;
  if (want.ghosts.length || want.removes) return 0;
  return want.shots ? want.field : -1;
}

function showFields(want) {
  const box = $("boards");
  const shape = JSON.stringify(view.fields.map((field) => [field.width, field.height, field.columns]));
  if (box.dataset.shape !== shape) {
    box.dataset.shape = shape;
    box.replaceChildren(...view.fields.map(build));
  }
  const busy = busyField(want);
  view.fields.forEach((field, number) => {
    const part = box.children[number];
    part.firstChild.textContent = field.title;
    part.lastChild.classList.toggle("aimed", online && number === busy);
    field.signs.forEach((sign, cell) => {
      const [text, look, said] = field.looks[sign];
      const td = cellAt(number, cell);
      const chosen = number === busy && marked.has(cell);
      td.className = look + (text.length > 1 ? " long" : "") + (chosen ? " marked" : "");
      td.dataset.text = text;
      const name = `${field.columns[cell % field.width]}${Math.floor(cell / field.width) + 1}, ${said}${chosen ? ", ◎" : ""}`;
      if (td.getAttribute("aria-label") !== name) td.setAttribute("aria-label", name);
    });
  });
}

function cellAt(number, cell) { return $("boards").children[number].querySelector(`td[data-cell="${cell}"]`); }

function build(field, number) {
  const part = element("section");
  const title = element("h2", field.title);
  title.id = `title${number}`;
  const table = element("table");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-labelledby", title.id);
  const group = (tag) => { const made = element(tag); made.setAttribute("role", "rowgroup"); return made; };
  const row = () => { const made = element("tr"); made.setAttribute("role", "row"); return made; };
  const head = row();
  head.append(element("th"));
  head.firstChild.setAttribute("aria-hidden", "true");
  for (const letter of field.columns) { const th = element("th", letter); th.scope = "col"; th.setAttribute("role", "columnheader"); head.append(th); }
  const thead = group("thead"), body = group("tbody");
  thead.append(head);
  for (let y = 0; y < field.height; y++) {
    const line = row();
    const th = element("th", y + 1);
    th.scope = "row";
    th.setAttribute("role", "rowheader");
    line.append(th);
    for (let x = 0; x < field.width; x++) {
      const td = element("td");
      td.setAttribute("role", "gridcell");
      td.tabIndex = x || y ? -1 : 0;
      td.dataset.cell = y * field.width + x;
      line.append(td);
    }
    body.append(line);
  }
  table.append(thead, body);
  table.addEventListener("click", (event) => { const td = event.target.closest("td"); if (td) press(number, Number(td.dataset.cell)); });
  table.addEventListener("keydown", (event) => keys(event, number));
  table.addEventListener("pointerover", (event) => { const td = event.target.closest("td"); if (td) preview(number, Number(td.dataset.cell)); });
  table.addEventListener("focusin", (event) => {
    const now = event.target.closest("td");
    if (!now) return;
    for (const td of table.querySelectorAll('td[tabindex="0"]')) td.tabIndex = -1;
    now.tabIndex = 0;
    preview(number, Number(now.dataset.cell));
  });
  const board = element("div", undefined, field.width > 10 ? "board wide" : "board");
  board.append(table);
  part.append(title, board);
  return part;
}

function press(number, cell) {
  const want = view.want;
  if (!want || number !== busyField(want)) return;
  const field = view.fields[number];
  if (want.removes && view.fields[0].looks[field.signs[cell]][0]) choose({ do: "remove", cell });
  else if (want.ghosts.length) choose({ do: "place", ghost, way, x: cell % field.width, y: Math.floor(cell / field.width) });
  else if (want.shots === 1) choose({ do: "shoot", cells: [cell] });
  else if (want.shots > 1) {
    if (marked.has(cell)) marked.delete(cell);
    else if (marked.size < want.shots && !field.looks[field.signs[cell]][0]) marked.add(cell);
    show();
  }
}

function preview(number, cell) {
  for (const td of $("boards").querySelectorAll(".may")) td.classList.remove("may");
  const want = view.want;
  if (!want || number !== 0 || !want.ghosts.length) return;
  const { width, height } = view.fields[0];
  for (const [dx, dy] of want.ghosts[ghost].ways[way]) {
    const x = cell % width + dx, y = Math.floor(cell / width) + dy;
    if (x >= 0 && x < width && y >= 0 && y < height) cellAt(0, y * width + x).classList.add("may");
  }
}

function turn(cell) {
  const want = view.want;
  if (!want || !want.ghosts.length) return;
  way = (way + 1) % want.ghosts[ghost].ways.length;
  if (cell !== undefined) preview(0, cell);
}

function keys(event, number) {
  const td = event.target.closest("td");
  if (!td || event.ctrlKey || event.altKey || event.metaKey) return;
  const { width, height } = view.fields[number];
  const cell = Number(td.dataset.cell);
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-width, 0], End: [width, 0], PageUp: [0, -height], PageDown: [0, height] };
  const step = steps[event.key];
  if (step) {
    const go = (at, by, most) => Math.max(0, Math.min(most - 1, at + by));
    cellAt(number, go(Math.floor(cell / width), step[1], height) * width + go(cell % width, step[0], width)).focus();
  } else if (event.key === "Enter" || event.key === " ") press(number, cell);
  else if (event.key === "Delete" || event.key === "Backspace") { if (view.want && view.want.removes) choose({ do: "remove", cell }); }
  else if ("rRкК".includes(event.key)) turn(cell);
  else if ("fFаА".includes(event.key) && marked.size) fire();
  else if (view.want && Number(event.key) >= 1 && Number(event.key) <= view.want.ghosts.length) { ghost = Number(event.key) - 1; way = 0; show(); preview(number, cell); }
  else return;
  event.preventDefault();
}

function fire() {
  choose({ do: "shoot", cells: [...marked] });
  marked.clear();
}

// The player's actions.

$("turn").addEventListener("click", () => turn());
$("fire").addEventListener("click", fire);
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => send({ do: button.dataset.do }));
$("surrender").addEventListener("click", () => $("sure").showModal());
$("no").addEventListener("click", () => $("sure").close());
$("yes").addEventListener("click", () => { $("sure").close(); send({ do: "surrender" }); });
$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  if ($("text").value.trim()) send({ do: "chat", text: $("text").value });
  $("text").value = "";
});
$("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const how = invited ? "join" : event.submitter ? event.submitter.value : "open";
  if (how === "join") { join(invited); return; }
  keep("name", $("name").value, localStorage);
  send({ do: "open", name: $("name").value, kind: $("kind").value, level: $("level").value, private: how === "private" });
});
$("language").addEventListener("change", () => {
  language = $("language").value;
  keep("language", language, localStorage);
  send({ do: "language", language });
});
addEventListener("hashchange", () => { if (view.phase === "lobby") { invited = location.hash.slice(1); show(); } });
addEventListener("online", () => { if (!online && !done) open(); });
$("name").value = kept("name", localStorage) || "";
open();
