const byId = (id) => document.getElementById(id);
const { games, rows, rounds, parted, start } = JSON.parse(byId("data").textContent);
const last = rows.length - 1;
const firsts = rounds.map(([number]) => rows.findIndex((row) => row[0] === number));
const roundOf = (at) => rounds.findIndex(([number]) => number === rows[at][0]);
// A row that the next one repeats, such as units placed one by one, has no line of its own in the list.
const saidIn = (row) => JSON.stringify([row[0], ...games.map((game, number) => row[2][number] && game.scenes[row[1][number]].slice(0, 3))]);
const repeats = rows.map((row, at) => at < last && games.length === 1 && saidIn(row) === saidIn(rows[at + 1]));
const shownFrom = (at) => { while (repeats[at]) at += 1; return at; };
const timesAt = (at) => { let first = at; while (first > 0 && repeats[first - 1]) first -= 1; return at - first + 1; };
// For text and for values of attributes, so quotation marks too.
const escaped = (text) => String(text).replace(/[&<>"'`]/g, (each) => `&#${each.charCodeAt(0)};`);
const badge = (seat) => seat < 0 ? "" : `<i class="seat s${seat}"><b>${seat + 1}</b></i>`;
const shown = document.querySelectorAll(".game");
const courses = document.querySelectorAll(".course");
let now = -1, timer = 0;
for (const game of games) {  // a panel similar to an earlier one is stored as its differences
  game.panels.forEach((panel, i, all) => { if ("like" in panel) all[i] = Object.assign([...all[panel.like]], panel.but); });
}

function write(game, [, , , , panels]) {
  let html = "", inTiles = false;
  for (const number of panels) {
    const text = game.panels[number].map((piece) => game.pieces[piece]).join("");
    const tile = text.startsWith('<section class="tile"');
    if (tile !== inTiles) html += tile ? '<div class="tiles">' : "</div>";
    inTiles = tile;
    html += text;
  }
  return html + (inTiles ? "</div>" : "");
}

function sentence(game, [seat, , text, thoughts]) {
  const who = seat < 0 || !game.players[seat] ? "" : `${badge(seat)} <b>${escaped(game.players[seat])}</b> `;
  return who + escaped(text) + (thoughts ? `<small>${escaped(thoughts)}</small>` : "");
}

function draw(svg, game, round) {
  const scores = game.scores, count = Math.max(...games.map((each) => each.scores.length));
  if (!scores.length) return;
  const width = 300, left = 8, right = 250, top = 18, base = 80;
  const every = Math.ceil(count / 10), all = games.flatMap((each) => each.scores.flat());
  const most = Math.max(1, ...all), least = Math.min(0, ...all);
  const x = (k) => left + (right - left) * k / Math.max(1, count);
  const y = (score) => base - (base - top) * (score - least) / (most - least);
  const k = Math.max(1, Math.min(round, scores.length));
  let text = `<path d="M${x(k)} ${top - 4}V${base}" stroke="var(--line)" stroke-width="8"/>`;
  const told = scores[k - 1].map((score, seat) => `<tspan class="s${seat}" font-weight="700" fill="currentColor"> ${seat + 1}: ${number(score)}</tspan>`);
  text += `<text x="0" y="8"><tspan class="muted">${tr("score after round {round}:", { round: k })}</tspan>${told.join(" ·")}</text>`;
  for (let n = 1; n <= count; n += 1) if (n % every === 0 || n === 1)
    text += `<text x="${x(n)}" y="91" text-anchor="middle" class="${n === k ? "" : "muted"}">${n}</text>`;
  const end = scores.at(-1) ?? [];
  const labels = end.map((score, seat) => ({ score, seat, at: y(score) })).sort((a, b) => a.at - b.at);
  labels.forEach((label, i) => { if (i) label.at = Math.max(label.at, labels[i - 1].at + 10); });
  const over = Math.max(0, (labels.at(-1)?.at ?? 0) - base - 4);
  for (const { score, seat, at } of labels) {
    const points = scores.map((row, n) => `${x(n + 1).toFixed(1)},${y(row[seat]).toFixed(1)}`).join(" ");
    text += `<polyline class="s${seat}" fill="none" stroke="currentColor" stroke-width="2" points="${x(0)},${y(0)} ${points}"/>`
      + `<text class="s${seat}" x="${x(scores.length) + 6}" y="${at + 3 - over}" font-weight="700">${seat + 1}: ${number(score)}</text>`;
  }
  svg.setAttribute("viewBox", `0 0 ${width} 94`);
  svg.innerHTML = text;
}

function go(to, quiet) {
  to = Math.max(0, Math.min(last, to));
  if (to === now) return;
  now = to;
  const [round, scenes] = rows[now], name = rounds[roundOf(now)][1];
  games.forEach((game, number) => {
    const scene = game.scenes[scenes[number]], place = shown[number], say = place.querySelector(".say");
    say.className = `say ${scene[1]}`;
    say.innerHTML = `<span><small>${tr("Round {round} of {rounds}", { round, rounds: game.scores.length })}${name ? ` · ${escaped(name)}` : ""}</small>${sentence(game, scene)}</span>`;
    const show = place.querySelector(".show");
    show.innerHTML = write(game, scene);
    if (scene[5] >= 0) show.querySelectorAll("section")[scene[5]]?.classList.add("on");
    draw(courses[number], game, round);
  });
  byId("at").value = now + 1;
  byId("count").textContent = tr("{n} of {all}", { n: now + 1, all: rows.length });
  byId("link").href = `#m${now + 1}`;
  mark();
  if (!quiet) history.replaceState(null, "", `#m${now + 1}`);
}

function mark() {
  const current = roundOf(now), list = byId("moves"), move = list.querySelectorAll("a")[shownFrom(now)];
  document.querySelectorAll("[aria-current]").forEach((each) => each.removeAttribute("aria-current"));
  byId("rounds").children[current].setAttribute("aria-current", "true");
  [...list.children].forEach((each, number) => { each.open = number === current; });
  move.setAttribute("aria-current", "step");
  list.scrollTop += move.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

function list() {
  const one = (game, scene, isNew, more) => isNew
    ? `<span class="one ${scene[1]}"><span>${badge(scene[0])}</span><span>${escaped(scene[2])}${more}</span></span>`
    : "<span></span>";
  const times = (at) => timesAt(at) > 1 ? ` <small>× ${timesAt(at)}</small>` : "";
  const line = (row, at) => `<li${repeats[at] ? ' class="repeated"' : ""}><a href="#m${at + 1}"${at === parted && games.length > 1 ? ' class="parted"' : ""}>`
    + games.map((game, number) => one(game, game.scenes[row[1][number]], row[2][number], times(at))).join("") + "</a></li>";
  const lines = rows.map(line);
  byId("moves").innerHTML = rounds.map(([round, name], i) =>
    `<details><summary>${tr("Round {round}", { round })} <small>${escaped(name)}</small></summary>`
    + `<ol>${lines.slice(firsts[i], firsts[i + 1] ?? rows.length).join("")}</ol></details>`).join("");
  const every = Math.ceil(rounds.length / 12);
  byId("rounds").innerHTML = rounds.map(([number, name], i) =>
    `<a href="#m${firsts[i] + 1}" title="${escaped(name)}" class="${i % every ? "plain" : ""}" style="flex:${(firsts[i + 1] ?? rows.length) - firsts[i]} 1 0">${i % every ? "" : number}</a>`).join("");
}

function stepRound(by) {
  const current = roundOf(now);
  if (by < 0 && now > firsts[current]) go(firsts[current]);
  else go(firsts[current + by] ?? (by < 0 ? 0 : last));
}

function stop() {
  clearInterval(timer);
  timer = 0;
  byId("play").textContent = tr("play");
}

function play() {
  if (timer) return stop();
  if (now === last) go(0);
  timer = setInterval(() => now < last ? go(shownFrom(now + 1)) : stop(), Number(byId("speed").value));
  byId("play").textContent = tr("pause");
}

function nextOutcome() {
  const found = rows.findIndex((row, at) => at > now
    && games.some((game, number) => row[2][number] && game.scenes[row[1][number]][1] === "outcome"));
  if (found >= 0) go(found);
}

list();
byId("back").onclick = () => go(now - 1);
byId("next").onclick = () => go(now + 1);
byId("round-back").onclick = () => stepRound(-1);
byId("round-next").onclick = () => stepRound(1);
byId("play").onclick = play;
byId("speed").onchange = () => { if (timer) { stop(); play(); } };
byId("at").oninput = (event) => go(Number(event.target.value) - 1);
courses.forEach((svg) => {
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect(), count = Math.max(...games.map((each) => each.scores.length));
    const round = Math.round(((event.clientX - box.left) / box.width * 300 - 8) / 242 * count);
    go(firsts[Math.max(0, Math.min(rounds.length - 1, round - 1))]);
  };
});
const KEYS = {
  ArrowRight: () => go(now + 1), ArrowLeft: () => go(now - 1), PageDown: () => stepRound(1), PageUp: () => stepRound(-1),
  Home: () => go(0), End: () => go(last), " ": play, r: nextOutcome, R: nextOutcome,
};
addEventListener("keydown", (event) => {
  const tag = event.target.tagName;
  if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  if (tag === "SELECT" || (tag === "INPUT" && event.key.startsWith("Arrow"))) return;
  if (event.key === " " && ["BUTTON", "SUMMARY", "A"].includes(tag)) return;
  event.preventDefault();
  KEYS[event.key]();
});
const open = () => { const found = location.hash.match(/^#m(\d+)$/); go(found ? Number(found[1]) - 1 : start, true); };
addEventListener("hashchange", open);
addEventListener("beforeprint", () => document.querySelectorAll("#moves details").forEach((each) => { each.open = true; }));
addEventListener("afterprint", mark);
open();
