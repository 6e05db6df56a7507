"""A game of Korona Piastów in words: moves and their results."""

from __future__ import annotations

from balance.contract.view import Move
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.korona_piastow.display.names import DISTRICTS, MAP, RULERS, name_thing, written
from balance.games.korona_piastow.display.observation import Observation
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the name of the event being carried out, or ""."""
    names = {card.id: card.name for card in rules.events.cards}
    return names.get(observation.event, "")


def _who(seat: int) -> str:
    """Return a ruler, or the foreign states, as the subject of a sentence."""
    return tr("The {player}", player=player(seat)) if seat >= 0 else tr("A foreign state")


def _fief(rules: Rules, move: Move) -> str:
    return written(rules.map.fiefs[move.parts["place"]].id)


def _say_money(rules: Rules, move: Move) -> str:
    change, who = move.parts["denars"], _who(move.parts["player"])
    if change > 0:
        return trn("{who} gains {n:g} denar", "{who} gains {n:g} denars", change, who=who)
    return trn("{who} pays {n:g} denar", "{who} pays {n:g} denars", -change, who=who)


def _say_battle(rules: Rules, move: Move) -> str:
    """Return the strength of both sides before the fate cards (CMB-1)."""
    parts, place = move.parts, _fief(rules, move)
    strength = {"attack": parts["attack"], "defence": parts["defence"]}
    if not parts["walls"]:
        return tr("Attack on {place}: {attack} against {defence}", place=place, **strength)
    return tr(
        "Attack on {place}: {attack} against {defence}, {walls} of it by the {building}",
        place=place, **strength, walls=parts["walls"], building=name_thing(BUILDINGS[parts["building"]]),
    )  # fmt: skip


def _say_fought(rules: Rules, move: Move) -> str:
    """Return who wins, with the strength of both sides and their losses (CMB-3, CMB-6)."""
    parts = move.parts
    values = {
        "place": _fief(rules, move),
        "attack": parts["attack"],
        "defence": parts["defence"],
        "lost": trn("the attacker loses {n:g} unit", "the attacker loses {n:g} units", parts["lost"]),
        "killed": trn("the defender {n:g} unit", "the defender {n:g} units", parts["killed"]),
    }
    if parts["conquered"]:
        who = _who(parts["player"])
        return tr("{who} wins {place}, {attack} against {defence}; {lost}, {killed}", who=who, **values)
    return tr("{place} is held, {attack} against {defence}; {lost}, {killed}", **values)


_FOUND = {
    a.KNIGHT_LOST: N_("The knight does not come back"),
    a.FOUND_NOTHING: N_("The quest finds nothing"),
    a.FOUND_MAGNATE: N_("The quest finds a magnate"),
    a.FOUND_RELIC: N_("The quest finds a relic"),
}


def _say_quest(rules: Rules, move: Move) -> str:
    found = move.parts["found"]
    if found == a.FOUND_DENARS:
        return trn("The quest finds {n:g} denar", "The quest finds {n:g} denars", move.parts["denars"])
    return tr(_FOUND[found])


def _say_built(rules: Rules, move: Move) -> str:
    building = name_thing(BUILDINGS[move.parts["building"]])
    return tr("The {building} in {place} is finished", building=building, place=_fief(rules, move))


def _say_owner(rules: Rules, move: Move) -> str:
    """Return the state that a district joins (JOI-2), or that it is free again (END-1)."""
    name, seat = rules.map.districts[move.parts["district"]].name, move.parts["player"]
    if seat >= 0:
        return tr("{district} joins the state of the {player}", district=name, player=player(seat))
    if seat == s.NOBODY:
        return tr("{district} is free again", district=name)
    return tr("{district} is foreign again", district=name)


def _say_out(rules: Rules, move: Move) -> str:
    who = _who(move.parts["player"])
    return tr("{who} holds no fief of its capital district and is out", who=who)


_ENDS = {s.CROWN: N_("The crown is won"), s.LAST: N_("Only one ruler is left"), s.LIMIT: N_("The last round is over")}
OUTCOME_TEXTS = {
    "tribute": "",  # of every ruler in every round; the position shows it
    "money": (_say_money, RULERS),
    "battle": (_say_battle, MAP),
    "fought": (_say_fought, MAP),
    "quest": (_say_quest, RULERS),
    "built": (_say_built, MAP),
    "owner": (_say_owner, DISTRICTS),
    "out": (_say_out, RULERS),
    "end": (lambda rules, move: tr(_ENDS[move.parts["reason"]]), RULERS),
}
"""The words of each outcome, and the panel that it is about."""
