"""Strength of searchers and effects of their switches, from duels on held-out seeds, as Markdown for docs/searchers.md.

python tools/search GAME shipped|switches ... [--games N] [--players 2,4]

For the gain from each doubling of the budget, and decisions a second: `balance ladder --trace 800`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import balance

GAMES = 400
SEED = 20261122
SWITCHES = {
    "grody": {
        "exploration": (0.4, 1.6),
        "prior_temperature": (1.5, 12.0),
        "shortlist": (5, 16),
        "horizon": (1, 4),
        "reward": ("lead",),
        "final": ("value",),
        "deals": ("own",),
    },
    "korona-piastow": {
        "exploration": (0.4, 2.0),
        "prior_temperature": (0.25, 1.5),
        "shortlist": (5, 16),
        "horizon": (2,),
        "reward": ("lead",),
        "final": ("value",),
    },
    "na-grunwald": {
        "exploration": (0.2, 0.8, 1.2),
        "prior_temperature": (0.75, 3.0),
        "shortlist": (5, 16),
        "group_limit": (1, 4),
        "horizon": (2,),
        "reward": ("lead",),
        "final": ("value",),
    },
    "polska": {
        "exploration": (0.2, 0.8),
        "prior_temperature": (0.75, 3.0),
        "shortlist": (5, 16),
        "horizon": (2, 4, 9),
        "reward": ("lead",),
        "final": ("value",),
    },
}


class Duels:
    """Duels between two strategies, in a folder for their files and runs."""

    def __init__(self, game: str, games: int, folder: Path) -> None:
        self.game, self.games, self.folder = game, games, folder
        self.number = 0

    def file(self, name: str, **switches: object) -> str:
        """Write a searcher's file with these switches and return its path."""
        lines = [f"{key} = {value!r}".replace("'", '"') for key, value in switches.items()]
        path = self.folder / f"{name}.toml"
        path.write_text("\n".join(['kind = "search"', *lines]) + "\n", encoding="utf-8")
        return str(path)

    def play(self, one: str, other: str, players: int) -> str:
        """Return the share of wins of `one` against `other` on all other seats, in words."""
        self.number += 1
        experiment = {
            "game": self.game,
            "players": [players],
            "lineups": [[one, *[other] * (players - 1)]],
            "games": self.games,
            "seed": SEED + self.number,
        }
        run = balance.play(experiment, self.folder / f"run{self.number}")
        shares = run.strategy_shares()
        row = next(shares[shares["strategy"] == Path(one).stem].itertuples())
        return f"{row.value:.1f} ({row.low:.1f} to {row.high:.1f}), n = {row.n:,}"


def shipped(duels: Duels, counts: list[int]) -> None:
    """Print duels against every shipped profile."""
    from balance.contract.game import get_game

    print(f"\n| `search-100` of {duels.game} against | " + " | ".join(f"{p} players" for p in counts) + " |")
    print("|---|" + "---:|" * len(counts))
    for profile in get_game(duels.game).shipped("profiles"):
        cells = [duels.play("search-100", profile, players) for players in counts]
        print(f"| `{profile}` | {' | '.join(cells)} |", flush=True)


def switches(duels: Duels, counts: list[int]) -> None:
    """Print duels of the default against one changed switch."""
    print(
        f"\n| {duels.game}: the default, 100 iterations, against | " + " | ".join(f"{p} players" for p in counts) + " |"
    )
    print("|---|" + "---:|" * len(counts))
    for name, values in SWITCHES[duels.game].items():
        for value in values:
            other = duels.file(f"{name}-{value}", iterations=100, **{name: value})
            cells = [duels.play("search-100", other, players) for players in counts]
            print(f"| `{name} = {value}` | {' | '.join(cells)} |", flush=True)


PARTS = {"shipped": shipped, "switches": switches}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("parts", nargs="+", choices=list(PARTS))
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--players", default="2,4")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in given.parts:
            counts = [int(count) for count in given.players.split(",")]
            (own := Path(folder, name)).mkdir()
            PARTS[name](Duels(given.game, given.games, own), counts)


if __name__ == "__main__":
    main()
