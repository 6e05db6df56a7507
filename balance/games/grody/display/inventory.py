"""What stays the same all game long, and what must always hold (SET-1, MOV-2, MOV-5, DRW-2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import Rules
from balance.games.grody.rules.vocabulary import BUILDINGS, CARDS, TERRAINS


def conserved(rules: Rules, state: Any) -> dict[str, Any]:
    """How many cards, terrains and buildings there are of each kind, and whether warriors stand where they may."""
    segments = range(len(rules.board.names))
    cards = state.pile + state.hand.sum(axis=0) + state.discards.sum(axis=0)
    on_board = Counter(int(state.terrain[i]) for i in segments)
    built = Counter(int(state.building[i]) for i in segments)
    return {
        "fate cards": {card: int(cards[i]) for i, card in enumerate(CARDS)},
        "terrains": {name: int(state.terrain_deck[i]) + on_board[i] for i, name in enumerate(TERRAINS)},
        "buildings": {name: int(state.tokens[i]) + built[i] for i, name in enumerate(BUILDINGS)},
        "grody": (on_board[s.GROD], *(int(state.owner[grod]) for grod in rules.board.grody)),
        "cards counted": _are_counted(state),
        "nothing below 0": bool((state.warriors >= 0).all() and (state.prisoners >= 0).all()),
        "sides meet in attacks alone": _meet_in_attacks(state, segments),
        "warriors stand on their own": _stand_on_their_own(state, segments),
        "what is turned up belongs to somebody": all(
            (state.terrain[i] == s.UNEXPLORED) == (state.owner[i] == s.NOBODY) for i in segments
        ),
    }


def _are_counted(state: Any) -> bool:
    """Whether sizes of pile, hands and terrain deck are those of their cards."""
    sizes = [int(state.pile_count), *state.hand_size.tolist(), int(state.terrain_count)]
    found = [state.pile.sum(), *state.hand.sum(axis=1).tolist(), state.terrain_deck.sum()]
    return sizes == [int(count) for count in found]


def _waiting(state: Any) -> set[int]:
    """Segments whose combat is still to come or under way."""
    fought = int(state.fought)
    first = max(0, fought - 1) if state.phase in _FIGHTING or state.window in _WINDOWS else fought
    return {int(segment) for segment in state.attacks[first : state.attack_count]}


_FIGHTING = (s.ASK_HIT, s.ASK_FLEE)
_WINDOWS = (s.BEFORE, s.DURING)


def _meet_in_attacks(state: Any, segments: range) -> bool:
    waiting = _waiting(state)
    both = {i for i in segments if state.warriors[0, i] > 0 and state.warriors[1, i] > 0}
    return both <= waiting


def _stand_on_their_own(state: Any, segments: range) -> bool:
    """Whoever stands somewhere owns it, unless it attacks, stands in a gród or has just come there first."""
    waiting = _waiting(state)
    return all(
        state.owner[i] in (seat, s.NOBODY) or i in waiting or state.terrain[i] == s.GROD
        for seat in range(s.SEATS)
        for i in segments
        if state.warriors[seat, i] > 0
    )
