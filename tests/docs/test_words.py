"""The worst words stay out of what users and contributors read."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READ = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(path for path in (ROOT / "balance").rglob("*") if path.suffix in (".py", ".toml", ".jinja")),
]
INSTEAD = {
    "a longer run": "an extended run",
    "anew": "again",
    "are told": "are reported",
    "as many as": "the number",
    "comes of": "results from",
    "for sure": "the interval",
    "fresh decks": "held-out deals",
    "fresh seeds": "held-out seeds",
    "goes on": "continues",
    "hangs on": "depends on",
    "held against": "compared with",
    "is told": "is reported",
    "made longer": "extended",
    "reckoned": "computed",
    "set beside": "compared with",
    "so many": "the number",
    "told of": "reported",
    "turns round": "reverses",
    "whoever": "the player who",
}


def test_plain_words_stand_where_odd_ones_stood():
    """Each word of a short list has a plainer one; names of things in code are no prose."""
    odd = re.compile(rf"\b(?:{'|'.join(INSTEAD)})\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {word.group()!r}, write {INSTEAD[word.group().lower()]!r}"
        for path in READ
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in odd.finditer(line)
    ]
    assert not found, "\n".join(found)
