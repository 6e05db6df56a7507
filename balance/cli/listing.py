"""Commands that show and write files to start from: games, examples and new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import Place, as_json
from balance.cli.output import echo, echo_block, one_line_errors, output, print_sentence
from balance.foundation.catalogues import using
from balance.foundation.language import N_, SOURCE, tr, trn

if TYPE_CHECKING:
    from balance.contract.analytics import Measure
    from balance.contract.game import Game
    from balance.experiments.rule_keys import Key

_LONGEST_NAME = 30  # a longer name has its text on the next line


@click.command()
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--inputs", is_flag=True, help="List what trained players of your own game see.")
@as_json
@one_line_errors()
def games(name: str | None, inputs: bool, as_json: bool) -> None:
    """List games, or the rule keys and strategies of a GAME.

    With a GAME it also lists tables and measures.

    Each rule key has its value in base, its limits, its meaning and the number of its rule. Change it in a variant
    file, or play several values of it with --sweep KEY=VALUES.

    \b
    Examples:
      balance games
      balance games na-grunwald
      balance games na-grunwald --json
      balance games ./mygame --inputs
    """
    from balance.contract.game import find_faulty, find_games, get_game

    if inputs and name is None:
        raise click.UsageError(tr("--inputs needs the folder of a game"))
    if name is not None:
        game = get_game(name)
        if inputs:
            _print_inputs(game)
            return
        _print_json(_describe(game)) if as_json else _print_game(game)
        return
    if as_json:
        _print_json([_summarise(game) for game in find_games().values()])
    else:
        for game in find_games().values():
            _print_summary(game)
    for faulty, fault in find_faulty().items():
        echo(tr("{game} can't be played: {why}", game=faulty, why=fault), err=True)


def _print_inputs(game: Game) -> None:
    """Print what trained players of a game in plain Python see under the base rules."""
    from balance.experiments.variants import load_variant
    from balance.plain.inputs import Inputs
    from balance.training.plain_inputs import NoChoiceError, find_inputs

    if game.own_loop is None:
        raise click.UsageError(
            tr("--inputs is for games in plain Python; docs/networks.md describes those of {game}", game=game.name)
        )
    rules = load_variant(game, "base", Path()).rules
    for players in game.players:  # with two players there may be nothing to choose
        try:
            found = Inputs(find_inputs(game, rules, players), players)
            break
        except NoChoiceError:
            if players == game.players[-1]:
                raise
    echo(trn("The position, with {n} player:", "The position, with {n} players:", players))
    for each in found.context:
        echo(f"  {each}")
    echo(tr("An action:"))
    for each in found.action:
        echo(f"  {each}")
    if found.rows:
        echo(tr("And {rows:,} pairs of a position and an action, because the game has few.", rows=found.rows))


def _print_json(records: Any) -> None:
    import json

    echo_block(json.dumps(records, indent=1, ensure_ascii=False))


def _summarise(game: Game) -> dict[str, Any]:
    from balance.experiments.rule_keys import list_shipped

    told = {"game": game.name, "title": game.title, "summary": game.summary}
    return {**told, "players": list(game.players), **list_shipped(game)}


def _describe(game: Game) -> dict[str, Any]:
    from balance.contract.restrictions import restrictions_of
    from balance.experiments.measures import all_measures
    from balance.experiments.rule_keys import describe_shipped, list_keys

    with using(SOURCE):
        described = {**_summarise(game), "keys": [key.record() for key in list_keys(game)]}
    for kind, found in describe_shipped(game).items():
        described[kind] = [{"name": name, "about": about} for name, about in found.items()]
    facts = ("name", "label", "unit", "by", "meaning")
    options = restrictions_of(game).items()
    described["options"] = [{"name": name, "about": each.title} for name, each in options]
    described["measures"] = [{fact: getattr(m, fact) for fact in facts} for m in all_measures(game)]
    return described


def _print_summary(game: Game) -> None:
    from balance.cli.terminal import open_terminal
    from balance.experiments.rule_keys import list_shipped

    console = open_terminal()
    console.print_note(f"{game.name}: {game.title} ({tr(game.summary)})", "bold")
    shipped = {kind: ", ".join(names) for kind, names in list_shipped(game).items()}
    console.print_facts({N_("players"): ", ".join(map(str, game.players)), **shipped})


def _print_game(game: Game) -> None:
    from balance.contract.restrictions import restrictions_of
    from balance.experiments.measures import all_measures
    from balance.experiments.rule_keys import describe_shipped, list_keys

    page = click.HelpFormatter()
    page.write_text(f"{game.title} ({tr(game.summary)})")
    _write_rows(page, N_("rule keys"), [(key.name, _explain(key)) for key in list_keys(game)])
    for kind, found in describe_shipped(game).items():
        _write_rows(page, kind, [(name, tr(about)) for name, about in found.items()])
    measures = [(measure.name, _define(measure)) for measure in all_measures(game)]
    _write_rows(page, N_("measures"), measures)
    options = [(name, tr(each.title)) for name, each in restrictions_of(game).items()]
    _write_rows(page, N_("options that `balance restrict` forbids"), options)
    echo_block(page.getvalue().rstrip("\n"))


def _explain(key: Key) -> str:
    """Describe a key: its meaning, its value in base, its limits, and whether it may differ by seat or player count."""
    from balance.foundation.toml import write_value

    base = tr("no value") if key.base is None else write_value(key.base)
    if isinstance(key.base, Mapping):
        values = ", ".join(map(write_value, key.base.values()))
        base = tr("{values} with {players} players", values=values, players=", ".join(key.base))
    also = f"; {key.said_by}" if key.said_by else ""
    limits = tr("[base: {base}; may be: {allowed}]", base=base, allowed=f"{key.allowed}{also}")
    return f"{tr(key.meaning)}  {limits}".strip()


def _define(measure: Measure) -> str:
    unit = f"  [{tr(measure.unit)}]" if measure.unit else ""
    meaning = f": {tr(measure.meaning)}" if measure.meaning else ""
    return f"{tr(measure.label)}{meaning}{unit}"


def _write_rows(page: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Write a heading and a list of names with their descriptions; nothing if the list is empty."""
    if not rows:
        return
    with page.section(tr(title)):
        page.write_dl(rows, col_max=_LONGEST_NAME)


@click.command()
@click.argument("folder", required=False, type=Place())
@one_line_errors()
def examples(folder: Path | None) -> None:
    """List the experiments that ship with balance.

    With a FOLDER, copy them into it.

    \b
    Examples:
      balance examples
      balance examples mine
    """
    from balance.experiments.examples import copy_examples, list_examples

    if folder is None:
        for name, about in list_examples().items():
            line = f"{click.style(name, bold=True)}: {tr(about)}"
            click.echo(line, output())  # noqa: TID251 - these ship
        echo(tr("copy them with: {command}", command="balance examples FOLDER"))
        return
    for path in copy_examples(folder):
        echo(tr("copied: {path}", path=path))


# As `drafts.KINDS`, which is slow to import.
KINDS = ("variant", "deck", "strategy", "experiment", "bot", "playtest", "game")


_OTHER_NAMES = {"profile": "strategy", "rules": "variant", "events": "deck", "player": "bot"}


class Kind(click.Choice[str]):
    """A kind of file; the error for a synonym names the right kind."""

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if kind := _OTHER_NAMES.get(value):
            right = f"balance new {kind} NAME --game GAME"
            text = tr("{value!r} is called {kind!r} here: {command}", value=value, kind=kind, command=right)
            self.fail(text, param, ctx)
        return super().convert(value, param, ctx)


@click.command()
@click.argument("kind", type=Kind(KINDS))
@click.argument("name")
@click.option("--game", help="Game that the file is for.")
@one_line_errors()
def new(kind: str, name: str, game: str | None) -> None:
    """Write a file to start from, with all its options.

    \b
      game        a folder with a game of your own in plain Python, its rules, a bot and an experiment
      variant     the base rules: every rule key with its meaning
      deck        the deck of the base rules, with one more card
      strategy    the weights of a profile, with the meaning of each
      experiment  all player counts, with the shipped strategies
      bot         a Python class, with the questions it gets and the fields it sees
      playtest    a table for games that people played, see balance people --help

    The file is NAME.toml (NAME.py for a bot, NAME.csv for a playtest) in the current folder and is ready to use. An
    existing file is never overwritten.

    \b
    Examples:
      balance new game duel
      balance new variant short-war --game na-grunwald
      balance new bot miller --game polska
    """
    from balance.cli.next_commands import say_next
    from balance.experiments.drafts import write_draft, write_game

    if (kind == "game") == (game is not None):
        raise click.UsageError(
            tr("a new game needs no --game")
            if game
            else tr("--game is needed: {command}", command=f"balance new {kind} NAME --game GAME")
        )
    if game is None:
        draft = write_game(name, Path())
        echo(tr("written: {path}", path=draft.path))
        say_next([draft.command, ["test-game", f"./{name}"], ["train", "network", "--game", f"./{name}"]])
        return
    if kind == "bot":
        print_sentence(
            tr("playing one game to collect the questions that a bot gets; the first time takes a while"), err=True
        )
    draft = write_draft(kind, name, game, Path())
    echo(tr("written: {path}", path=draft.path))
    say_next([draft.command])
