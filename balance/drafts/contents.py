"""What a file to start from says of its game, by kind: keys, cards, weights, who plays, what is asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import CHANCE
from balance.engine.stepper import Stepper, walk
from balance.errors import BalanceError
from balance.plan.keys import Key, list_keys
from balance.plan.profiles import RANDOM_NAME, Profile, load_profile
from balance.plan.variants import load_variant
from balance.settings import read_layers, read_toml

_STARTS = ("balanced", "champion")  # profiles to start from, the first that ships
_NO_STYLE = "champion"  # the strongest: a measure, not one way of playing among others
_MOST_STEPS = 3000  # of a game that is played to see what is asked in it


def tell_variant(game: Game) -> dict[str, Any]:
    """Every rule key, in groups of the tables in which they stand."""
    groups: dict[str, list[Any]] = {}
    for key in list_keys(game):
        groups.setdefault(key.name.partition(".")[0] if "." in key.name else "", []).append(key)
    names = [key.name for keys in groups.values() for key in keys]
    sourced = [name.rpartition(".")[0] for name in names if name.endswith(".source")]
    counts = ", ".join(f"{count} = {value}" for value, count in enumerate(game.players, 3))
    by = {each for keys in groups.values() for key in keys for each in key.by}
    return {"groups": groups, "sourced": sourced, "counts": counts, "by": by}


def tell_deck(game: Game) -> dict[str, Any]:
    """The deck that base plays with: where it lies, its cards and its other keys.

    Raises
    ------
    BalanceError
        The game has no deck in a file of its own.
    """
    key, shelf = _deck_of(game)
    base = read_toml(game.folder / "variants" / "base.toml")[key]
    ((_, deck),) = read_layers(game.folder / shelf / f"{base}.toml", key, game.folder / shelf)
    cards = deck.get("cards", [])
    counts = {name: n for name, n in deck.items() if isinstance(n, int) and not isinstance(n, bool)}
    lists = {
        name: entries for name, entries in deck.items() if isinstance(entries, list) and name != "cards"
    }
    return {"key": key, "base": base, "deck": deck, "cards": cards, "counts": counts, "lists": lists}


def _deck_of(game: Game) -> tuple[str, str]:
    for key, shelf in game.rules.PATH_KEYS.items():
        model = game.rules.Rules.model_fields[key].annotation
        if key == "cards" or "cards" in getattr(model, "model_fields", {}):
            return key, shelf
    raise BalanceError(f"{game.name} has no deck in a file of its own: its cards are keys of a variant")


def tell_strategy(game: Game) -> dict[str, Any]:
    """Weights and settings of a profile to start from, with what each means; one that it lacks has its default."""
    start = next((name for name in _STARTS if name in game.shipped("profiles")), "")
    players = game.players[0]
    profile = _profile(game, start) if start else None
    own = profile.at(players) if profile else {}
    features, settings = game.heuristics.FEATURES, game.heuristics.SETTINGS
    return {
        "start": start,
        "by_count": profile is not None
        and any(isinstance(each, Mapping) for each in profile.weights.values()),
        "count": players,
        "weights": [(name, own.get(name, 0.0), meaning) for name, meaning in features.items()],
        "settings": [
            (name, own.get(name, default), meaning) for name, (default, meaning) in settings.items()
        ],
    }


def _profile(game: Game, name: str) -> Profile:
    return load_profile(game, name, game.folder)


def field_of(game: Game) -> list[str]:
    """The ways of playing that ship and are known at every player count; with too few of them any legal action too."""
    profiles = [name for name in game.shipped("profiles") if name != _NO_STYLE]
    known = [name for name in profiles if not any(map(_profile(game, name).lacks, game.players))]
    return known if len(known) > 1 else [*known, RANDOM_NAME]


def tell_experiment(game: Game) -> dict[str, Any]:
    """Who can play, and a rule key with two values for a sweep: that of base, and one less or more."""
    sweeps = (
        (key.name, key.base, other) for key in list_keys(game) if (other := _neighbour(key)) is not None
    )
    return {"players": list(game.players), "strategies": field_of(game), "sweep": next(sweeps, None)}


def _neighbour(key: Key) -> int | None:
    """A whole number next to the key's value in base, within its limits; None where base has no whole number."""
    if type(key.base) is not int:
        return None
    least = key.allowed.least
    return key.base - 1 if least is None or key.base > least else key.base + 1


def tell_bot(game: Game) -> dict[str, Any]:
    """What a bot is asked in a random game, an action of each kind, and what it sees there."""
    rules = load_variant(game, "base", game.folder).rules
    lots = np.random.default_rng(1)
    stepper = Stepper.deal(game, rules, game.players[0], 1)
    seen = [field.name for field in dataclasses.fields(stepper.observe())]
    asked: dict[str, str] = {}
    steps = walk(stepper, lambda _, options: int(lots.integers(len(options))))
    for _, step in zip(range(_MOST_STEPS), steps, strict=False):
        if step.seat != CHANCE and len(step.options) > 1:
            asked.setdefault(step.kind, step.options[-1])
    return {"asked": asked, "sees": seen, "wish": next(iter(asked.values()))}
