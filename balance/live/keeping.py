"""What was found live, taken further: a variant file of the keys that were turned, and the command of a proper run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from balance.errors import BalanceError
from balance.files import resolve_path
from balance.live.asking import Arm
from balance.live.turning import Turned, list_leaves, nest_rules, split, write_turned
from balance.log.files import create_file
from balance.plan.command import run_words
from balance.plan.plan import Plan
from balance.settings import is_path, write_key, write_value

_TIMES = 4  # as many games in a proper run


def save_variant(arm: Arm, name: str) -> Path:
    """Write a variant file that extends the one that was started from, with the keys of rules that were turned.

    Raises
    ------
    BalanceError
        No key of a rule was turned, the name has no ``.toml`` or has a comma, a file of this name is there, or can't
        be written.
    """
    rules, _ = split(arm.plan, arm.turned)
    if not rules:
        raise BalanceError("save: no rule was changed; weights of a strategy are kept in a profile")
    if "," in name:
        raise BalanceError(f"save: a comma parts the names of variants, so no name may have one: {name}")
    path = resolve_path(name, Path())
    if path.suffix != ".toml":
        raise BalanceError(f"save: a variant's file ends in .toml: {name}.toml")
    text = _write_variant(arm.plan, rules, path)
    try:
        create_file(Path(name).expanduser(), text.encode("utf-8"))
    except BalanceError as error:
        raise BalanceError(f"save: {error}") from None
    return Path(name)


def _write_variant(plan: Plan, rules: Turned, path: Path) -> str:
    (start,) = plan.experiment.variants
    own = nest_rules(plan, rules)
    for key in own.keys() & plan.game.rules.PATH_KEYS.keys():
        if isinstance(own[key], str):
            own[key] = _seen_from(path.parent, own[key])
    keys = {
        ("extends",): _seen_from(path.parent, start),
        ("title",): path.stem,
        ("description",): f"{Path(start).stem} with {write_turned(rules)}",
        **dict(list_leaves(own)),
    }
    return "".join(f"{write_key(key)} = {write_value(value)}\n" for key, value in keys.items())


def _seen_from(folder: Path, name: str) -> str:
    """A name as it is, a path as from `folder`."""
    if not is_path(name):
        return name
    seen = Path(os.path.relpath(resolve_path(name, Path()), folder)).as_posix()
    return seen if is_path(seen) else f"./{seen}"


def proper_run(arm: Arm, saved: str) -> str:
    """The command of a run that plays the start beside the variant `saved`, on decks that were not looked at."""
    plan, experiment = arm.plan, arm.plan.experiment
    variants, games = [*experiment.variants, saved], _TIMES * plan.tier.games
    words = run_words(experiment.game, experiment.players, variants, experiment.strategies, games)
    words += ["--seed", str(experiment.seed + 1), "--log", "rounds"]
    return shlex.join(["balance", *words, "--out", f"runs/{Path(saved).stem}"])
