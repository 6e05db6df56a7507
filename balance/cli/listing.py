"""`balance games`: what can be played, and what of a game can be changed and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from balance.cli.ending import one_line_errors
from balance.cli.options import as_json
from balance.cli.plain import echo, echo_block

if TYPE_CHECKING:
    from balance.contract.game import Game
    from balance.contract.measure import Measure
    from balance.plan.keys import Key

_LONGEST_NAME = 30  # that has its text beside it, and not below


@click.command()
@click.argument("name", metavar="[GAME]", required=False)
@as_json
@one_line_errors()
def games(name: str | None, as_json: bool) -> None:
    """List games, or the rule keys and strategies of a GAME.

    With a GAME it also lists tables and measures.

    Each rule key has its value in base, its limits, its meaning and the number of its rule. Change it in a variant
    file, or play several values of it with --sweep KEY=VALUES.

    \b
    Examples:
      balance games
      balance games na-grunwald
      balance games na-grunwald --json
    """
    from balance.contract.game import find_faulty, find_games, get_game

    if name is not None:
        game = get_game(name)
        _print_json(_describe(game)) if as_json else _print_game(game)
        return
    if as_json:
        _print_json([_summarise(game) for game in find_games().values()])
    else:
        for game in find_games().values():
            _print_summary(game)
    for faulty, fault in find_faulty().items():
        echo(f"{faulty} can't be played: {fault}", err=True)


def _print_json(records: Any) -> None:
    import json

    echo_block(json.dumps(records, indent=1, ensure_ascii=False))


def _summarise(game: Game) -> dict[str, Any]:
    from balance.plan.shipped import list_shipped

    return {
        "game": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": list(game.players),
        **list_shipped(game),
    }


def _describe(game: Game) -> dict[str, Any]:
    from balance.plan.keys import list_keys
    from balance.plan.measures import all_measures
    from balance.plan.shipped import describe_shipped

    return {
        **_summarise(game),
        "keys": [key.record() for key in list_keys(game)],
        **{
            kind: [{"name": name, "about": about} for name, about in found.items()]
            for kind, found in describe_shipped(game).items()
        },
        "measures": [
            {"name": m.name, "label": m.label, "unit": m.unit, "by": m.by, "meaning": m.meaning}
            for m in all_measures(game)
        ],
    }


def _print_summary(game: Game) -> None:
    from balance.cli.terminal import open_terminal
    from balance.plan.shipped import list_shipped

    console = open_terminal()
    console.print_note(f"{game.name}: {game.title} ({game.summary})", "bold")
    shipped = {kind: ", ".join(names) for kind, names in list_shipped(game).items()}
    console.print_facts({"players": ", ".join(map(str, game.players)), **shipped})


def _print_game(game: Game) -> None:
    from balance.plan.keys import list_keys
    from balance.plan.measures import all_measures
    from balance.plan.shipped import describe_shipped

    page = click.HelpFormatter()
    page.write_text(f"{game.title} ({game.summary})")
    _write_rows(page, "rule keys", [(key.name, _explain(key)) for key in list_keys(game)])
    for kind, found in describe_shipped(game).items():
        _write_rows(page, kind, list(found.items()))
    measures = [(measure.name, _define(measure)) for measure in all_measures(game)]
    _write_rows(page, "measures", measures)
    echo_block(page.getvalue(), end="")


def _explain(key: Key) -> str:
    """What a key means, its value in base, what it may be, and whether by seat or player count."""
    from balance.settings import write_value

    base = write_value(key.base)
    if isinstance(key.base, Mapping):
        base = f"{', '.join(map(write_value, key.base.values()))} with {', '.join(key.base)} players"
    also = f"; {key.said_by}" if key.said_by else ""
    return f"{key.meaning}  [base: {base}; may be: {key.allowed}{also}]".strip()


def _define(measure: Measure) -> str:
    unit = f"  [{measure.unit}]" if measure.unit else ""
    return f"{measure.label}{': ' * bool(measure.meaning)}{measure.meaning}{unit}"


def _write_rows(page: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """A heading, and names with what they are beside them."""
    with page.section(title):
        page.write_dl(rows, col_max=_LONGEST_NAME)
