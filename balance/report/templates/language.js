// Messages in the language of the page; forms with a number are in the order of the plural categories.
const ORDER = ["zero", "one", "two", "few", "many", "other"];
const plurals = new Intl.PluralRules(LANGUAGE.code);
const categories = ORDER.filter((name) => plurals.resolvedOptions().pluralCategories.includes(name));
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
const number = (value) => new Intl.NumberFormat(LANGUAGE.code, { useGrouping: false }).format(value);
const tr = (message, values = {}) => filled(LANGUAGE.texts[message] ?? message, values);
const trn = (one, many, n, values = {}) => {
  const forms = LANGUAGE.texts[one] ?? [one, many];
  return filled(forms[Math.min(categories.indexOf(plurals.select(n)), forms.length - 1)], { n, ...values });
};
