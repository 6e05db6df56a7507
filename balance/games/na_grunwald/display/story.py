"""A game of Na Grunwald! in words: cards turned up, events, and what the rules make of decisions."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.language import tr, trn
from balance.foundation.text import listed, player
from balance.games.na_grunwald.display.actions import ACTIONS
from balance.games.na_grunwald.display.names import FIELD_TITLES, name_goods
from balance.games.na_grunwald.display.observation import Observation, observe
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import FIELDS, Bundle, EventCard, list_events
from balance.games.na_grunwald.rules.ruleset import Rules


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    seen, text = observe(rules, move.after, move.viewer), ACTIONS.say(move.label, move.who)
    if move.seat == CHANCE:
        text = _tell_revealed(rules, seen, move, text)
    about = FIELDS[move.parts["field"]] if "field" in move.parts else ""
    return [Told(text, seen, tr(FIELD_TITLES[about] if about else ACTIONS.find(move.label)[0].about))]


def _tell_revealed(rules: Rules, seen: Observation, move: Move, text: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    if "event" in move.parts:
        return tr(
            "Event: {event}",
            event=_event_name(rules, list_events(rules.event_deck)[move.parts["event"]].id),
        )
    field = FIELDS[move.parts["field"]]
    shown = [str(move.parts[name]) for name in ("first", "second", "third") if move.parts.get(name)]
    won = [str(prize) for prize in seen.prizes[field] if prize]
    if field == "krzyzacy" or sorted(won) == sorted(shown):
        return text
    return tr("{text}; to be won: {prizes}", text=text, prizes=listed(won) or tr("nothing"))


# Events


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return _event_name(rules, observation.event)


def _event_card(rules: Rules, event_id: str) -> EventCard | None:
    return next((card for card in rules.event_deck.cards if card.id == event_id), None)


def _event_name(rules: Rules, event_id: str) -> str:
    card = _event_card(rules, event_id)
    return f"{tr(card.name)} ({_effect_of(card)})" if card else ""


def _effect_of(card: EventCard) -> str:
    """Return the effect of an event in a few words."""
    number, what = card.n or 0, _bundle_name(card.bundle)
    field = tr(FIELD_TITLES[card.field]) if card.field else ""
    words = {
        "gain": tr("everyone gains {what}", what=what),
        "pay": tr("everyone pays {what}", what=what),
        "plunder": tr("everyone gives up {n}", n=number),
        "buy": trn("{what} for {n} ducat", "{what} for {n} ducats", card.price or 0, what=what),
        "auction": tr("auction of {what}", what=what),
        "task": tr("a knight of {n} or more earns {what}", n=number, what=what),
        "contest": tr(
            "the strongest knight wins {first}, the second {second}",
            first=what,
            second=_bundle_name(card.second),
        ),
        "bonus": f"{tr('Krzyżacy')} {number:+d}".replace("-", "−"),
        "truce": tr("no skirmish"),
        "close": tr("{field} closed", field=field),
        "officer": tr("an officer counts {n}", n=number),
        "supply": f"{field} +{number}",
        "hire": trn("a helper costs {n} ducat", "a helper costs {n} ducats", number),
    }
    return words[card.effect]


def _bundle_name(bundle: Bundle | None) -> str:
    """Return resources that are gained or paid together in words."""
    return (name_goods(**dict(bundle)) if bundle else "") or tr("nothing")


# Outcomes


def _title_of(rules: Rules, move: Move) -> str:
    return tr(FIELD_TITLES[FIELDS[move.parts["field"]]])


def _say_award(rules: Rules, move: Move) -> str:
    parts = move.parts
    claim = tr("strength {strength}", strength=parts["strength"])
    if parts["tied"]:
        first = rules.tie_rule == "first-placed"
        ties = tr("ties go to the first placed") if first else tr("ties go to the last placed")
        claim = f"{claim}; {ties}"
    values = {"field": _title_of(rules, move), "who": player(parts["player"]), "claim": claim}
    if not parts["prize"]:
        return tr("{field}: nothing for {who} ({claim})", **values)
    if parts["field"] == s.HELPERS:
        return tr("{field}: {who} takes a helper ({claim})", **values)
    return tr("{field}: {who} takes {prize} ({claim})", prize=parts["prize"], **values)


def _say_offer(rules: Rules, move: Move) -> str:
    parts, price = move.parts, move.parts["price"]
    values = {
        "field": _title_of(rules, move),
        "who": player(parts["player"]),
        "strength": parts["strength"],
    }
    if parts["purse"] >= price:
        return trn(
            "{field}: {who} may buy one for {n} ducat (strength {strength})",
            "{field}: {who} may buy one for {n} ducats (strength {strength})",
            price,
            **values,
        )
    return trn(
        "{field}: {who} can't pay {n} ducat (strength {strength})",
        "{field}: {who} can't pay {n} ducats (strength {strength})",
        price,
        **values,
    )


def _say_skirmish(rules: Rules, move: Move) -> str:
    parts = move.parts
    cards = " + ".join(str(parts[name]) for name in ("stronger", "weaker") if parts[name])
    sign = "−" if parts["bonus"] < 0 else "+"
    against = f"{cards} {sign} {abs(parts['bonus'])} = {parts['against']}"
    return tr("Skirmish: {strength} against {against}", strength=parts["strength"], against=against)


def _say_captive(rules: Rules, move: Move) -> str:
    parts = move.parts
    return tr(
        "{who} captures a Krzyżak of {strength}", who=player(parts["player"]), strength=parts["captive"]
    )


def _say_settled(rules: Rules, move: Move) -> str:
    if missing := move.parts["missing"]:
        return tr("The skirmish is lost by {n}: everyone gives up {n} or more", n=missing)
    return tr("The skirmish is won")


def _say_auction(rules: Rules, move: Move) -> str:
    seat, price = move.parts["player"], move.parts["price"]
    if seat < 0:
        return tr("No player bids")
    return trn(
        "{who} takes {what} for {n} ducat",
        "{who} takes {what} for {n} ducats",
        price,
        who=player(seat),
        what=_reward(rules, move, 0),
    )


def _say_contest(rules: Rules, move: Move) -> str:
    seat, place, strength = (move.parts[name] for name in ("player", "place", "strength"))
    if seat < 0:
        return tr("No player enters")
    return tr(
        "{who} wins {what} with a {strength}",
        who=player(seat),
        what=_reward(rules, move, place),
        strength=strength,
    )


def _say_empty(rules: Rules, move: Move) -> str:
    return tr("{field}: no pawns", field=_title_of(rules, move))


def _reward(rules: Rules, move: Move, place: int) -> str:
    """Return what the event gives to this place."""
    card = _event_card(rules, observe(rules, move.before, move.viewer).event)
    return _bundle_name((card.bundle, card.second)[place] if card else None)


_SKIRMISH = FIELD_TITLES["krzyzacy"]
OUTCOME_TEXTS = {
    "award": (_say_award, _title_of),
    "offer": (_say_offer, _title_of),
    "empty": (_say_empty, _title_of),
    "skirmish": (_say_skirmish, _SKIRMISH),
    "captive": (_say_captive, _SKIRMISH),
    "settled": (_say_settled, _SKIRMISH),
    "auction": _say_auction,
    "contest": _say_contest,
}
"""The words of each outcome, and the panel that it is about."""
