"""The tables of docs/speed.md, made from a record."""

from __future__ import annotations

from typing import NamedTuple

from bench.playing import THINKERS, WHOLE, Thinker
from bench.record import Record, short


class Row(NamedTuple):
    """A row of a table.

    Attributes
    ----------
    label : str
        As the page names it.
    name : str
        Name of the figures shown.
    remark : str
        Meaning of the ratio; ``{ratio}`` is replaced by it.
    ratio_from : str
        Name of the figure whose ratio that is, if not of `name`.
    optional : bool
        The row is left out if its figure was not measured, as without a C compiler.
    """

    label: str
    name: str
    remark: str = ""
    ratio_from: str = ""
    optional: bool = False


PLAYED = "1,000,000 games"
TRIED = "try, {} players, 1 in the pool"
READ = f"{PLAYED}, 3 player counts, 5 variants"
ORACLE = "{ratio} times the plain-Python oracle"
NO_LOGS = "{ratio} times no logs"
TWO = "{ratio} times one worker"
HALF = "{ratio} times `search-50`"
FLAT = "{ratio} times the memory for 100,000 games"


def _label(each: Thinker) -> str:
    return f"{each.game.title}, `{each.strategy}`, {each.players} players, no logs"


PLAYING = (
    Row(
        "Na Grunwald!, random, no logs",
        "random, 4 players, one worker: no logs",
        ORACLE,
        "plain-Python oracle, random, 4 players",
    ),
    Row("random, log level `games`", "random, 4 players, one worker: level games", NO_LOGS),
    Row(
        "random, a hand-written C program",
        "hand-written C, random, 4 players",
        "level `games` plays {ratio} times as many",
        optional=True,
    ),
    Row("random, log level `trace`", "random, 4 players, one worker: level trace", NO_LOGS),
    Row("random, level `games`, two workers", "two workers, random, level games", TWO),
    Row("profile `generalist`, no logs", "generalist, 4 players, one worker: no logs"),
    Row("profile `generalist`, level `games`", "generalist, 4 players, one worker: level games", NO_LOGS),
    Row(
        "Polska, random (all games go to the limit of turns), no logs",
        "polska, random, 4 players, one worker",
        ORACLE,
        "its plain-Python oracle",
    ),
    Row("Polska, profile `marker-runner`, no logs", "polska, marker-runner, 4 players, one worker"),
    Row(
        "Grody, random, two players, no logs",
        "grody, random, 2 players, one worker",
        ORACLE,
        "grody, its plain-Python oracle",
    ),
    Row("Grody, profile `champion`, two players, no logs", "grody, champion, 2 players, one worker"),
    Row(
        "Korona Piastów, random, no logs",
        "korona-piastow, random, 4 players, one worker",
        ORACLE,
        "korona-piastow, its plain-Python oracle",
    ),
    Row("Korona Piastów, profile `champion`, no logs", "korona-piastow, champion, 4 players, one worker"),
    Row("Na Grunwald!, `search-100`, no logs", "na-grunwald, search-100, 4 players, one worker", HALF),
    Row("the same with two players", "na-grunwald, search-100, 2 players, one worker", HALF),
    Row("Na Grunwald!, `search-100`, level `games`, two workers", "two workers, search-100, level games", TWO),
    *(Row(_label(each), each.name) for each in THINKERS),
    Row("Polska, `search-100`, no logs", "polska, search-100, 4 players, one worker", HALF),
    Row("the same with two players", "polska, search-100, 2 players, one worker", HALF),
)
READING = (
    Row(f"`balance report` on {READ}, rounds logged", f"report, {READ}", FLAT),
    Row("`balance compare` on the same, all measures", f"compare, {READ}", FLAT),
    Row("the SQL of that report alone", f"its SQL alone, {READ}", FLAT),
    Row(f"playing {PLAYED} on two workers", f"peak memory, {PLAYED}", "{ratio} times the memory for 50,000 games"),
    Row("first game of a fresh process", "first game, warm cache"),
    Row("the same when it must compile", "first game, cold cache"),
    Row("`balance --help`", "balance --help"),
    Row("a line of `balance try`: 10,000 games of two champions, and the grid", f"{TRIED.format(2)}, a line"),
    Row("the same of four champions", f"{TRIED.format(4)}, a line"),
)


def playing_table(record: Record) -> str:
    """Return games a second as Markdown, below a line with their origin."""
    lines = [
        f"{record.machine()}:",
        "",
        "| four players, one worker unless said | games a second | |",
        "|---|---:|---|",
    ]
    for row in PLAYING:
        games = _number(record, row.name, "games/s")
        if row.optional and not games:
            continue
        lines.append(f"| {row.label} | {games} | {_remark(record, row)} |")
    return "\n".join(lines)


def reading_table(record: Record) -> str:
    """Return seconds and peak memory, as Markdown."""
    lines = ["| | seconds | peak memory | |", "|---|---:|---:|---|"]
    for row in READING:
        seconds, peak = _number(record, row.name, "s"), _number(record, row.name, "MiB")
        lines.append(f"| {row.label} | {seconds} | {peak and f'{peak} MiB'} | {_remark(record, row)} |")
    return "\n".join(lines)


def against_table(record: Record) -> str:
    """Return games a second compared with an earlier revision, as Markdown; "" if none was named."""
    found = [each for each in record.figures if each.name.endswith(WHOLE)]
    if not found:
        return ""
    compared = found[0].ratio_of.replace("this", "today")
    lines = [f"| one worker, log level `games` | games a second | {compared} |", "|---|---:|---:|"]
    return "\n".join([*lines, *(f"| {each.name} | {each.value:,.0f} | {short(each.ratio or 0.0)} |" for each in found)])


TABLES = {"playing": playing_table, "reading": reading_table, "against": against_table}


def with_tables(text: str, record: Record) -> str:
    """Return the text of the page with new tables.

    Raises
    ------
    ValueError
        A table's markers do not occur exactly once.
    """
    for name, make in TABLES.items():
        opening, table = f"<!-- bench: {name} -->", make(record)
        before, *after = text.split(f"{opening}\n")
        if len(after) != 1 or "<!-- end -->" not in after[0]:
            raise ValueError(f"docs/speed.md must have one block from {opening} to <!-- end -->")
        _, ending, rest = after[0].partition("<!-- end -->")
        text = f"{before}{opening}\n{table}\n{ending}{rest}"
    return text


def _number(record: Record, name: str, unit: str) -> str:
    """Return a figure with three digits for speeds and one decimal for seconds; "" if it was not measured."""
    figure = record.find(name, unit)
    if figure is None:
        return ""
    if unit == "s":
        return f"{figure.value:.2f}" if figure.value < 1 else f"{figure.value:.1f}"
    return f"{float(f'{figure.value:.3g}'):,.0f}"


def _remark(record: Record, row: Row) -> str:
    name = row.ratio_from or row.name
    ratios = [each.ratio for each in record.figures if each.name == name and each.ratio is not None]
    return row.remark.format(ratio=short(ratios[0])) if row.remark and ratios else ""
