"""A game of Na Grunwald! in words: moves and their results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.text import amount, player
from balance.games.na_grunwald.display.labels import (
    FIELD_TITLES,
    bundle_name,
    event_card,
    event_name,
    field_name,
)
from balance.games.na_grunwald.display.observation import Knights, Observation, observe
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS

_SHOWN = {
    "crown": "crown knights {} and {}",
    "provisions": "provisions {} for the first, {} for the second",
    "ducats": "ducats {}, {} and {}",
    "mercenaries": "mercenaries {} and {}",
    "krzyzacy": "Krzyżacy {} and {}",
}
_VERBS = {"fight": "sends {} into the skirmish", "send": "sends {} to the task", "enter": "enters {}"}


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
    if words[0] == "reveal":
        return _say_revealed(words[1], words[2:])
    if words[0] == "pass":
        return f"{who} passes"
    if words[0] == "place":
        return f"{who} places {_say_pawns(words[2:])} on {field_name(words[1])}"
    if words[0] in _VERBS:
        return f"{who} {_VERBS[words[0]].format(_card(words[1:]))}"
    if words[0] == "give":
        return f"{who} gives up {_say_gift(words[1:])}"
    if words[0] == "starve":
        return f"{who} cannot feed {_card(words[1:])}"
    if words[0] == "bid":
        return f"{who} passes" if words[1] == "pass" else f"{who} bids {words[1]}"
    action = {"hire": "a helper", "buy": "the lot"}[words[0]]
    return f"{who} {'buys' if words[1] == 'yes' else 'does not buy'} {action}"


def _say_revealed(what: str, values: list[str]) -> str:
    if what == "event":
        return f"Event: {values[0].replace('_', ' ')}"
    if what == "provisions" and values[1] == "0":
        return f"Turned up: provisions {values[0]}, nothing for the second"
    return "Turned up: " + _SHOWN[what].format(*values)


def _say_pawns(words: list[str]) -> str:
    if words[0] == "officer":
        pawns, ducats = "the officer", words[1:]
    else:
        pawns, ducats = f"{words[1]} helper{'s' if words[1] != '1' else ''}", words[2:]
    if ducats and ducats[0] != "0":
        return f"{pawns} with {ducats[0]} ducat{'s' if ducats[0] != '1' else ''}"
    return pawns


def _card(words: list[str]) -> str:
    if len(words) == 1:
        return {"peasant": "the peasant", "none": "no knight"}[words[0]]
    kind = "crown knight" if words[0] == "crown" else "mercenary"
    return f"a {kind} of {words[1]}"


def _say_gift(words: list[str]) -> str:
    if words[0] == "provision":
        return "a provision"
    if words[0] == "captive":
        return f"a captive of {words[1]}"
    return f"{_card(words[1:])} from the {words[0]}"


def _knights(knights: Knights) -> str:
    parts = [f"{kind} {' '.join(map(str, cards))}" for kind, cards in knights.items() if cards]
    return ", ".join(parts) if parts else "none"


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: goods, cards and captives."""
    lines = []
    for name, me in zip(names, observation.seats, strict=True):
        captives = " ".join(map(str, me.captives)) or "none"
        things = ("ducat", me.ducats), ("provision", me.provisions), ("helper", me.helpers)
        lines.append(
            f"{name}: {', '.join(amount(count, thing) for thing, count in things)}; hand: {_knights(me.hand)}; "
            f"camp: {_knights(me.camp)}; captives: {captives}"
        )
    return lines


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    words = move.label.split()
    seen = observe(rules, move.after, move.viewer)
    if move.seat == CHANCE:
        return [Told(_tell_revealed(rules, seen, move.label), seen, FIELD_TITLES.get(words[1], ""))]
    about = {"fight": "krzyzacy", "hire": "helpers"}.get(words[0], "")
    about = words[1] if words[0] == "place" else about
    return [Told(say(move.label, move.who), seen, FIELD_TITLES.get(about, ""))]


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return event_name(rules, observation.event)


def _tell_revealed(rules: Rules, seen: Observation, label: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    _, what, *values = label.split()
    if what == "event":
        return f"Event: {event_name(rules, values[0])}"
    text = say(label, "")
    shown = [value for value in values if value != "0"]
    won = [str(prize) for prize in seen.prizes[what] if prize]
    if what == "krzyzacy" or sorted(won) == sorted(shown):
        return text
    return f"{text}; to be won: {' and '.join(won) or 'nothing'}"


def _field_of(move: Move) -> str:
    return FIELDS[move.parts["field"]]


def _title_of(rules: Rules, move: Move) -> str:
    return FIELD_TITLES[_field_of(move)]


def _say_award(rules: Rules, move: Move) -> str:
    parts = move.parts
    who, claim = player(parts["player"]), f"strength {parts['strength']}"
    if parts["tied"]:
        claim += f"; ties go to the {'first' if rules.tie_rule == 'first-placed' else 'last'} placed"
    prize = "a helper" if _field_of(move) == "helpers" else str(parts["prize"])
    said = f"{who} takes {prize}" if parts["prize"] else f"nothing for {who}"
    return f"{_title_of(rules, move)}: {said} ({claim})"


def _say_offer(rules: Rules, move: Move) -> str:
    parts, price = move.parts, amount(move.parts["price"], "ducat")
    can = f"may buy one for {price}" if parts["purse"] >= parts["price"] else f"can't pay {price}"
    return f"{_title_of(rules, move)}: {player(parts['player'])} {can} (strength {parts['strength']})"


def _say_skirmish(rules: Rules, move: Move) -> str:
    parts = move.parts
    cards = " + ".join(str(parts[name]) for name in ("stronger", "weaker") if parts[name])
    sign = "−" if parts["bonus"] < 0 else "+"
    return f"Skirmish: {parts['strength']} against {cards} {sign} {abs(parts['bonus'])} = {parts['against']}"


def _say_captive(rules: Rules, move: Move) -> str:
    return f"{player(move.parts['player'])} captures a Krzyżak of {move.parts['captive']}"


def _say_settled(rules: Rules, move: Move) -> str:
    missing = move.parts["missing"]
    return (
        f"The skirmish is lost by {missing}: everyone gives up {missing} or more"
        if missing
        else "The skirmish is won"
    )


def _say_auction(rules: Rules, move: Move) -> str:
    seat, price = move.parts["player"], move.parts["price"]
    if seat < 0:
        return "No player bids"
    return f"{player(seat)} takes {_reward(rules, move, 0)} for {amount(price, 'ducat')}"


def _say_contest(rules: Rules, move: Move) -> str:
    seat, place, strength = (move.parts[name] for name in ("player", "place", "strength"))
    if seat < 0:
        return "No player enters"
    return f"{player(seat)} wins {_reward(rules, move, place)} with a {strength}"


def _reward(rules: Rules, move: Move, place: int) -> str:
    """Return what the event gives to this place."""
    card = event_card(rules, observe(rules, move.before, move.viewer).event)
    return bundle_name((card.bundle, card.second)[place] if card else None)


_SKIRMISH = FIELD_TITLES["krzyzacy"]
OUTCOME_TEXTS = {
    "award": (_say_award, _title_of),
    "offer": (_say_offer, _title_of),
    "empty": (lambda rules, move: f"{_title_of(rules, move)}: no pawns", _title_of),
    "skirmish": (_say_skirmish, _SKIRMISH),
    "captive": (_say_captive, _SKIRMISH),
    "settled": (_say_settled, _SKIRMISH),
    "auction": _say_auction,
    "contest": _say_contest,
}
"""The words of each outcome, and the panel that it is about."""
