// Controls for rule keys, and the messages of the server. Text from users is only ever set as text.

const find = (selector, root = document) => root.querySelector(selector);
const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const WAIT = 90, WIDEST = 100;  // milliseconds, and the longest range of a slider
const OF_DATA = ["name", "title", "description", "source", "reconstruction", "extends"];

async function post(action, body = {}) {
  const answer = await fetch(`do/${action}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const data = await answer.json().catch(() => ({ error: tr("the server refused this") }));
  if (!answer.ok) throw new Error(data.error);
  return data;
}

function say(text, wrong = false) {
  const place = find("#said");
  place.textContent = text;
  place.classList.toggle("wrong", wrong);
}

async function ask(action, body, done) {
  try {
    const answer = await post(action, body);
    say(done ? done(answer) : "");
  } catch (error) { say(error.message, true); }
}

// Values in TOML, for the text field that every key has.
function toToml(value) {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (isTable(value)) return `{ ${Object.entries(value).map(([key, each]) => `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${toToml(each)}`).join(", ")} }`;
  return JSON.stringify(value);
}

class Field {
  // One rule key: its meaning, range and base value, and a control that fits its value.
  constructor(key, about) {
    Object.assign(this, { key, about, value: key.start, accepted: key.start, asText: false, timer: 0, dragging: false, sent: 0 });
    this.body = make("div", { className: "control" });
    this.error = make("p", { className: "wrong", hidden: true, id: `wrong-${key.key}` });
    this.error.setAttribute("role", "alert");
    this.back = make("button", { type: "button", className: "quiet", textContent: "↺", title: tr("Back to the start value"), hidden: true });
    this.back.setAttribute("aria-label", tr("Back to the start value of {key}", { key: key.key }));
    this.back.onclick = () => { this.asText = false; this.send("reset", {}); };
    const text = make("button", { type: "button", className: "quiet", textContent: "TOML", title: tr("Write the value as TOML") });
    text.onclick = () => { this.asText = !this.asText; this.draw(); };
    const isBy = (name) => key.by.includes(name);
    const by = isBy("players") && isBy("seat") ? tr("by player count or seat") : isBy("players") ? tr("by player count") : isBy("seat") ? tr("by seat") : "";
    this.root = make("div", { className: "rule" },
      make("p", { className: "head" }, make("code", { textContent: key.key }), this.back, text),
      make("p", { className: "meaning", textContent: key.meaning }),
      this.body, this.error,
      make("p", { className: "range" }, `${[key.allowed, by].filter(Boolean).join("; ")}; ${tr("base")} `, make("b", { textContent: this.short(key.base) })));
    this.root.dataset.key = key.key;
    this.draw();
  }

  short(value) {
    const text = isTable(value) && Object.values(value).every((each) => !isTable(each))
      ? Object.entries(value).map(([key, each]) => `${key}: ${Array.isArray(each) ? each.join(" ") : each}`).join(", ")
      : Array.isArray(value) && !value.some((each) => typeof each === "object") ? value.join(" ") : toToml(value);
    return text.length > 90 ? `${text.slice(0, 88)}…` : text;
  }

  show(value) {
    const changed = !same(value, this.key.start);
    this.root.classList.toggle("changed", changed);
    this.back.hidden = !changed;
    const news = !same(value, this.accepted);
    this.accepted = value;
    // A refused value stays in its field, with the reason, until it is right or the key changes elsewhere.
    if (same(value, this.value) || (!news && this.root.classList.contains("is-wrong"))) return;
    this.value = value;
    if (!this.body.contains(document.activeElement) || !this.sent) this.draw();
  }

  commit(value, now = false) {
    // Several changes within a moment are sent as one.
    const continues = this.dragging;
    clearTimeout(this.timer);
    this.value = value;
    this.timer = setTimeout(() => this.send("set", { value, continues }), now ? 0 : WAIT);
  }

  async send(action, body) {
    this.sent += 1;
    const number = this.sent;
    try {
      await post(action, { key: this.key.key, ...body });
      if (number === this.sent) this.wrong("");
      if (action === "set" && "value" in body && this.wantsDrag) this.dragging = true;
      if (action === "reset") { this.value = this.key.start; this.draw(); }
    } catch (error) { if (number === this.sent) this.wrong(error.message); }
  }

  wrong(text) {
    this.error.textContent = text;
    this.error.hidden = !text;
    this.root.classList.toggle("is-wrong", Boolean(text));
    for (const input of this.body.querySelectorAll("input, select, textarea")) {
      input.toggleAttribute("aria-invalid", Boolean(text));
      if (text) input.setAttribute("aria-describedby", this.error.id);
      else input.removeAttribute("aria-describedby");
    }
  }

  draw() {
    this.wrong("");
    const value = structuredClone(this.value);
    this.shownList = Array.isArray(value) && value.length === this.about.counts.length ? value : null;
    this.body.replaceChildren(this.asText ? this.text() : this.key.table ? this.file() : this.control(value, (next) => this.commit(next), this.key.key));
  }

  control(value, commit, label) {
    const { key, about } = this;
    if (value !== null && value === this.shownList && key.by.join() === "players") return this.byCount(value, commit, label);
    if (Array.isArray(value)) return value.some(isTable) ? this.rows(value, commit) : this.list(value, commit, label);
    if (isTable(value)) {
      const counts = Object.keys(value).every((each) => about.counts.includes(Number(each)));
      return make("div", { className: "by" }, ...Object.entries(value).map(([name, each]) => {
        const inner = this.control(each, (next) => commit({ ...value, [name]: (value[name] = next) }), counts ? trn("{label}, {n} player", "{label}, {n} players", Number(name), { label }) : `${label}, ${name}`);
        const idle = counts && !about.players.includes(Number(name));
        return make("label", { className: idle ? "one idle" : "one", title: idle ? tr("this player count is not played") : "" },
          make("span", { className: "of", textContent: counts ? tr("{n}p", { n: name }) : name }), inner);
      }));
    }
    if (typeof value === "boolean") {
      const box = make("input", { type: "checkbox", checked: value });
      box.setAttribute("aria-label", label);
      box.onchange = () => commit(box.checked);
      return box;
    }
    if (key.choices.length && key.choices.includes(value) && key.least === null) return this.choose(value, key.choices, commit, label);
    if (typeof value === "number") return this.number(value, commit, label);
    const input = make("input", { type: "text", value: value ?? "", spellcheck: false });
    input.setAttribute("aria-label", label);
    input.onchange = () => commit(input.value);
    return input;
  }

  byCount(value, commit, label) {
    // A list with a value for each player count.
    return make("div", { className: "by" }, ...value.map((each, place) => make("label", { className: "one" },
      make("span", { className: "of", textContent: tr("{n}p", { n: this.about.counts[place] }) }),
      this.control(each, (next) => { value[place] = next; commit([...value]); }, trn("{label}, {n} player", "{label}, {n} players", this.about.counts[place], { label })))));
  }

  choose(value, choices, commit, label) {
    const select = make("select", {}, ...choices.map((each) => make("option", { value: JSON.stringify(each), textContent: String(each), selected: each === value })));
    select.setAttribute("aria-label", label);
    select.onchange = () => commit(JSON.parse(select.value));
    return select;
  }

  number(value, commit, label) {
    const { least, most } = this.key, whole = Number.isInteger(value);
    const input = make("input", { type: "number", value, step: whole ? 1 : "any" });
    if (least !== null) input.min = least;
    if (most !== null) input.max = most;
    input.setAttribute("aria-label", label);
    input.oninput = () => { if (input.value !== "") { commit(Number(input.value)); if (slider) slider.value = input.value; } };
    let slider = null;
    const parts = [input];
    if (!Array.isArray(this.value) && least !== null && most !== null && most - least <= WIDEST && most - least > 1) {
      slider = make("input", { type: "range", min: least, max: most, step: whole ? 1 : "any", value });
      slider.setAttribute("aria-label", tr("{label}, slider", { label }));
      slider.oninput = () => { this.wantsDrag = true; input.value = slider.value; commit(Number(slider.value)); };
      slider.onchange = () => { this.wantsDrag = this.dragging = false; };
      parts.unshift(slider);
    }
    if (this.key.by.includes("seat") && typeof this.value === "number") {
      const split = make("button", { type: "button", className: "quiet", textContent: tr("by seat") });
      split.onclick = () => {
        const seats = (count) => Array(count).fill(value);
        this.value = this.key.by.includes("players")
          ? Object.fromEntries(this.about.counts.map((count) => [String(count), seats(count)])) : seats(Math.max(...this.about.counts));
        this.draw();
      };
      parts.push(split);
    }
    return make("span", { className: "number-of" }, ...parts);
  }

  list(value, commit, label) {
    const items = [...value], box = make("span", { className: value.some(Array.isArray) ? "list of-lists" : "list" });
    const change = (next) => { commit(next); this.draw(); };
    items.forEach((each, place) => {
      const item = this.control(each, (next) => { items[place] = next; commit([...items]); }, `${label}, ${place + 1}`);
      const less = make("button", { type: "button", className: "quiet", textContent: Array.isArray(each) ? tr("× row") : "×", title: tr("Remove") });
      less.setAttribute("aria-label", tr("Remove {label}, {n}", { label, n: place + 1 }));
      less.onclick = () => change(items.filter((_, at) => at !== place));
      box.append(make("span", { className: "item" }, item, less));
    });
    const more = make("button", { type: "button", className: "quiet", textContent: value.some(Array.isArray) ? tr("+ row") : "+", title: tr("Add") });
    more.setAttribute("aria-label", tr("Add to {label}", { label }));
    more.onclick = () => change([...items, items.length ? structuredClone(items.at(-1)) : this.key.least ?? this.key.choices[0] ?? 0]);
    box.append(more);
    return box;
  }

  text() {
    const input = make("textarea", { value: toToml(this.value), rows: 3, spellcheck: false });
    input.setAttribute("aria-label", tr("{key} as TOML", { key: this.key.key }));
    input.onchange = () => this.send("set", { toml: input.value.trim().replace(/\s*\n\s*/g, " ") });
    return input;
  }

  file() {
    // A table in its own file, such as a deck: a shipped one, or its rows to be changed.
    const own = isTable(this.value), name = own ? "" : this.value;
    const select = make("select", {}, ...[...this.key.choices, ...(this.key.choices.includes(name) || own ? [] : [name])].map((each) => make("option", { value: each, textContent: each, selected: each === name })));
    if (own) select.prepend(make("option", { value: "", textContent: tr("changed here"), selected: true }));
    select.setAttribute("aria-label", this.key.key);
    select.onchange = () => { if (select.value) { this.value = select.value; this.commit(select.value, true); this.draw(); } };
    const box = make("div", {}, select);
    if (!own) {
      const edit = make("button", { type: "button", className: "quiet", textContent: this.key.rows.length ? tr("change {rows}", { rows: this.key.rows.join(", ") }) : tr("change it") });
      edit.onclick = async () => {
        try { this.value = (await post("contents", { key: this.key.key })).value; this.draw(); } catch (error) { this.wrong(error.message); }
      };
      box.append(edit);
    } else for (const [part, value] of Object.entries(structuredClone(this.value))) {
      if (OF_DATA.includes(part)) continue;
      const commit = (next) => this.commit({ ...this.value, [part]: next });
      const inner = Array.isArray(value) && value.some(isTable) ? this.rows(value, commit) : this.control(value, commit, `${this.key.key}, ${part}`);
      box.append(make("p", { className: "of", textContent: part.replaceAll("_", " ") }), inner);
    }
    return box;
  }

  rows(rows, commit) {
    const names = [...new Set(rows.flatMap((row) => (isTable(row) ? Object.keys(row) : [])))];
    const kinds = Object.fromEntries(names.map((name) => [name, typeof rows.find((row) => name in row)[name]]));
    const table = make("table", { className: "rows" }), body = make("tbody");
    const change = (next) => { rows.splice(0, rows.length, ...next); commit([...rows]); };
    table.append(make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { textContent: name })), make("th"))), body);
    rows.forEach((row, place) => {
      const cells = names.map((name) => {
        const shown = row[name] === undefined ? "" : typeof row[name] === "object" ? JSON.stringify(row[name]) : String(row[name]);
        const input = make("input", { type: "text", value: shown, size: Math.max(3, Math.min(18, shown.length + 1)), spellcheck: false });
        input.setAttribute("aria-label", tr("{column} of row {n}", { column: name, n: place + 1 }));
        input.onchange = () => {
          const next = { ...rows[place] };
          try {
            if (input.value.trim() === "") delete next[name];
            else next[name] = this.read(input.value.trim(), kinds[name]);
          } catch { this.wrong(tr("{column}: {value} is not a list [1, 2] or a table {example}", { column: name, value: input.value, example: '{"ducats": 2}' })); return; }
          change(rows.map((each, at) => (at === place ? next : each)));
        };
        return make("td", {}, input);
      });
      const less = make("button", { type: "button", className: "quiet", textContent: "×", title: tr("Remove this row") });
      less.setAttribute("aria-label", tr("Remove row {n}", { n: place + 1 }));
      less.onclick = () => { change(rows.filter((_, at) => at !== place)); this.draw(); };
      body.append(make("tr", {}, ...cells, make("td", {}, less)));
    });
    const more = make("button", { type: "button", className: "quiet", textContent: tr("+ row") });
    more.onclick = () => {
      const next = structuredClone(rows.at(-1) ?? {});
      for (const name of ["id", "name"]) if (typeof next[name] === "string") next[name] = this.unused(rows.map((row) => row[name]), next[name]);
      change([...rows, next]);
      this.draw();
    };
    return make("div", { className: "scroll" }, table, more);
  }

  unused(taken, name) {
    const stem = name.replace(/_?\d+$/, "");
    for (let number = 2; ; number += 1) if (!taken.includes(`${stem}_${number}`)) return `${stem}_${number}`;
  }

  read(text, kind) {
    if (/^[[{]/.test(text)) return JSON.parse(text);
    if (kind === "boolean" && /^(true|false)$/.test(text)) return text === "true";
    return kind === "number" && text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
  }
}

function build(about) {
  const topics = new Map(), fields = new Map();
  for (const key of about.keys) {
    const topic = key.key.includes(".") ? key.key.split(".")[0] : key.table ? key.key : tr("general");
    if (!topics.has(topic)) topics.set(topic, []);
    const field = new Field(key, about);
    fields.set(key.key, field);
    topics.get(topic).push(field);
  }
  let opened = 0;
  for (const [name, own] of topics) {
    const box = make("details", { open: opened < 24, className: "topic" }, make("summary", {}, name.replaceAll("_", " "), make("small", { textContent: ` ${own.length}` })), ...own.map((field) => field.root));
    opened += own.length;
    find("#topics").append(box);
  }
  const filter = () => {
    const words = find("#search").value.toLowerCase().split(/\s+/).filter(Boolean), only = find("#only").checked;
    let shown = 0;
    for (const box of document.querySelectorAll(".topic")) {
      let here = 0;
      for (const node of box.querySelectorAll(".rule")) {
        const text = node.textContent.toLowerCase();
        node.hidden = !words.every((word) => text.includes(word)) || (only && !node.classList.contains("changed"));
        here += !node.hidden;
      }
      box.hidden = !here;
      if (words.length || only) box.open = true;
      shown += here;
    }
    find("#none").hidden = shown > 0;
  };
  find("#search").oninput = find("#only").onchange = filter;
  return { fields, filter };
}

function tools() {
  const name = find("#name");
  name.onchange = () => ask("rename", { name: name.value });
  for (const action of ["undo", "redo", "clear"]) find(`#${action}`).onclick = () => ask(action, {});
  find("#save").onclick = () => ask("save", {}, (answer) => tr("saved: {path}", answer));
  find("#download").onclick = () => ask("text", {}, (answer) => {
    const link = make("a", { href: URL.createObjectURL(new Blob([answer.text], { type: "application/toml" })), download: answer.file });
    link.click();
    URL.revokeObjectURL(link.href);
    return tr("downloaded: {file}", answer);
  });
  find("#open").onchange = async (event) => {
    const [file] = event.target.files;
    if (file) await ask("open", { text: await file.text(), file: file.name }, () => tr("opened: {file}", { file: file.name }));
    event.target.value = "";
  };
  find("#pool").onchange = (event) => ask("pool", { name: event.target.value });
  find("#baseline").onchange = (event) => ask("baseline", { name: event.target.value });
  find("#stop").onclick = () => ask("stop", {});
  for (const form of document.querySelectorAll("form[data-job]")) form.onsubmit = (event) => {
    event.preventDefault();
    ask("job", { name: form.dataset.job, ...Object.fromEntries(new FormData(form)) });
  };
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || /^(text|search|number)$/.test(event.target.type ?? "") || event.target.tagName === "TEXTAREA") return;
    event.preventDefault();
    ask(event.shiftKey ? "redo" : "undo", {});
  });
}

function fill(about) {
  for (const select of document.querySelectorAll('select[name="measure"]'))
    select.append(...about.measures.map(([value, label]) => make("option", { value, textContent: label })));
  find('select[name="key"]').append(...about.keys.filter((key) => key.number).map((key) => make("option", { value: key.key, textContent: key.key })));
}

function show(state, { fields, filter }) {
  const name = find("#name");
  if (document.activeElement !== name) name.value = state.name;
  find("#start").textContent = tr("starts from {variant}", { variant: state.start });
  find("#undo").disabled = !state.undo;
  find("#redo").disabled = !state.redo;
  const changed = Object.keys(state.values).length;
  find("#clear").disabled = !changed;
  find("#count").textContent = changed ? `(${changed})` : "";
  find("#note").textContent = state.note;
  find("#note").hidden = !state.note;
  const choose = (select, names, chosen) => select.replaceChildren(...names.map((each) => make("option", { value: each, textContent: each, selected: each === chosen })));
  choose(find("#pool"), state.pools, state.pool);
  choose(find("#baseline"), state.baselines, state.baseline);
  for (const [key, field] of fields) field.show(key in state.values ? state.values[key] : field.key.start);
  if (find("#only").checked) filter();
}

function listen(page) {
  const source = new EventSource("events"), on = (topic, act) => source.addEventListener(topic, (event) => act(JSON.parse(event.data)));
  source.onopen = () => { find("#lost").hidden = true; };
  source.onerror = () => { find("#lost").hidden = false; };
  if (page) {
    on("state", (state) => show(state, page));
    on("result", (result) => {
      find("#grid").innerHTML = result.grid;
      find("#figures").innerHTML = result.details;
      document.body.dataset.games = result.games;
      document.body.dataset.seconds = result.seconds;
    });
    on("status", (status) => {
      find("#doing").textContent = status.text;
      find("#status").classList.toggle("busy", status.busy);
      find("#stop").hidden = !status.busy;
      find("#failed").textContent = status.error;
      find("#failed").hidden = !status.error;
    });
    on("job", (job) => { find(`#${job.name}`).innerHTML = job.html; });
  }
  on("runs", (runs) => { if (find("#runs")) find("#runs").innerHTML = runs.html; });
}

addEventListener("DOMContentLoaded", async () => {
  addEventListener("click", async (event) => {
    const { game, report } = event.target.dataset ?? {};
    if (game) await ask("game", { name: game }, () => { location.reload(); return ""; });
    if (report) {
      event.target.disabled = true;
      try { event.target.replaceWith(make("a", { href: (await post("report", { run: report })).page, target: "_blank", rel: "noopener", textContent: tr("Report") })); } catch (error) { event.target.replaceWith(error.message); }
    }
  });
  const about = await (await fetch("about")).json();
  if (!about.keys) { listen(null); return; }
  const page = build(about);
  fill(about);
  tools();
  listen(page);
});
