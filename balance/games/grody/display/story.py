"""A game in words and panels, for `balance replay`."""

from __future__ import annotations

from balance.contract.panel import Cell, Mark, Panel
from balance.contract.words import amount, player, strategy_of
from balance.games.grody.display.board import draw_board
from balance.games.grody.display.observation import Combat, Observation, Warrior
from balance.games.grody.display.words import BEHAVIOURS, BUILDINGS, CARDS, TERRAINS
from balance.games.grody.rules.ruleset import Rules

_SAID = {
    "decline": "plays no card",
    "accept": "lets the card stand",
    "done": "moves nobody more",
    "keep": "keeps the terrain",
    "exchange": "exchanges the terrain",
    "none": "does without",
}


def say(label: str, who: str) -> str:
    """A label as a sentence.

    Parameters
    ----------
    label : str
        As in the trace.
    who : str
        The player, or "" for chance.
    """
    words = label.split()
    if not who:
        return _say_chance(words)
    if label in _SAID:
        return f"{who} {_SAID[label]}"
    if words[0] == "move":
        return f"{who} moves a warrior from {words[1]} to {words[2]}"
    if words[0] == "play":
        return f"{who} plays {CARDS[words[1]]}{_say_aim(words[1:])}"
    if words[0] == "hit":
        return f"{who} strikes warrior {words[1]}"
    if words[0] == "flee":
        return f"A warrior of {who} flees to {words[1]}"
    if words[0] == "build":
        return f"{who} builds: {BUILDINGS[words[1]]} on {words[2]}"
    verb = "throws away" if words[0] == "discard" else "ransoms a prisoner with"
    return f"{who} {verb} {CARDS[words[1]]}"


def _say_aim(words: list[str]) -> str:
    if len(words) == 1:
        return ""
    return f" on warrior {words[1]}" if words[1].isdigit() else f" on {words[1]}"


def _say_chance(words: list[str]) -> str:
    if words[0] == "reshuffle":
        return "The discards are shuffled into a new pile"
    if words[0] == "explore":
        return f"{words[1]} turns out to be {_with_article(TERRAINS[words[2]])}"
    seat = player(int(words[1]))
    if words[0] == "draw":
        return f"The {seat} draws {CARDS[words[2]]}"
    return f"The {seat} rolls {' '.join(words[2:])}"


def _with_article(terrain: str) -> str:
    return terrain if terrain == "hills" else f"a {terrain}"


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """What every player has, a line each."""
    return [
        f"{name}: {amount(observation.points[seat], 'point')}, {amount(observation.owned[seat], 'segment')}, "
        f"{amount(_count_warriors(observation, seat), 'warrior')}, {amount(observation.cards[seat], 'card')}"
        + (f", holds {amount(held, 'prisoner')}" if (held := observation.prisoners[seat]) else "")
        for seat, name in enumerate(names)
    ]


def _count_warriors(observation: Observation, seat: int) -> int:
    return sum(segment.warriors[seat] for segment in observation.board.values())


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """The board, the players and a combat under way, as panels."""
    columns = ["player", "points", "segments", "warriors", "prisoners", "cards"]
    panels = [
        Panel("Board", svg=draw_board(rules, observation)),
        Panel(
            "Players", columns, [_player_row(observation, seat, name) for seat, name in enumerate(names)]
        ),
        Panel("On the table", rows=_table(observation)),
    ]
    if observation.combat:
        panels.append(_combat_panel(observation.combat))
    return panels


def _player_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    turn = " (to move)" if observation.active == seat else ""
    return [
        [Mark("seat", str(seat + 1), seat), f" {strategy_of(name)}{turn}"],
        str(observation.points[seat]),
        str(observation.owned[seat]),
        str(_count_warriors(observation, seat)),
        str(observation.prisoners[seat]),
        str(observation.cards[seat]),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    left = [f"{count} {TERRAINS[name]}" for name, count in observation.terrains.items() if count]
    rows: list[list[Cell]] = [
        ["terrains left", ", ".join(left) or "none"],
        ["fate cards to draw", str(observation.pile)],
    ]
    if observation.hand:
        hand = ", ".join(CARDS[card] for card in observation.hand)
        rows.append([f"hand of the {player(observation.seat)}", hand])
    if observation.aside:
        rows.append(["of these set aside", f"{observation.aside} {CARDS['wieszczba']}"])
    return rows


def _combat_panel(combat: Combat) -> Panel:
    rows: list[list[Cell]] = [
        [[Mark("seat", str(seat + 1), seat)], str(warrior.number), _say_warrior(warrior)]
        for seat, side in enumerate(combat.sides)
        for warrior in side
    ]
    note = f"round {combat.round}" if combat.round else "before the first round"
    return Panel(f"Combat on {combat.segment}", ["", "warrior", ""], rows, note=note)


def _say_warrior(warrior: Warrior) -> str:
    parts = [BEHAVIOURS.get(warrior.behaviour, "is ready")]
    if warrior.roll:
        parts.append(f"rolled {warrior.roll}")
    if warrior.raised:
        parts.append(f"morale {warrior.raised:+d}")
    return ", ".join(parts)
