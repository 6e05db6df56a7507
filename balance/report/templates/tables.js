// A cell sorts by the number at its start, otherwise by its text. Empty cells come last.
const [DECIMAL, GROUP] = ["decimal", "group"].map((type) =>
  new Intl.NumberFormat(LANGUAGE.code).formatToParts(123456.7).find((part) => part.type === type).value);
const keyOf = (row, column) => {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text.replace(/^(<|p =|p)\s*/, "").replace("−", "-").replaceAll(GROUP, "").replace(DECIMAL, "."));
  return text === "–" ? null : Number.isNaN(number) ? text : number;
};
const compare = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
const sortRows = (table, column) => {
  const heads = [...table.tHead.rows[0].cells];
  const down = heads[column].getAttribute("aria-sort") === "ascending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const keyed = [...table.tBodies[0].rows].map((row) => [keyOf(row, column), row]);
  keyed.sort(([a], [b]) => a === null ? (b === null ? 0 : 1) : b === null ? -1 : compare(a, b) * (down ? -1 : 1));
  table.tBodies[0].append(...keyed.map(([, row]) => row));
};
// Show the rows of the chosen variants: the search results if there is a search, otherwise all rows or the FEW most
// important. In a table that the reader has sorted, the FEW are the first rows.
const showRows = (box) => {
  const rows = [...box.querySelectorAll("tbody tr")].filter((row) => !row.classList.contains("other"));
  const all = box.querySelector(".all");
  if (all) {
    const words = box.querySelector("input").value.trim().toLowerCase();
    const found = rows.filter((row) => row.textContent.toLowerCase().includes(words));
    const whole = words || all.getAttribute("aria-expanded") === "true";
    const ranked = box.querySelector("[aria-sort]") ? found : [...found].sort((a, b) => a.dataset.rank - b.dataset.rank);
    const shown = new Set(whole ? found : ranked.slice(0, FEW));
    // In print, only the first PRINTED of these rows are shown.
    const late = new Set(whole ? [] : ranked.slice(PRINTED));
    rows.forEach((row) => { row.hidden = !shown.has(row); row.classList.toggle("late", late.has(row)); });
    all.hidden = Boolean(words) || rows.length <= FEW;
    all.textContent = whole ? tr("fewer rows") : trn("all {n} row", "all {n} rows", rows.length);
  }
  const scroll = box.querySelector(".scroll");
  box.querySelector(".hint").hidden = scroll.scrollWidth <= scroll.clientWidth + 1;
};
const tables = [...document.querySelectorAll(".table")];
const showTables = () => tables.forEach(showRows);
const unzip = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).blob();
};
for (const box of tables) {
  const table = box.querySelector("table");
  [...table.tHead.rows[0].cells].forEach((head, column) =>
    head.firstElementChild.addEventListener("click", () => { sortRows(table, column); showRows(box); }));
  box.querySelector("input")?.addEventListener("input", () => showRows(box));
  box.querySelector(".all")?.addEventListener("click", ({ target }) => {
    target.setAttribute("aria-expanded", target.getAttribute("aria-expanded") !== "true");
    showRows(box);
  });
  box.querySelector(".csv").addEventListener("click", async ({ target }) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await unzip(target.dataset.zip));
    link.download = target.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}
addEventListener("resize", showTables);
document.querySelectorAll(".folded").forEach((fold) => fold.addEventListener("toggle", showTables));
