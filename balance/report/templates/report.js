"use strict";
// A cell sorts by the number it begins with, else by its text; empty cells come last.
const keyOf = (row, column) => {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text.replace(/^(<|p =|p)\s*/, "").replace(/,/g, ""));
  return text === "–" ? null : Number.isNaN(number) ? text : number;
};
const compare = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [keyOf(row, column), row]);
    keyed.sort(([a], [b]) => a === null ? (b === null ? 0 : 1) : b === null ? -1 : compare(a, b) * (down ? -1 : 1));
    body.append(...keyed.map(([, row]) => row));
  }));
}
// One switch a chapter: what is about a variant is shown if it is the chosen one, or the first, which stands beside it.
const chapters = [...document.querySelectorAll(".chapter")];
const choose = (chapter, name) => {
  const inputs = [...chapter.querySelectorAll(".switch input")];
  if (!inputs.some((input) => input.value === name)) return false;
  inputs.forEach((input) => { input.checked = input.value === name; });
  const beside = inputs[0].value;
  for (const each of chapter.querySelectorAll("[data-of]"))
    each.hidden = each.dataset.of !== name && each.dataset.of !== beside;
  return true;
};
const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
const follow = () => { const name = named(); if (!document.getElementById(name)) chapters.forEach((chapter) => choose(chapter, name)); };
for (const chapter of chapters) {
  const form = chapter.querySelector(".switch");
  if (!form) continue;
  choose(chapter, form.dataset.first);
  form.addEventListener("change", (event) => {
    choose(chapter, event.target.value);
    history.replaceState(null, "", "#" + encodeURIComponent(event.target.value));
  });
  for (const link of chapter.querySelectorAll(".grid a[data-pick]"))
    link.addEventListener("click", () => choose(chapter, link.dataset.pick));
}
for (const link of document.querySelectorAll(".bar nav a"))
  link.addEventListener("click", () => { link.closest("details").open = false; });
addEventListener("hashchange", follow);
follow();
