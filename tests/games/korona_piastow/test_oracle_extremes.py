"""States that only purposeful play reaches, with compiled rules and oracle: many relics, the fall of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.oracles import korona_piastow as oracle
from support.oracles.korona_piastow.game import Game
from support.oracles.korona_piastow.page import small_map

from balance.contract.game import get_game
from balance.experiments.variants import read_extended
from balance.foundation.toml import merge
from balance.testing.oracle import Pick, agree

GAME = get_game("korona-piastow")
FAR = {"crown_fiefs": [99] * 5, "zakon_fiefs": [99] * 5}  # nobody reaches the crown


def play_both(changes: dict[str, Any], players: int, pick: Pick) -> Game:
    """Play one game with both; return the oracle's game."""
    base = read_extended(GAME, GAME.folder / "variants" / "base.toml")
    rules = GAME.rules.load_rules(merge(base, {**FAR, **changes}), "test", Path())
    _, judge = agree(GAME, rules, players, 0, oracle.play, pick)
    return judge


def first(options: list[str], *starts: str) -> int:
    """Return the first option that begins with one of these, tried in turn."""
    return next(i for start in starts for i, label in enumerate(options) if label.startswith(start))


def seek_relics(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Send all knights to legendary places, and make every order a quest."""
    for i, label in enumerate(options):
        words = label.split()
        fief = judge.fiefs.get(words[-1])
        if fief and fief.legendary and (words[0] == "place" or fief.units["knight"]):
            return i
    wanted = [i for i, label in enumerate(options) if label in ("done", "none", "order quest")]
    return wanted[-1] if wanted else 0


@pytest.mark.long
def test_a_life_of_quests_brings_more_relics_than_a_byte_holds():
    """QST-1: 40 rounds with only relics to find."""
    changes = {
        "rounds": 40,
        "orders": 9,
        "orders_max": 12,
        "same_kind": 12,
        "quest": {"lost": 0, "nothing": 0, "denars": 0, "magnate": 0},
        "start": {"knights": 6, "infantry": 0, "cavalry": 0},
        "events": "flat",
    }
    judge = play_both(changes, 4, seek_relics)
    assert max(ruler.relics for ruler in judge.rulers) > 127


def march_out(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Make every ruler leave its capital with all other units once allies stand in both."""
    capitals = [judge.districts[ruler.line].fiefs[0] for ruler in judge.rulers]
    if options[0] == "done":
        ready = all(fief.units["foreign"] for fief in capitals)
        return first(options, *(f"fief {fief.name}" for fief in capitals)) if ready else 0
    if options[0].startswith("order"):
        return options.index("order invade")
    if options[0].startswith("send"):  # I:C:K:E:F
        counts = [[int(n) for n in label.split()[1].split(":")] for label in options]
        return max(range(len(options)), key=lambda i: sum(counts[i][:3]) - 9 * sum(counts[i][3:]))
    return 0


@pytest.mark.long
def test_the_last_rulers_fall_together():
    """END-1, EVN-1: without rulers there is no draw; the game ends as `last`, shared by all."""
    words = {"name": "Card", "attack": 0, "defence": 0, "n": 2}
    cards = [{"id": f"card_{i}", "effect": "allies", **words} for i in range(12)]
    sources = {"source": "test", "reconstruction": True}
    changes = {
        "map": {"name": "small", **sources, **small_map()},
        "events": {"name": "allies", **sources, "cards": cards},
        "second_players": 0,
        "orders": 1,
        "start": {"infantry": 1, "knights": 2},
    }
    judge = play_both(changes, 2, march_out)
    assert judge.end == "last"
    assert {ruler.out_round for ruler in judge.rulers} == {judge.round}
