"""What happens in Na Grunwald!, in words: actions, chance, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import product

from balance.contract.actions import ActionTable, Deed
from balance.contract.view import Move
from balance.foundation.compiling import uncompiled
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed, player
from balance.games.na_grunwald.display.names import FIELD_TITLES, WORDS, bundle_name, event_card, event_name, title_of
from balance.games.na_grunwald.display.observation import observe
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.state import pack_rules
from balance.games.na_grunwald.rules.decks import list_events
from balance.games.na_grunwald.rules.ruleset import Rules


def _say_placed(who: str, field: str, pawns: str = "", stake: str = "0") -> str:
    if pawns:
        text = trn(
            "{who} places {n} helper on {field}", "{who} places {n} helpers on {field}", int(pawns),
            who=who, field=field,
        )  # fmt: skip
    else:
        text = tr("{who} places the officer on {field}", who=who, field=field)
    return f"{text} {trn('with {n} ducat', 'with {n} ducats', int(stake))}" if int(stake) else text


def _say_provisions(who: str, first: str, second: str) -> str:
    if second == "0":
        return tr("Turned up: provisions {first}, nothing for the second", first=first)
    return tr("Turned up: provisions {first} for the first, {second} for the second", first=first, second=second)


def _tell_event(rules: Rules, move: Move, text: str) -> str:
    event = list_events(rules.event_deck)[move.parts["event"]]
    return tr("Event: {event}", event=event_name(rules, event.id))


def _tell_revealed(rules: Rules, move: Move, text: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    shown = [str(move.parts[name]) for name in ("first", "second", "third") if move.parts.get(name)]
    won = [str(prize) for prize in move.after.prize[move.parts["field"]].tolist() if prize]
    if sorted(won) == sorted(shown):
        return text
    return tr("{text}; to be won: {prizes}", text=text, prizes=listed(won) or tr("nothing"))


_SKIRMISH, _HELPERS = FIELD_TITLES["krzyzacy"], FIELD_TITLES["helpers"]
_DEEDS = {  # by kind and by what else decides the words, see `_read`
    a.PASS: Deed("pass", N_("{who} passes")),
    (a.PLACE, True, True): Deed("place {field} officer {stake}", _say_placed, title_of),
    (a.PLACE, True, False): Deed("place {field} officer", _say_placed, title_of),
    (a.PLACE, False, True): Deed("place {field} helpers {pawns} {stake}", _say_placed, title_of),
    (a.PLACE, False, False): Deed("place {field} helpers {pawns}", _say_placed, title_of),
    (a.FIGHT, 0): Deed("fight peasant", N_("{who} sends the peasant into the skirmish"), _SKIRMISH),
    (a.FIGHT, 1): Deed("fight crown {value}", N_("{who} sends a crown knight of {value} into the skirmish"), _SKIRMISH),
    (a.FIGHT, 2): Deed(
        "fight mercenary {value}", N_("{who} sends a mercenary of {value} into the skirmish"), _SKIRMISH
    ),
    (a.GIVE, a.FROM_PROVISIONS): Deed("give provision", N_("{who} gives up a provision")),
    (a.GIVE, a.FROM_HAND_CROWN): Deed(
        "give hand crown {value}", N_("{who} gives up a crown knight of {value} from the hand")
    ),
    (a.GIVE, a.FROM_HAND_MERCENARY): Deed(
        "give hand mercenary {value}", N_("{who} gives up a mercenary of {value} from the hand")
    ),
    (a.GIVE, a.FROM_CAMP_CROWN): Deed(
        "give camp crown {value}", N_("{who} gives up a crown knight of {value} from the camp")
    ),
    (a.GIVE, a.FROM_CAMP_MERCENARY): Deed(
        "give camp mercenary {value}", N_("{who} gives up a mercenary of {value} from the camp")
    ),
    (a.GIVE, a.FROM_CAPTIVES): Deed("give captive {value}", N_("{who} gives up a captive of {value}")),
    (a.HIRE, 0): Deed("hire no", N_("{who} does not buy a helper"), _HELPERS),
    (a.HIRE, 1): Deed("hire yes", N_("{who} buys a helper"), _HELPERS),
    (a.BUY, 0): Deed("buy no", N_("{who} does not buy the lot")),
    (a.BUY, 1): Deed("buy yes", N_("{who} buys the lot")),
    (a.BID, False): Deed("bid pass", N_("{who} passes")),
    (a.BID, True): Deed("bid {bid}", N_("{who} bids {bid}")),
    (a.SEND, 0): Deed("send none", N_("{who} sends no knight to the task")),
    (a.SEND, 1): Deed("send crown {value}", N_("{who} sends a crown knight of {value} to the task")),
    (a.SEND, 2): Deed("send mercenary {value}", N_("{who} sends a mercenary of {value} to the task")),
    (a.ENTER, 0): Deed("enter none", N_("{who} enters no knight")),
    (a.ENTER, 1): Deed("enter crown {value}", N_("{who} enters a crown knight of {value}")),
    (a.ENTER, 2): Deed("enter mercenary {value}", N_("{who} enters a mercenary of {value}")),
    (a.STARVE, 1): Deed("starve crown {value}", N_("{who} cannot feed a crown knight of {value}")),
    (a.STARVE, 2): Deed("starve mercenary {value}", N_("{who} cannot feed a mercenary of {value}")),
    a.SEE_EVENT: Deed("reveal event {event}", N_("Event: {event}"), told=_tell_event),
    a.SEE_CROWN: Deed(
        "reveal crown {first} {second}", N_("Turned up: crown knights {first} and {second}"), title_of, _tell_revealed
    ),
    a.SEE_PROVISIONS: Deed("reveal provisions {first} {second}", _say_provisions, title_of, _tell_revealed),
    a.SEE_DUCATS: Deed(
        "reveal ducats {first} {second} {third}", N_("Turned up: ducats {first}, {second} and {third}"), title_of,
        _tell_revealed,
    ),
    a.SEE_MERCENARIES: Deed(
        "reveal mercenaries {first} {second}", N_("Turned up: mercenaries {first} and {second}"), title_of,
        _tell_revealed,
    ),
    a.SEE_KRZYZACY: Deed(
        "reveal krzyzacy {first} {second}", N_("Turned up: Krzyżacy {first} and {second}"), title_of
    ),
}  # fmt: skip
_SEEN = {
    a.SEE_CROWN: s.CROWN_FIELD,
    a.SEE_PROVISIONS: s.PROVISIONS,
    a.SEE_MERCENARIES: s.MERCENARY_FIELD,
    a.SEE_KRZYZACY: s.KRZYZACY,
}

kind_of, first_of, second_of, third_of = map(uncompiled, (a.kind_of, a.first_of, a.second_of, a.third_of))


def _read(code: int) -> tuple[Hashable, Mapping[str, int]]:
    """Return the key of a code in the table of deeds, and its numbers by name."""
    kind, first, second, third = kind_of(code), first_of(code), second_of(code), third_of(code)
    if kind == a.PLACE:
        numbers = {"field": first, "officer": int(not second), "pawns": second, "stake": third}
        return (kind, not second, first in (s.PROVISIONS, s.MERCENARY_FIELD)), numbers
    if kind == a.GIVE:
        knight = {} if first in (a.FROM_PROVISIONS, a.FROM_CAPTIVES) else {"knight": (first - 1) % 2}
        return (kind, first), {"source": (first + 1) // 2, "value": third, **knight}
    if kind in (a.FIGHT, a.SEND, a.ENTER, a.STARVE):
        return (kind, second), {"knight": second - 1, "value": third} if second else {}
    if kind in (a.HIRE, a.BUY):
        return (kind, third), {"accepted": third}
    if kind == a.BID:
        return (kind, third > 0), {"bid": third}
    if kind == a.SEE_EVENT:
        return kind, {"event": third}
    if kind == a.SEE_DUCATS:
        return kind, {"field": s.DUCATS, "first": first, "second": second, "third": third}
    return kind, {"field": _SEEN[kind], "first": second, "second": third} if kind in _SEEN else {}


ACTIONS = ActionTable(
    _DEEDS, _read, WORDS,
    said={"field": lambda field: tr(FIELD_TITLES[field]), "event": lambda event: event.replace("_", " ")},
)  # fmt: skip

_KINDS = ("place", "place", "fight", "plunder", "hire", "buy", "bid", "send", "enter", "starve")


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = kind_of(code)
    return _KINDS[kind] if kind < len(_KINDS) else "chance"


_STRENGTHS = range(1, s.STRENGTHS)


def _largest_purse(rules: Rules, players: int) -> int:
    """Return the most ducats that a player can own: the start, and the best card and event each round."""
    events = list_events(rules.event_deck)
    supply = max((card.n or 0 for card in events if card.field == "ducats"), default=0)
    bundles = [bundle.ducats for card in events for bundle in (card.bundle, card.second) if bundle]
    a_round = max(max(card) for card in rules.cards.ducats.values) + supply + max(bundles, default=0)
    start = int(pack_rules(rules, players).start_ducats.max())
    return start + rules.rounds * a_round


def _list_placements(rules: Rules, purse: int) -> Iterator[int]:
    """Yield every placement of the officer (0 pawns) or of helpers, with every stake."""
    for field in range(s.FIELD_COUNT):
        few = field in (s.KRZYZACY, s.MERCENARY_FIELD)  # one pawn
        stakes = field in (s.PROVISIONS, s.MERCENARY_FIELD)
        pawns = range(1 + min(rules.pawns.most_helpers, 1 if few else s.STRENGTHS))
        for each, stake in product(pawns, range(1 + purse * stakes)):
            if stake or field != s.MERCENARY_FIELD:
                yield a.encode(a.PLACE, field, each, stake)


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    purse = _largest_purse(rules, players)
    yield a.encode(a.PASS, 0, 0, 0)
    yield from _list_placements(rules, purse)
    for kind in (a.FIGHT, a.SEND, a.ENTER):
        yield a.encode(kind, 0, 0, 0)
    for kind, knight, strength in product((a.FIGHT, a.SEND, a.ENTER, a.STARVE), (1, 2), _STRENGTHS):
        yield a.encode(kind, 0, knight, strength)
    yield a.encode(a.GIVE, a.FROM_PROVISIONS, 0, 1)
    for source, strength in product(range(a.FROM_HAND_CROWN, a.FROM_CAPTIVES + 1), _STRENGTHS):
        yield a.encode(a.GIVE, source, 0, strength)
    for kind, answer in product((a.HIRE, a.BUY), (0, 1)):
        yield a.encode(kind, 0, 0, answer)
    for bid in range(purse + 1):
        yield a.encode(a.BID, 0, 0, bid)


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
