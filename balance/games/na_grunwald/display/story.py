"""A game of Na Grunwald! in words: labels of actions as on the rule page, and sentences about moves and results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed, player
from balance.games.na_grunwald.display.observation import Knights, Observation, observe
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import FIELDS, KNIGHTS, Bundle, EventCard, list_events
from balance.games.na_grunwald.rules.ruleset import Rules

FIELD_TITLES = {
    "krzyzacy": N_("Krzyżacy"),
    "crown": N_("Crown knights"),
    "provisions": N_("Provisions"),
    "ducats": N_("Ducats"),
    "mercenaries": N_("Mercenaries"),
    "helpers": N_("Helpers"),
}

# Labels, and parts of the trace

_KINDS = ("place", "place", "fight", "plunder", "hire", "buy", "bid", "send", "enter", "starve")
_SOURCES = ("provision", "hand crown", "hand mercenary", "camp crown", "camp mercenary", "captive")
_SEEN = {
    a.SEE_CROWN: s.CROWN_FIELD,
    a.SEE_PROVISIONS: s.PROVISIONS,
    a.SEE_MERCENARIES: s.MERCENARY_FIELD,
    a.SEE_KRZYZACY: s.KRZYZACY,
}
# Kinds that name a knight, and the word for none.
_NO_KNIGHT = {
    a.FIGHT: "peasant",
    a.SEND: "none",
    a.ENTER: "none",
    a.STARVE: "",
}

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
    """Return the label of an action or chance outcome, a code of `actions.encode`."""
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
    "crown": N_("Turned up: crown knights {first} and {second}"),
    "provisions": N_("Turned up: provisions {first} for the first, {second} for the second"),
    "ducats": N_("Turned up: ducats {first}, {second} and {third}"),
    "mercenaries": N_("Turned up: mercenaries {first} and {second}"),
    "krzyzacy": N_("Turned up: Krzyżacy {first} and {second}"),
}
_CARDS = {
    "fight crown": N_("{who} sends a crown knight of {strength} into the skirmish"),
    "fight mercenary": N_("{who} sends a mercenary of {strength} into the skirmish"),
    "fight peasant": N_("{who} sends the peasant into the skirmish"),
    "send crown": N_("{who} sends a crown knight of {strength} to the task"),
    "send mercenary": N_("{who} sends a mercenary of {strength} to the task"),
    "send none": N_("{who} sends no knight to the task"),
    "enter crown": N_("{who} enters a crown knight of {strength}"),
    "enter mercenary": N_("{who} enters a mercenary of {strength}"),
    "enter none": N_("{who} enters no knight"),
    "starve crown": N_("{who} cannot feed a crown knight of {strength}"),
    "starve mercenary": N_("{who} cannot feed a mercenary of {strength}"),
    "give provision": N_("{who} gives up a provision"),
    "give captive": N_("{who} gives up a captive of {strength}"),
    "give hand crown": N_("{who} gives up a crown knight of {strength} from the hand"),
    "give hand mercenary": N_("{who} gives up a mercenary of {strength} from the hand"),
    "give camp crown": N_("{who} gives up a crown knight of {strength} from the camp"),
    "give camp mercenary": N_("{who} gives up a mercenary of {strength} from the camp"),
}
_ANSWERS = {
    "hire yes": N_("{who} buys a helper"),
    "hire no": N_("{who} does not buy a helper"),
    "buy yes": N_("{who} buys the lot"),
    "buy no": N_("{who} does not buy the lot"),
}


def say(label: str, who: str) -> str:
    """Return a label of the trace as a sentence about `who`, a player, or "" for chance."""
    verb, *words = label.split()
    if verb == "reveal":
        return _say_revealed(words[0], words[1:])
    if label in ("pass", "bid pass"):
        return tr("{who} passes", who=who)
    if verb == "bid":
        return tr("{who} bids {ducats}", who=who, ducats=words[0])
    if verb == "place":
        return _say_placed(who, words)
    if label in _ANSWERS:
        return tr(_ANSWERS[label], who=who)
    card, _, strength = label.rpartition(" ")
    if strength.isdigit():
        return tr(_CARDS[card], who=who, strength=strength)
    return tr(_CARDS[label], who=who)


def _say_revealed(what: str, values: list[str]) -> str:
    if what == "event":
        return tr("Event: {event}", event=values[0].replace("_", " "))
    if what == "provisions" and values[1] == "0":
        return tr("Turned up: provisions {first}, nothing for the second", first=values[0])
    return tr(_SHOWN[what], **dict(zip(("first", "second", "third"), values, strict=False)))


def _say_placed(who: str, words: list[str]) -> str:
    """Return a placement in words; `words` are the field, the pawns and, on some fields, a stake."""
    name, pawns, *numbers = words
    field = tr(FIELD_TITLES[name])
    if pawns == "officer":
        text = tr("{who} places the officer on {field}", who=who, field=field)
    else:
        n = int(numbers.pop(0))
        text = trn(
            "{who} places {n} helper on {field}",
            "{who} places {n} helpers on {field}",
            n,
            who=who,
            field=field,
        )
    stake = int(numbers[0]) if numbers else 0
    return f"{text} {trn('with {n} ducat', 'with {n} ducats', stake)}" if stake else text


def name_goods(provisions: int = 0, ducats: int = 0, helpers: int = 0) -> str:
    """Return the goods of which there are more than 0 in words."""
    parts = [
        (provisions, trn("{n} provision", "{n} provisions", provisions)),
        (ducats, trn("{n} ducat", "{n} ducats", ducats)),
        (helpers, trn("{n} helper", "{n} helpers", helpers)),
    ]
    return listed([text for count, text in parts if count])


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: goods, cards and captives."""
    return [
        tr(
            "{name}: {ducats}, {provisions}, {helpers}; hand: {hand}; camp: {camp}; captives: {captives}",
            name=name,
            ducats=trn("{n} ducat", "{n} ducats", me.ducats),
            provisions=trn("{n} provision", "{n} provisions", me.provisions),
            helpers=trn("{n} helper", "{n} helpers", me.helpers),
            hand=_knights(me.hand),
            camp=_knights(me.camp),
            captives=" ".join(map(str, me.captives)) or tr("none"),
        )
        for name, me in zip(names, observation.seats, strict=True)
    ]


_OF_KIND = {"crown": N_("crown {strengths}"), "mercenary": N_("mercenary {strengths}")}


def _knights(knights: Knights) -> str:
    parts = [
        tr(_OF_KIND[kind], strengths=" ".join(map(str, cards)))
        for kind, cards in knights.items()
        if cards
    ]
    return ", ".join(parts) or tr("none")


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    verb, *words = move.label.split()
    seen = observe(rules, move.after, move.viewer)
    if move.seat == CHANCE:
        text, about = _tell_revealed(rules, seen, move.label), words[0]
    else:
        text = say(move.label, move.who)
        about = words[0] if verb == "place" else {"fight": "krzyzacy", "hire": "helpers"}.get(verb, "")
    return [Told(text, seen, tr(FIELD_TITLES.get(about, "")))]


def _tell_revealed(rules: Rules, seen: Observation, label: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    _, what, *values = label.split()
    if what == "event":
        return tr("Event: {event}", event=_event_name(rules, values[0]))
    text = say(label, "")
    shown = [value for value in values if value != "0"]
    won = [str(prize) for prize in seen.prizes[what] if prize]
    if what == "krzyzacy" or sorted(won) == sorted(shown):
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
