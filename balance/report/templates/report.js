// Each chapter has one switch. Content about the chosen variant and about the first variant is shown, the rest hidden.
const chapters = [...document.querySelectorAll(".chapter")];
const choose = (chapter, name) => {
  const inputs = [...chapter.querySelectorAll(".switch input")];
  if (!inputs.some((input) => input.value === name)) return false;
  inputs.forEach((input) => { input.checked = input.value === name; });
  const baseline = inputs[0].value;
  for (const each of chapter.querySelectorAll("[data-of]"))
    each.classList.toggle("other", each.dataset.of !== name && each.dataset.of !== baseline);
  showTables();
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
const open = () => { for (let each = document.getElementById(named()); each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true; };
const arrive = () => { open(); document.getElementById(named())?.scrollIntoView(); };
addEventListener("hashchange", () => { follow(); arrive(); });
follow();
if (named()) arrive();
showTables();
