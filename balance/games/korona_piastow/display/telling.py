"""A game of Korona Piastów told: moves with what the rules made of them."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.telling import Move, Told
from balance.contract.words import amount, player
from balance.games.korona_piastow.display.observation import Observation, observe
from balance.games.korona_piastow.display.panels import DISTRICTS, MAP, RULERS, TABLE
from balance.games.korona_piastow.display.story import say
from balance.games.korona_piastow.display.words import written
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.ruleset import Rules

_ABOUT = {
    "grant": DISTRICTS,
    **dict.fromkeys(("place", "move", "muster", "target", "send", "build"), MAP),
}


def tell(rules: Rules, move: Move) -> list[Told]:
    """A move, how an invasion or quest went, who joined or is out, and the end."""
    seen, words = observe(rules, move.after, move.viewer), move.label.split()
    if move.seat == CHANCE:
        return [Told(_say_chance(rules, move, words), seen, TABLE if words[0] == "event" else "")]
    about = _ABOUT.get(words[0], "")
    told = [Told(say(move.label, move.who), seen, about)]
    if words[0] == "send":
        told.append(Told(_say_battle(rules, move), seen, MAP, outcome=True))
    elif words[0] == "do" and words[2] == "quest":
        told.append(Told(_say_quest(move), seen, RULERS, outcome=True))
    return told + _tell_realm(rules, move, seen) + _tell_end(move, seen)


def name_round(rules: Rules, observation: Observation) -> str:
    """The event that is being carried out, if one is."""
    names = {card.id: card.name for card in rules.events.cards}
    return names.get(observation.event, "")


def _say_chance(rules: Rules, move: Move, words: list[str]) -> str:
    if words[0] == "event":
        return f"Event: {next(card.name for card in rules.events.cards if card.id == words[1])}"
    return say(move.label, move.who)


def _say_battle(rules: Rules, move: Move) -> str:
    """CMB-3, CMB-6: who won an invasion."""
    fief = written(rules.map.fiefs[move.before.target].id)
    won = move.after.phase == s.ASK_VICTORY and move.after.seat == move.seat
    return f"{move.who} wins {fief}" if won else f"{fief} is held: {move.who} falls back"


def _say_quest(move: Move) -> str:
    """QST-1."""
    seat, before, after = move.seat, move.before, move.after
    if after.relics[seat] > before.relics[seat]:
        return "The quest finds a relic"
    if after.free_magnates[seat].sum() > before.free_magnates[seat].sum():
        return "The quest wins a magnate"
    if after.denars[seat] > before.denars[seat]:
        return f"The quest brings {amount(int(after.denars[seat] - before.denars[seat]), 'denar')}"
    lost = after.units[:, s.KNIGHT].sum() < before.units[:, s.KNIGHT].sum()
    return "The knight does not come back" if lost else "The quest finds nothing"


def _tell_realm(rules: Rules, move: Move, seen: Observation) -> list[Told]:
    """JOI-2, END-1: districts that joined a state, rulers who are out."""
    told = []
    for number, district in enumerate(rules.map.districts):
        owner = int(move.after.owner[number])
        if owner >= 0 and owner != move.before.owner[number]:
            text = f"{district.name} joins the state of the {player(owner)}"
            told.append(Told(text, seen, DISTRICTS, outcome=True))
    for seat in range(move.after.players):
        if move.after.out_round[seat] and not move.before.out_round[seat]:
            text = f"The {player(seat)} holds nothing of the capital district and is out"
            told.append(Told(text, seen, RULERS, outcome=True))
    return told


def _tell_end(move: Move, seen: Observation) -> list[Told]:
    """END-3."""
    if not move.after.over:
        return []
    text = {
        s.CROWN: "The crown is won",
        s.LAST: "Only one ruler is left",
        s.LIMIT: "The last round is over",
    }[int(move.after.ended_by)]
    return [Told(text, seen, RULERS, outcome=True)]
