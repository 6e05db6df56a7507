"""Drafts, ready to play: a variant, deck, strategy, experiment or bot file to start from, or a game in plain Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from balance.contract.game import Game, get_game
from balance.contract.own_games import FILE
from balance.contract.records import CHANCE
from balance.engine.stepper import Stepper, walk
from balance.experiments.command import run_words
from balance.experiments.profiles import CHAMPION, RANDOM_NAME, STRATEGY_FOLDERS, Profile, check_weighs, load_profile
from balance.experiments.rule_keys import Key, list_keys
from balance.experiments.variants import load_variant
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_file, create_file, make_folder, writing
from balance.foundation.language import SOURCE, tr
from balance.foundation.toml import read_layers, read_toml, write_value

_STARTS = ("generalist", CHAMPION)  # profiles to start from, in order of preference
_MOST_GAMES, _MOST_STEPS = 20, 3000  # games that are played until a bot has questions, and steps of each


def _tell_variant(game: Game) -> dict[str, Any]:
    """Return every rule key, grouped by table."""
    groups: dict[str, list[Any]] = {}
    for key in list_keys(game):
        groups.setdefault(key.name.partition(".")[0] if "." in key.name else "", []).append(key)
    names = [key.name for keys in groups.values() for key in keys]
    sourced = [name.rpartition(".")[0] for name in names if name.endswith(".source")]
    counts = ", ".join(f"{count} = {value}" for value, count in enumerate(game.players, 3))
    by = {each for keys in groups.values() for key in keys for each in key.by}
    return {"groups": groups, "sourced": sourced, "counts": counts, "by": by}


def _tell_deck(game: Game) -> dict[str, Any]:
    """Return the deck of base: its place, its cards and its other keys."""
    key, shelf = deck_of(game)
    base = read_toml(game.folder / "variants" / "base.toml")[key]
    ((_, deck),) = read_layers(game.folder / shelf / f"{base}.toml", key, game.folder / shelf)
    cards = deck.get("cards", [])
    counts = {name: n for name, n in deck.items() if type(n) is int}
    lists = {name: some for name, some in deck.items() if isinstance(some, list) and name != "cards"}
    return {"key": key, "base": base, "deck": deck, "cards": cards, "counts": counts, "lists": lists}


def deck_of(game: Game) -> tuple[str, str]:
    """Return the rule key that names the game's deck, and the folder of its shipped decks."""
    for key, shelf in game.rules.PATH_KEYS.items():
        model = game.rules.Rules.model_fields[key].annotation
        if key == "cards" or "cards" in getattr(model, "model_fields", {}):
            return key, shelf
    raise BalanceError(
        tr("{game} has no deck file: its cards are keys of a variant; use balance new variant", game=game.name)
    )


def _tell_strategy(game: Game) -> dict[str, Any]:
    """Return weights and settings of a profile to start from, each with its meaning; missing ones have the default."""
    check_weighs(game, "balance new strategy")
    start = next((name for name in _STARTS if name in game.shipped("profiles")), "")
    players = game.players[0]
    profile = _profile(game, start) if start else None
    own = profile.at(players) if profile else {}
    by_count = any(isinstance(each, Mapping) for each in profile.weights.values()) if profile else False
    features, settings = game.heuristics.FEATURES.items(), game.heuristics.SETTINGS.items()
    return {
        "start": start,
        "by_count": by_count,
        "count": players,
        "weights": [(name, own.get(name, 0.0), meaning) for name, meaning in features],
        "settings": [(name, own.get(name, default), meaning) for name, (default, meaning) in settings],
    }


def _profile(game: Game, name: str) -> Profile:
    return load_profile(game, name, game.folder)


def _field_of(game: Game) -> list[str]:
    """Return the shipped styles with weights at every player count, plus `random` if there are fewer than two."""
    # The champion is a benchmark, not a style.
    profiles = [name for name in game.shipped("profiles") if name != CHAMPION]
    known = [name for name in profiles if not any(map(_profile(game, name).lacks, game.players))]
    return known if len(known) > 1 else [*known, RANDOM_NAME]


def _tell_experiment(game: Game) -> dict[str, Any]:
    """Return player counts, strategies, and a sweep of one rule key: its value in base, and one less or more."""
    keys = ((key.name, key.base, _neighbour(key)) for key in list_keys(game))
    sweep = next((each for each in keys if each[2] is not None), None)
    return {"players": list(game.players), "strategies": _field_of(game), "sweep": sweep}


def _neighbour(key: Key) -> int | None:
    """Return a whole number next to the key's value in base, within its limits; None if base has no whole number."""
    if type(key.base) is not int:
        return None
    least = key.allowed.least
    return key.base - 1 if least is None or key.base > least else key.base + 1


def tell_bot(game: Game) -> dict[str, Any]:
    """Return the questions of a random game with an action for each kind, and the fields of an observation."""
    rules = load_variant(game, "base", game.folder).rules
    lots = np.random.default_rng(1)
    asked: dict[str, str] = {}
    for seed, players in enumerate(_MOST_GAMES * game.players, 1):
        stepper = Stepper.deal(game, rules, players, seed)
        seen = list(vars(stepper.observe()))
        steps = walk(stepper, lambda _, options: int(lots.integers(len(options))))
        for _, step in zip(range(_MOST_STEPS), steps, strict=False):
            if step.seat != CHANCE and len(step.options) > 1:
                asked.setdefault(step.kind, step.options[-1])
        if asked:
            return {"asked": asked, "sees": seen, "wish": next(iter(asked.values()))}
    raise BalanceError(tr("{game}: random games have no choices, so a bot has nothing to choose", game=game.title))


_NAME = re.compile(r"[^\W\d][\w-]{0,59}")
_COLUMN = 36  # where comments begin
_GAMES = 1000  # in each cell of a proposed run
_SUFFIXES = {"bot": "py", "playtest": "csv"}
_ASKED = 24  # games with a Python bot, which is slow


@dataclass(frozen=True)
class Draft:
    """A file that was written, and the words (after `balance`) of a command that plays it."""

    path: Path
    command: list[str]


def write_draft(kind: str, name: str, game: str, folder: Path) -> Draft:
    """Write a file of one of `KINDS`, called `name`, into a folder; never overwrite one."""
    found = get_game(game)
    _check_name(kind, name, found)
    suffix = _SUFFIXES.get(kind, "toml")
    path = folder / f"{name}.{suffix}"
    check_file(path, new=True)
    template = _make_templates().get_template(f"{kind}.{suffix}.jinja")
    title = name.replace("-", " ").capitalize()
    with using(SOURCE):  # a file is English in every language
        told = {"title": title, "named": game, "file": path.name, "name_of_class": class_of(name), **_TOLD[kind](found)}
        text = template.render(game=found, **told)
    create_file(path, text.encode("utf-8"))
    return Draft(path, propose(kind, found, path, game))


def _check_name(kind: str, name: str, game: Game | None = None) -> None:
    """Refuse a name that can't be used, or that the game or Python uses already."""
    if not _NAME.fullmatch(name):
        raise BalanceError(
            tr(
                "{name!r} can't be the name of a {kind}: use a letter, then letters, digits, - and _",
                name=name,
                kind=kind,
            )
        )
    if kind in ("bot", "game") and (not class_of(name).isidentifier() or iskeyword(class_of(name))):
        raise BalanceError(
            tr(
                "{name!r} can't be the name of a {kind}: {class_name!r} is no name for a class",
                name=name,
                kind=kind,
                class_name=class_of(name),
            )
        )
    if game is None:
        return
    taken = {
        "variant": game.shipped("variants"),
        "strategy": [*game.shipped(*STRATEGY_FOLDERS), RANDOM_NAME],
        "deck": [each for shelf in game.rules.PATH_KEYS.values() for each in game.shipped(shelf)],
        "bot": sys.stdlib_module_names,  # a file of this name would hide Python's own module
    }
    if name in taken.get(kind, ()):
        raise BalanceError(tr("the name {name} is taken by the game or by Python; choose another name", name=name))


def class_of(name: str) -> str:
    """Return the class name of a bot by the name of its file: ``MyBot`` for ``my-bot``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split("[-_]+", name))


def _make_templates() -> Environment:
    """Return the templates of the drafts."""
    templates = Environment(
        loader=PackageLoader("balance.experiments"),
        autoescape=False,  # TOML and Python, whose texts `toml` quotes
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"toml": write_value, "with_remark": _with_remark, "remark": _remark}
    return templates


def _with_remark(line: str, remark: str) -> str:
    """Return a line followed by a comment, aligned in a column if there is room."""
    return f"{line:<{_COLUMN}}  # {remark}".rstrip(" #") if remark else line


def _remark(key: Key) -> str:
    """Return a key's meaning, its limits, and whether it may differ by seat or player count."""
    unset = tr("no value in base") if key.base is None else ""
    return "; ".join(each for each in (key.meaning, str(key.allowed), key.said_by, unset) if each)


def propose(kind: str, game: Game, path: Path, named: str) -> list[str]:
    """Return the words, after `balance`, of a command that plays a file; `named` is the game as the user named it."""
    if kind == "experiment":
        return ["run", str(path)]
    if kind == "playtest":
        return ["people", str(path), "--game", named, "--out", str(Path("runs") / path.stem)]
    variants = ["base", str(path)] if kind == "variant" else ["base"]
    own = {"strategy": [str(path)], "bot": [f"{path}:{class_of(path.stem)}"]}.get(kind, [])
    games = _ASKED if kind == "bot" else _GAMES
    words = run_words(named, game.players, variants, [*own, *_field_of(game)], games)
    words += ["--out", str(Path("runs") / path.stem)]
    deck = ["--sweep", f"{_tell_deck(game)['key']}={write_value(str(path))}"] if kind == "deck" else []
    return words + deck


_TOLD: Mapping[str, Callable[[Game], dict[str, Any]]] = {
    "variant": _tell_variant,
    "deck": _tell_deck,
    "strategy": _tell_strategy,
    "experiment": _tell_experiment,
    "bot": tell_bot,
    "playtest": lambda game: {},  # the columns are the same for all games
}
"""Kinds of files, and the data of their templates."""
KINDS = tuple(_TOLD)


EXPERIMENT = "experiment.toml"
_GAME_FILES = {
    FILE: "game.py.jinja",
    "variants/base.toml": "game_base.toml.jinja",
    "variants/short.toml": "game_variant.toml.jinja",
    "profiles/careful.toml": "game_profile.toml.jinja",
    EXPERIMENT: "game_experiment.toml.jinja",
}
_OWN_GAMES = 500  # in each cell of a proposed run of a game in plain Python


def write_game(name: str, folder: Path) -> Draft:
    """Write the folder of a new game in plain Python into a folder; never change one that exists."""
    _check_name("game", name)
    path = folder / name
    if path.exists() or path.is_symlink():
        raise BalanceError(tr("{path} exists already; choose another name", path=path))
    told = {"title": name.replace("-", " ").capitalize(), "folder": name, "name_of_class": class_of(name)}
    with writing(path):
        for place in _GAME_FILES:
            make_folder((path / place).parent)
    templates = _make_templates()
    for place, template in _GAME_FILES.items():
        create_file(path / place, templates.get_template(template).render(told).encode("utf-8"))
    strategies = ["careful", "random"]
    command = run_words(f"./{name}", (2, 3, 4), ["base", "short"], strategies, _OWN_GAMES)
    return Draft(path, [*command, "--log", "rounds", "--out", str(Path("runs") / name)])
