"""Write a file to start from, which is valid as it stands, and say what can be done with it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from balance.contract.game import Game, get_game
from balance.drafts.contents import (
    field_of,
    tell_bot,
    tell_deck,
    tell_experiment,
    tell_strategy,
    tell_variant,
)
from balance.errors import BalanceError
from balance.log.files import check_file, create_file
from balance.plan.command import run_words
from balance.plan.keys import Key
from balance.plan.profiles import RANDOM_NAME
from balance.settings import write_value

_NAME = re.compile(r"[^\W\d][\w-]{0,59}")
_COLUMN = 36  # where remarks begin
_GAMES = 1000  # of each cell of a run that is proposed
_ASKED = 24  # games with a bot in Python, which is slow


@dataclass(frozen=True)
class Draft:
    """A file that was written, and the words of the command (after `balance`) that tries it."""

    path: Path
    command: list[str]


def write_draft(kind: str, name: str, game: str, folder: Path) -> Draft:
    """Write a file of one of `KINDS`, called `name`, into a folder.

    Raises
    ------
    BalanceError
        There is no such game, or it has no such thing; the name is none, or taken; a file lies there already, which
        stays as it is, or none can be written.
    """
    found = get_game(game)
    _check_name(kind, name, found)
    draft = _KINDS[kind]
    path = folder / f"{name}.{draft.suffix}"
    check_file(path, new=True)
    template = _templates().get_template(f"{kind}.{draft.suffix}.jinja")
    title = name.replace("-", " ").capitalize()
    told = {"title": title, "file": path.name, "name_of_class": class_of(name), **draft.tell(found)}
    create_file(path, template.render(game=found, **told).encode("utf-8"))
    return Draft(path, draft.propose(found, path))


def _check_name(kind: str, name: str, game: Game) -> None:
    if not _NAME.fullmatch(name):
        raise BalanceError(
            f"{name!r} can't be the name of a {kind}: a letter, then letters, digits, - and _"
        )
    if kind == "bot" and (not class_of(name).isidentifier() or iskeyword(class_of(name))):
        raise BalanceError(f"{name!r} can't be the name of a bot: its class can't be {class_of(name)!r}")
    taken = {
        "variant": game.shipped("variants"),
        "strategy": [*game.shipped("profiles"), RANDOM_NAME],
        "deck": [each for shelf in game.rules.PATH_KEYS.values() for each in game.shipped(shelf)],
        "bot": sys.stdlib_module_names,  # a file of this name would be found in the place of Python's own
    }
    if name in taken.get(kind, ()):
        raise BalanceError(
            f"there is a {name} already, which is no {kind} of yours; choose another name"
        )


def class_of(name: str) -> str:
    """What the class of a bot is called, by the name of its file: ``MyBot`` for ``my-bot``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split("[-_]+", name))


def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("balance.drafts"),
        autoescape=False,  # TOML and Python, whose texts `toml` quotes
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"toml": write_value, "beside": _beside, "remark": _remark}
    return templates


def _beside(line: str, remark: str) -> str:
    """A line and a comment behind it, in a column of their own where there is room."""
    return f"{line:<{_COLUMN}}  # {remark}".rstrip(" #") if remark else line


def _remark(key: Key) -> str:
    """What a key means, what it may be, and by what it may be said."""
    return "; ".join(each for each in (key.meaning, str(key.allowed), key.said_by) if each)


def _run(
    game: Game, path: Path, variants: Sequence[str], strategies: Sequence[str], games: int = _GAMES
) -> list[str]:
    words = run_words(game.name, game.players, variants, strategies, games)
    return [*words, "--out", str(Path("runs") / path.stem)]


def _try_variant(game: Game, path: Path) -> list[str]:
    return _run(game, path, ["base", str(path)], field_of(game))


def _try_deck(game: Game, path: Path) -> list[str]:
    sweep = f"{tell_deck(game)['key']}={write_value(str(path))}"
    return [*_run(game, path, ["base"], field_of(game)), "--sweep", sweep]


def _try_strategy(game: Game, path: Path) -> list[str]:
    return _run(game, path, ["base"], [str(path), *field_of(game)])


def _try_experiment(game: Game, path: Path) -> list[str]:
    return ["run", str(path)]


def _try_bot(game: Game, path: Path) -> list[str]:
    return _run(game, path, ["base"], [f"{path}:{class_of(path.stem)}", *field_of(game)], _ASKED)


@dataclass(frozen=True)
class _Kind:
    """How a kind of file is made: its ending, what its template is told of a game, and the command that tries it."""

    suffix: str
    tell: Callable[[Game], dict[str, Any]]
    propose: Callable[[Game, Path], list[str]]


_KINDS: Mapping[str, _Kind] = {
    "variant": _Kind("toml", tell_variant, _try_variant),
    "deck": _Kind("toml", tell_deck, _try_deck),
    "strategy": _Kind("toml", tell_strategy, _try_strategy),
    "experiment": _Kind("toml", tell_experiment, _try_experiment),
    "bot": _Kind("py", tell_bot, _try_bot),
}
KINDS = tuple(_KINDS)
