"""A game of Grody in words and panels: moves and their results."""

from __future__ import annotations

from balance.contract.view import Cell, Mark, Move, Panel, Told
from balance.foundation.text import amount, player, strategy_of
from balance.games.grody.display.board import draw_board
from balance.games.grody.display.labels import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.display.observation import Combat, Observation, Warrior, observe
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules import CARDS, Rules

_BEHAVIOURS = {"fleeing": "flees", "standing": "stands", "fighting": "fights", "furious": "is furious"}
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
        [[Mark("seat", str(seat + 1), seat)], str(warrior.number), _describe(warrior)]
        for seat, side in enumerate(combat.sides)
        for warrior in side
    ]
    note = f"round {combat.round}" if combat.round else "before the first round"
    return Panel(f"Combat on {combat.segment}", ["", "warrior", ""], rows, note=note)


def _describe(warrior: Warrior) -> str:
    parts = [_BEHAVIOURS.get(warrior.behaviour, "is ready")]
    if warrior.roll:
        parts.append(f"rolled {warrior.roll}")
    if warrior.raised:
        parts.append(f"morale {warrior.raised:+d}")
    return ", ".join(parts)


_PLAYERS, _BOARD = "Players", "Board"
_ON_BOARD = ("move", "flee", "build")


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    about = _BOARD if move.label.split()[0] in _ON_BOARD else ""
    return [Told(say(move.label, move.who), observe(rules, move.after, move.viewer), about)]


def _place(rules: Rules, move: Move) -> str:
    return rules.board.names[move.parts["place"]]


def _say_combat(rules: Rules, move: Move) -> str:
    sides = amount(move.parts["attackers"], "attacker"), amount(move.parts["defenders"], "defender")
    return f"Combat on {_place(rules, move)}: {sides[0]} against {sides[1]}"


def _say_fought(rules: Rules, move: Move) -> str:
    seat = move.parts["player"]
    winner = "No player" if seat == s.NOBODY else f"The {player(seat)}"
    return f"{winner} wins the combat on {_place(rules, move)}"


def _say_card(rules: Rules, move: Move) -> str:
    title = CARD_TITLES[CARDS[move.parts["card"]]]
    return "" if move.parts["effect"] else f"{title} is cancelled"


def _say_warrior(rules: Rules, move: Move) -> str:
    how = {
        a.KILLED: "falls",
        a.CAPTURED: "is taken prisoner",
        a.THIRST: "dies of thirst",
        a.STRAYED: "finds no room and is lost",
    }
    return f"A warrior of the {player(move.parts['player'])} {how[move.parts['fate']]} on {_place(rules, move)}"


def _say_owner(rules: Rules, move: Move) -> str:
    if move.parts["former"] == s.NOBODY:
        return ""
    return f"{_place(rules, move)} now belongs to the {player(move.parts['player'])}"


def _say_end(rules: Rules, move: Move) -> str:
    seat, reason = move.parts["player"], move.parts["reason"]
    if seat == s.NOBODY:
        return f"{amount(rules.turn_limit, 'turn')} each are over: a draw"
    if reason == s.CONQUEST:
        return f"The {player(seat)} conquers the enemy's gród"
    points = f"{move.parts['points']} points to {move.parts['against']}"
    if reason == s.DOMINANCE:
        return f"The {player(seat)} dominates the land: {points}"
    return f"{amount(rules.turn_limit, 'turn')} each are over and the {player(seat)} is ahead: {points}"


OUTCOME_TEXTS = {
    "combat": (_say_combat, _BOARD),
    "fought": (_say_fought, _BOARD),
    "card": _say_card,
    "warrior": (_say_warrior, _BOARD),
    "owner": (_say_owner, _BOARD),
    "end": (_say_end, _PLAYERS),
}
"""The words of each outcome, and the panel that it is about."""
