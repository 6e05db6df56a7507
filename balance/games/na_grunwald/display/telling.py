"""A game of Na Grunwald! told: moves with the rule set's names, and what the rules make of them."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.telling import Move, Told
from balance.games.na_grunwald.display.observation import Observation
from balance.games.na_grunwald.display.picture import Picture, picture
from balance.games.na_grunwald.display.resolution import carry_out, outcomes
from balance.games.na_grunwald.display.story import say
from balance.games.na_grunwald.display.words import FIELD_TITLES, event_name
from balance.games.na_grunwald.rules.ruleset import Rules


def tell(rules: Rules, move: Move) -> list[Told]:
    """A move, and what follows from it before the next one."""
    words = move.label.split()
    if move.seat == CHANCE:
        seen = picture(rules, move.after, move.viewer)
        return [Told(_say_revealed(rules, seen, move.label), seen, FIELD_TITLES.get(words[1], ""))]
    seen = carry_out(rules, move)
    about = FIELD_TITLES["krzyzacy"] if words[0] == "fight" else ""
    about = FIELD_TITLES[words[1]] if words[0] == "place" else about
    about = FIELD_TITLES["helpers"] if words[0] == "hire" else about
    return [Told(say(move.label, move.who), seen, about), *outcomes(rules, move, seen)]


def name_round(rules: Rules, observation: Observation) -> str:
    """The round's event, and what it does."""
    return event_name(rules, observation.event)


def _say_revealed(rules: Rules, seen: Picture, label: str) -> str:
    """What is turned up and, where not all of it can be won, what can be."""
    _, what, *values = label.split()
    if what == "event":
        return f"Event: {event_name(rules, values[0])}"
    text = say(label, "")
    shown = [value for value in values if value != "0"]
    won = [str(prize) for prize in seen.prizes[what] if prize]
    if what == "krzyzacy" or sorted(won) == sorted(shown):
        return text
    return f"{text}; to be won: {' and '.join(won) or 'nothing'}"
