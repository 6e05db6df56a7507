"""The end of a game of Korona Piastów, and its rows (END-3 to END-5, section 6)."""

from __future__ import annotations

from typing import Any

from .game import Game

COUNTED = (
    "orders_given",
    "dropped",
    "mustered",
    "invasions",
    "won",
    "repelled",
    "lost_fiefs",
    "joined",
    "claims",
    "spies",
    "devastated",
    "tribute",
    "built",
    "quests",
    "tithes",
)


def how_it_ends(g: Game) -> str:
    """END-3; "" if the game continues."""
    if any(g.score(seat) >= g.crown() for seat in g.seats()):
        return "crown"
    if len(g.seats()) <= 1:
        return "last"
    return "limit" if g.round == g.rules["rounds"] else ""


def result(g: Game) -> list[dict[str, Any]]:
    """Return one row per seat."""
    rows, lines = [], list(g.districts)
    for seat, me in enumerate(g.rulers):
        row = {"score": g.score(seat), "line": lines.index(me.line), "fiefs": len(g.own_fiefs(seat))}
        row |= {"denars": me.denars, "units": g.units(seat), "relics": me.relics}
        row |= {"out_round": me.out_round, **{name: me.told[name] for name in COUNTED}}
        rows.append(row)

    def key(row: dict[str, Any]) -> tuple[int, ...]:
        """END-4."""
        return (not row["out_round"], row["score"], row["denars"], row["units"])

    for row in rows:
        row["rank"] = 1 + sum(key(other) > key(row) for other in rows)
    winners = sum(row["rank"] == 1 for row in rows)
    for row in rows:
        row["win_share"] = 1 / winners if row["rank"] == 1 else 0.0
    return rows
