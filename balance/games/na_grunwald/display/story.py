"""A game of Na Grunwald! in words: labels of actions as on the rule page, and sentences about moves and results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.text import amount, listed, player
from balance.games.na_grunwald.display.observation import Knights, Observation, observe
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import FIELDS, KNIGHTS, Bundle, EventCard, list_events
from balance.games.na_grunwald.rules.ruleset import Rules

_TITLES = ("Krzyżacy", "Crown knights", "Provisions", "Ducats", "Mercenaries", "Helpers")
FIELD_TITLES = dict(zip(FIELDS, _TITLES, strict=True))
KNIGHT_TITLES = {"crown": "crown knight", "mercenary": "mercenary"}

# Labels, and parts of the trace

_KINDS = ("place", "place", "fight", "plunder", "hire", "buy", "bid", "send", "enter", "starve")
_SOURCES = ("provision", "hand crown", "hand mercenary", "camp crown", "camp mercenary", "captive")
_SEEN = {
    a.SEE_CROWN: s.CROWN_FIELD,
    a.SEE_PROVISIONS: s.PROVISIONS,
    a.SEE_MERCENARIES: s.MERCENARY_FIELD,
    a.SEE_KRZYZACY: s.KRZYZACY,
}
_NO_KNIGHT = {
    a.FIGHT: "peasant",
    a.SEND: "none",
    a.ENTER: "none",
    a.STARVE: "",
}  # kinds that name a knight

WORDS = {
    "field": FIELDS,
    "knight": KNIGHTS,
    "source": ("provisions", "hand", "camp", "captives"),
    "event": lambda rules: [card.id for card in list_events(rules.event_deck)],
}
"""The words for parts of the trace."""


def _decode(code: int) -> tuple[int, int, int, int]:
    """Return the kind and the three numbers of `actions.encode`."""
    return code >> 25, (code >> 20) & a.LARGEST_FIRST, (code >> 10) & a.LARGEST, code & a.LARGEST


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    return _KINDS[code >> 25] if code >> 25 < len(_KINDS) else "chance"


def write_label(code: int, rules: Rules) -> str:
    """Return the label of an action or chance outcome.

    Parameters
    ----------
    code : int
        From `actions.encode`.
    rules : Rules
        The rule set, for the names of its events.
    """
    kind, first, second, third = _decode(code)
    if kind == a.PASS:
        return "pass"
    if kind == a.PLACE:
        pawns = f"helpers {second}" if second else "officer"
        stake = f" {third}" if FIELDS[first] in ("provisions", "mercenaries") else ""
        return f"place {FIELDS[first]} {pawns}{stake}"
    if kind in _NO_KNIGHT:
        card = f"{KNIGHTS[second - 1]} {third}" if second else _NO_KNIGHT[kind]
        return f"{_KINDS[kind]} {card}"
    if kind == a.GIVE:
        return f"give {_SOURCES[first]}" + (f" {third}" if first != a.FROM_PROVISIONS else "")
    if kind in (a.HIRE, a.BUY):
        return f"{_KINDS[kind]} {'yes' if third else 'no'}"
    if kind == a.BID:
        return f"bid {third or 'pass'}"
    if kind == a.SEE_EVENT:
        return f"reveal event {list_events(rules.event_deck)[third].id}"
    if kind == a.SEE_DUCATS:
        return f"reveal ducats {first} {second} {third}"
    return f"reveal {FIELDS[_SEEN[kind]]} {second} {third}"


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    kind, first, second, third = _decode(code)
    if kind == a.PLACE:
        return {"field": first, "officer": int(not second), "pawns": second, "stake": third}
    if kind == a.GIVE:
        knight = {} if first in (a.FROM_PROVISIONS, a.FROM_CAPTIVES) else {"knight": (first - 1) % 2}
        return {"source": (first + 1) // 2, "value": third, **knight}
    if kind in _NO_KNIGHT:
        return {"knight": second - 1, "value": third} if second else {}
    if kind in (a.HIRE, a.BUY):
        return {"accepted": third}
    if kind == a.BID:
        return {"bid": third}
    if kind == a.SEE_EVENT:
        return {"event": third}
    if kind == a.SEE_DUCATS:
        return {"field": s.DUCATS, "first": first, "second": second, "third": third}
    return {"field": _SEEN[kind], "first": second, "second": third} if kind in _SEEN else {}


# Sentences about labels

_SHOWN = {
    "crown": "crown knights {} and {}",
    "provisions": "provisions {} for the first, {} for the second",
    "ducats": "ducats {}, {} and {}",
    "mercenaries": "mercenaries {} and {}",
    "krzyzacy": "Krzyżacy {} and {}",
}
_VERBS = {
    "fight": "sends {} into the skirmish",
    "send": "sends {} to the task",
    "enter": "enters {}",
    "starve": "cannot feed {}",
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
    verb, *words = label.split()
    if verb == "reveal":
        return _say_revealed(words[0], words[1:])
    if verb == "pass":
        return f"{who} passes"
    if verb == "place":
        return f"{who} places {_say_pawns(words[1:])} on {_field_name(words[0])}"
    if verb in _VERBS:
        return f"{who} {_VERBS[verb].format(_card(words))}"
    if verb == "give":
        return f"{who} gives up {_say_gift(words)}"
    if verb == "bid":
        return f"{who} passes" if words[0] == "pass" else f"{who} bids {words[0]}"
    bought = {"hire": "a helper", "buy": "the lot"}[verb]
    return f"{who} {'buys' if words[0] == 'yes' else 'does not buy'} {bought}"


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
        pawns, ducats = amount(int(words[1]), "helper"), words[2:]
    return f"{pawns} with {amount(int(ducats[0]), 'ducat')}" if ducats not in ([], ["0"]) else pawns


def _say_gift(words: list[str]) -> str:
    if words[0] == "provision":
        return "a provision"
    if words[0] == "captive":
        return f"a captive of {words[1]}"
    return f"{_card(words[1:])} from the {words[0]}"


def _card(words: list[str]) -> str:
    if len(words) == 1:
        return {"peasant": "the peasant", "none": "no knight"}[words[0]]
    return f"a {KNIGHT_TITLES[words[0]]} of {words[1]}"


def _field_name(field: str) -> str:
    """Return the name of a field for a sentence."""
    title = FIELD_TITLES[field]
    return title if field == "krzyzacy" else title.lower()


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


def _knights(knights: Knights) -> str:
    parts = [f"{kind} {' '.join(map(str, cards))}" for kind, cards in knights.items() if cards]
    return ", ".join(parts) or "none"


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    verb, *words = move.label.split()
    seen = observe(rules, move.after, move.viewer)
    if move.seat == CHANCE:
        text, about = _tell_revealed(rules, seen, move.label), words[0]
    else:
        text = say(move.label, move.who)
        about = words[0] if verb == "place" else {"fight": "krzyzacy", "hire": "helpers"}.get(verb, "")
    return [Told(text, seen, FIELD_TITLES.get(about, ""))]


def _tell_revealed(rules: Rules, seen: Observation, label: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    _, what, *values = label.split()
    if what == "event":
        return f"Event: {_event_name(rules, values[0])}"
    text = say(label, "")
    shown = [value for value in values if value != "0"]
    won = [str(prize) for prize in seen.prizes[what] if prize]
    if what == "krzyzacy" or sorted(won) == sorted(shown):
        return text
    return f"{text}; to be won: {' and '.join(won) or 'nothing'}"


# Events


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return _event_name(rules, observation.event)


def _event_card(rules: Rules, event_id: str) -> EventCard | None:
    return next((card for card in rules.event_deck.cards if card.id == event_id), None)


def _event_name(rules: Rules, event_id: str) -> str:
    card = _event_card(rules, event_id)
    return f"{card.name} ({_effect_of(card)})" if card else ""


def _effect_of(card: EventCard) -> str:
    """Return the effect of an event in a few words."""
    number, what = card.n or 0, _bundle_name(card.bundle)
    words = {
        "gain": f"everyone gains {what}",
        "pay": f"everyone pays {what}",
        "plunder": f"everyone gives up {number}",
        "buy": f"{what} for {amount(card.price or 0, 'ducat')}",
        "auction": f"auction of {what}",
        "task": f"a knight of {number} or more earns {what}",
        "contest": f"the strongest knight wins {what}, the second {_bundle_name(card.second)}",
        "bonus": f"Krzyżacy {number:+d}",
        "truce": "no skirmish",
        "close": f"{_field_name(card.field)} closed" if card.field else "",
        "officer": f"an officer counts {number}",
        "supply": f"{card.field} +{number}",
        "hire": f"a helper costs {amount(number, 'ducat')}",
    }
    return words[card.effect].replace("+-", "−").replace("-", "−")


def _bundle_name(bundle: Bundle | None) -> str:
    """Return resources that are gained or paid together in words."""
    parts = [amount(count, name.removesuffix("s")) for name, count in bundle or () if count]
    return listed(parts) or "nothing"


# Outcomes


def _title_of(rules: Rules, move: Move) -> str:
    return FIELD_TITLES[FIELDS[move.parts["field"]]]


def _say_award(rules: Rules, move: Move) -> str:
    parts = move.parts
    who, claim = player(parts["player"]), f"strength {parts['strength']}"
    if parts["tied"]:
        claim += f"; ties go to the {'first' if rules.tie_rule == 'first-placed' else 'last'} placed"
    prize = "a helper" if parts["field"] == s.HELPERS else str(parts["prize"])
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
    lost = f"The skirmish is lost by {missing}: everyone gives up {missing} or more"
    return lost if missing else "The skirmish is won"


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
    card = _event_card(rules, observe(rules, move.before, move.viewer).event)
    return _bundle_name((card.bundle, card.second)[place] if card else None)


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
