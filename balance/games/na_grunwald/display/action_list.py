"""All actions of Na Grunwald!, for environments with a fixed action space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import list_events
from balance.games.na_grunwald.rules.ruleset import Rules

_STRENGTHS = range(1, s.STRENGTHS)


def _largest_purse(rules: Rules, players: int) -> int:
    """Return the most ducats that a player can own: the start, and the best card and event each round."""
    events = list_events(rules.event_deck)
    supply = max((card.n or 0 for card in events if card.field == "ducats"), default=0)
    bundles = [bundle.ducats for card in events for bundle in (card.bundle, card.second) if bundle]
    a_round = max(max(card) for card in rules.cards.ducats.values) + supply + max(bundles, default=0)
    start = int(s.pack_rules(rules, players).start_ducats.max())
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
