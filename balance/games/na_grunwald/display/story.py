"""What the rules make of decisions in Na Grunwald!, in words."""

from __future__ import annotations

from balance.contract.view import Move
from balance.foundation.language import tr, trn
from balance.foundation.text import player
from balance.games.na_grunwald.display.names import FIELD_TITLES, bundle_name, event_card, event_name, title_of
from balance.games.na_grunwald.display.observation import Observation, observe
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.ruleset import Rules


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return event_name(rules, observation.event)


def _say_award(rules: Rules, move: Move) -> str:
    parts = move.parts
    claim = tr("strength {strength}", strength=parts["strength"])
    if parts["tied"]:
        first = rules.tie_rule == "first-placed"
        ties = tr("ties go to the first placed") if first else tr("ties go to the last placed")
        claim = f"{claim}; {ties}"
    values = {"field": title_of(rules, move), "who": player(parts["player"]), "claim": claim}
    if not parts["prize"]:
        return tr("{field}: nothing for {who} ({claim})", **values)
    if parts["field"] == s.HELPERS:
        return tr("{field}: {who} takes a helper ({claim})", **values)
    return tr("{field}: {who} takes {prize} ({claim})", prize=parts["prize"], **values)


def _say_offer(rules: Rules, move: Move) -> str:
    parts, price = move.parts, move.parts["price"]
    values = {"field": title_of(rules, move), "who": player(parts["player"]), "strength": parts["strength"]}
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
    return tr("{who} captures a Krzyżak of {strength}", who=player(parts["player"]), strength=parts["captive"])


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
        "{who} wins {what} with a {strength}", who=player(seat), what=_reward(rules, move, place), strength=strength
    )


def _say_empty(rules: Rules, move: Move) -> str:
    return tr("{field}: no pawns", field=title_of(rules, move))


def _reward(rules: Rules, move: Move, place: int) -> str:
    """Return what the event gives to this place."""
    card = event_card(rules, observe(rules, move.before, move.viewer).event)
    return bundle_name((card.bundle, card.second)[place] if card else None)


_SKIRMISH = FIELD_TITLES["krzyzacy"]
OUTCOME_TEXTS = {
    "award": (_say_award, title_of),
    "offer": (_say_offer, title_of),
    "empty": (_say_empty, title_of),
    "skirmish": (_say_skirmish, _SKIRMISH),
    "captive": (_say_captive, _SKIRMISH),
    "settled": (_say_settled, _SKIRMISH),
    "auction": _say_auction,
    "contest": _say_contest,
}
"""The words of each outcome, and the panel that it is about."""
