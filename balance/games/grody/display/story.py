"""A game of Grody in words and panels: moves and their results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Cell, Mark, Move, Panel, Told
from balance.foundation.text import amount, player, strategy_of
from balance.games.grody.display.board import draw_board
from balance.games.grody.display.labels import BEHAVIOURS, BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.display.observation import Combat, Observation, Warrior, observe
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import Rules

_SAID = {
    "decline": "plays no card",
    "accept": "does not cancel the card",
    "done": "ends its moves",
    "keep": "keeps the terrain",
    "exchange": "exchanges the terrain",
    "none": "declines",
}


def say(label: str, who: str) -> str:
    """Return a label as a sentence.

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
        return f"{who} plays {CARD_TITLES[words[1]]}{_say_aim(words[1:])}"
    if words[0] == "hit":
        return f"{who} strikes warrior {words[1]}"
    if words[0] == "flee":
        return f"A warrior of {who} flees to {words[1]}"
    if words[0] == "build":
        return f"{who} builds: {BUILDING_TITLES[words[1]]} on {words[2]}"
    verb = "throws away" if words[0] == "discard" else "ransoms a prisoner with"
    return f"{who} {verb} {CARD_TITLES[words[1]]}"


def _say_aim(words: list[str]) -> str:
    if len(words) == 1:
        return ""
    return f" on warrior {words[1]}" if words[1].isdigit() else f" on {words[1]}"


def _say_chance(words: list[str]) -> str:
    if words[0] == "reshuffle":
        return "The discards are shuffled into a new pile"
    if words[0] == "explore":
        return f"{words[1]} turns out to be {_with_article(TERRAIN_TITLES[words[2]])}"
    seat = player(int(words[1]))
    if words[0] == "draw":
        return f"The {seat} draws {CARD_TITLES[words[2]]}"
    return f"The {seat} rolls {' '.join(words[2:])}"


def _with_article(terrain: str) -> str:
    return terrain if terrain == "hills" else f"a {terrain}"


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: points, segments, warriors and cards."""
    return [
        f"{name}: {amount(observation.points[seat], 'point')}, {amount(observation.owned[seat], 'segment')}, "
        f"{amount(_count_warriors(observation, seat), 'warrior')}, {amount(observation.cards[seat], 'card')}"
        + (f", holds {amount(held, 'prisoner')}" if (held := observation.prisoners[seat]) else "")
        for seat, name in enumerate(names)
    ]


def _count_warriors(observation: Observation, seat: int) -> int:
    return sum(segment.warriors[seat] for segment in observation.board.values())


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return the board, the players and the current combat as panels."""
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
    left = [f"{count} {TERRAIN_TITLES[name]}" for name, count in observation.terrains.items() if count]
    rows: list[list[Cell]] = [
        ["terrains left", ", ".join(left) or "none"],
        ["fate cards to draw", str(observation.pile)],
    ]
    if observation.hand:
        hand = ", ".join(CARD_TITLES[card] for card in observation.hand)
        rows.append([f"hand of the {player(observation.seat)}", hand])
    if observation.aside:
        rows.append(["not playable this turn", f"{observation.aside} {CARD_TITLES['wieszczba']}"])
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


_PLAYERS, _BOARD = "Players", "Board"
_ON_BOARD = ("move", "flee", "build")


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a move, its changes, and the end of the game."""
    seen, words = observe(rules, move.after, move.viewer), move.label.split()
    text = say(move.label, move.who)
    if move.seat == CHANCE:
        return [Told(text, seen, _BOARD if words[0] == "explore" else "")]
    told = [Told(text, seen, _BOARD if words[0] in _ON_BOARD else "")]
    told += [Told(each, seen, _BOARD, outcome=True) for each in _changes(rules, move)]
    if move.after.over:
        told.append(Told(_say_end(rules, move), seen, _PLAYERS, outcome=True))
    return told


def _changes(rules: Rules, move: Move) -> list[str]:
    """Return the segments taken from a player, and new prisoners."""
    before, after = move.before, move.after
    found = [
        f"{name} now belongs to the {player(int(after.owner[i]))}"
        for i, name in enumerate(rules.board.names)
        if before.owner[i] not in (s.NOBODY, after.owner[i])
    ]
    for seat in range(s.SEATS):
        more = int(after.prisoners[seat] - before.prisoners[seat])
        if more > 0:
            found.append(f"the {player(seat)} takes {amount(more, 'prisoner')}")
    return found


def _say_end(rules: Rules, move: Move) -> str:
    if move.after.over == 2:
        return f"{amount(rules.turn_limit, 'turn')} each are over: a draw"
    winner = player(int(move.after.winner))
    if move.after.ended_by == s.CONQUEST:
        return f"The {winner} conquers the enemy's gród"
    seen: Observation = observe(rules, move.after, move.viewer)
    points = f"{seen.points[int(move.after.winner)]} points to {seen.points[1 - int(move.after.winner)]}"
    if move.after.ended_by == s.DOMINANCE:
        return f"The {winner} dominates the land: {points}"
    return f"{amount(rules.turn_limit, 'turn')} each are over and the {winner} is ahead: {points}"
