"""A language that puts every message in « », so that text of a page outside of them is not marked for translation.

python tests/support/pseudo.py RUN [GAME_ID]     print what stands outside on the report of a run, or on a replay
"""

import datetime as dt
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from messages.extract import find_messages  # noqa: E402

from balance.contract.game import Game  # noqa: E402
from balance.experiments.measures import measures_of  # noqa: E402
from balance.foundation.toml import list_leaves  # noqa: E402
from balance.runs.folder import RunFolder  # noqa: E402

_FIELD = re.compile(r"{[^}]*}")
_WORD = re.compile(r"[a-z]{3,}")
_QUIET = ("style", "code", "kbd", "title")
_SHOWN = ("alt", "title", "aria-label", "placeholder")


@cache
def _messages() -> frozenset[str]:
    found = find_messages(ROOT)
    return frozenset(text for message in found for text in (message.text, message.many))


class PseudoLanguage:
    """Every message of the source in « »."""

    code = "en"

    def __init__(self) -> None:
        self._messages = _messages()  # read before any thread asks

    def find(self, message: str, context: str | None = None) -> str:
        return f"«{message}»" if message in self._messages else message

    def find_plural(self, one: str, many: str, n: float) -> str:
        return self.find(one if n == 1 else many)

    def forms(self, one: str, many: str) -> tuple[str, ...]:
        return self.find(one), self.find(many)

    def localize(self, number: str) -> str:
        return number

    def write_date(self, date: dt.date) -> str:
        return date.isoformat()


class _Texts(HTMLParser):
    """The texts of a page: of elements, of the attributes that a reader meets, and of drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._within: list[str] = []
        self._is_data = False
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _QUIET or (tag == "script" and ("type", "application/json") not in attrs):
            self._within.append(tag)
        self._is_data = tag == "script" and not self._within
        for name, value in attrs:
            if value and name in _SHOWN:
                self.found.append(value)
            elif value and name == "src" and value.startswith("data:image/svg+xml,"):
                self.found += texts_of(unquote(value.partition(",")[2]))

    def handle_endtag(self, tag: str) -> None:
        self._is_data = False
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.found += _texts_in(json.loads(data))
        elif not self._within and data.strip():
            self.found.append("«" * self._depth + " ".join(data.split()))
            self._depth += data.count("«") - data.count("»")  # a message may hold elements


def _texts_in(data: object) -> list[str]:
    """Return the texts of a replay's data: sentences, and pieces of panels in HTML."""
    if isinstance(data, str):
        return texts_of(data)
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for part in parts for text in _texts_in(part)]


def texts_of(page: str) -> list[str]:
    """Return the texts of an HTML page or an SVG."""
    parser = _Texts()
    parser.feed(page)
    return parser.found


def _outside(text: str) -> Iterator[str]:
    """Yield the parts of a text outside of « »."""
    depth, part = 0, ""
    for letter in text:
        depth += {"«": 1, "»": -1}.get(letter, 0)
        if depth == 0 and letter != "»":
            part += letter
        elif part:
            yield part
            part = ""
    yield part


def _plain(text: str) -> str:
    """Return a text in small letters without accents: "gniezno" names Gniezno."""
    letters = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


def unmarked(texts: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the texts with a word that is neither in a message nor in one of the names.

    Words of a name with an underscore or a dot count only together.
    """
    known, joined = set(), []
    for name in map(_plain, names):
        if re.search(r"\w[._]\w", name) and " " not in name:
            joined.append(name)
        else:
            known |= set(_WORD.findall(name))
    whole = re.compile("|".join(map(re.escape, sorted(joined, key=len, reverse=True))) or "$^")
    return [
        text for text in dict.fromkeys(texts)
        if any(word not in known for part in _outside(text) for word in _WORD.findall(whole.sub("", _plain(part))))
    ]  # fmt: skip


def _proper_names(game: Game, rules: Any) -> Iterator[str]:
    """Yield the names of cards, places, events and factions, which are Polish in every language."""
    data = json.dumps(rules.model_dump(mode="json"), ensure_ascii=False)
    yield from (text.replace("_", " ") for text in re.findall(r'"([^"]*)"', data))
    yield from (each.name for each in game.analytics.list_components(rules))
    yield from ("Szczukczyn", "Sielec")  # the two grody
    names = sys.modules.get(f"{game.package}.display.names")
    yield from getattr(names, "WRITTEN", {}).values()


def names_of(run: RunFolder) -> list[str]:
    """Return the names on a page: the game, variants, strategies, tiers, measures, rule keys, columns, commands."""
    plan = run.plan
    variants = [each.name for each in plan.variants]
    strategies = [each.name for tier in plan.tiers for each in tier.strategies]
    measures = [
        *(each.name for each in measures_of(plan)),
        *(each.name for each in getattr(plan.game.analytics, "CHOICES", ())),
    ]
    leaves = [leaf for each in plan.variants for leaf in list_leaves(each.rules.model_dump(by_alias=True))]
    keys = [".".join(map(str, path)) for path, _ in leaves]
    things = [text for each in plan.variants for text in _proper_names(plan.game, each.rules)]
    columns = [name for table in plan.game.column_meanings.values() for name in table]
    commands = ["balance replay game html CSV", str(run.path)]
    kinds = ["chance move outcome end"]  # of rows, for the script of a replay
    tiers = [tier.name for tier in plan.tiers]
    game = [plan.game.title, plan.game.name]
    return [*game, *variants, *strategies, *tiers, *measures, *keys, *columns, *things, *commands, *kinds]


def unmarked_on(page: Path, run: RunFolder, *names: str) -> list[str]:
    """Return the texts of a page, written under `PseudoLanguage`, that are neither messages nor names."""
    return unmarked(texts_of(page.read_text("utf-8")), [*names_of(run), *names])


def main() -> None:
    from balance.foundation.catalogues import using
    from balance.report import write_report
    from balance.report.replay.opening import open_replay
    from balance.report.replay.page import write_replay

    run = RunFolder.open_finished(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder, using(PseudoLanguage()):
        if len(sys.argv) > 2:
            page = write_replay(open_replay(run.path, int(sys.argv[2]), Path(folder)), Path(folder) / "game.html")
        else:
            page = write_report([run], Path(folder)).page
        text = page.read_text("utf-8")
    found = unmarked(texts_of(text), names_of(run))
    print(*found, f"{len(found)} texts are not marked", sep="\n")


if __name__ == "__main__":
    main()
