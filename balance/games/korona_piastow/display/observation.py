"""What a seat observes, and invariants of a position: cards, magnates, limits, orders and denars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import numpy as np

from balance.contract.observations import Of, State, read_fields, see, see_each
from balance.contract.rule_tables import keep_last
from balance.games.korona_piastow.display.names import KINDS
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.rounds import look_at_realm
from balance.games.korona_piastow.kernel.state import pack_rules
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, PLAYERS, TRAITS


def conserved(rules: Rules, record: Any) -> dict[str, Any]:
    """Return all cards and magnates, and whether all values are within their limits."""
    state = read_fields(record)
    cards = [*state.stack[: state.stack_count].tolist(), *state.discards[: state.discard_count].tolist()]
    cards += state.stay_card[: state.stay_count].tolist()
    cards += [state.event] if state.event >= 0 else []
    granted = state.magnate[: len(rules.map.districts)].tolist()
    magnates = [int(state.bag[i] + state.free_magnates[:, i].sum()) + granted.count(i) for i in range(len(state.bag))]
    moving = state.phase == s.ASK_REGROUP  # limits apply when the regroup ends (REG-2)
    return {
        "cards": sorted(cards),
        "magnates of each trait": magnates,
        "fiefs within their limit": moving or bool((state.units.sum(axis=1) <= rules.fief_limit).all()),
        "nothing below 0": bool((state.units >= 0).all() and (state.denars >= 0).all()),
        "orders within their limits": _orders_fit(rules, state),
        "units have one ruler": _lords_fit(state),
    }


def _orders_fit(rules: Rules, state: State) -> bool:
    """Return whether tokens are within the limits of number and kind (ORD-1, ORD-3)."""
    for p in range(state.players):
        kinds = state.token_kind[p][: state.token_count[p]].tolist()
        if len(kinds) > rules.orders_max or not all(0 <= kind < len(ORDERS) for kind in kinds):
            return False
        if any(kinds.count(kind) + state.shown[p][kind] > rules.same_kind for kind in kinds):
            return False
    return True


def _lords_fit(state: State) -> bool:
    """Return whether every fief with units has a lord who is still in the game."""
    theirs = state.units[:, : s.FOREIGN].any(axis=1)
    lords = state.lord[theirs]
    return bool(((lords >= 0) & (lords < state.players)).all() and not state.out_round[lords].any())


packed_rules = keep_last(pack_rules)
UNSEEN = "?"  # an order face down


@dataclass(frozen=True)
class Fief:
    """Public information on a fief, with the orders there that the seat has seen."""

    name: str
    district: str
    holder: int  # a seat, -1 for no holder, -2 for the foreign states
    units: list[int]  # infantry, cavalry, knights, engines and foreign units
    building: Annotated[str, Of(words=BUILDINGS)]  # the finished one, or ""
    rising: Annotated[str, Of(words=BUILDINGS)]  # the building under construction, or ""
    time_left: int  # time units until the building is finished
    damage: int  # time units until it is active again
    devastated: bool
    besieger: int  # a seat, or -1
    tokens_of: int  # a seat, or -1
    tokens: list[str]  # the orders there, "?" for each that the seat can't see


@dataclass(frozen=True)
class District:
    """A district: its owner (a seat, -1 for none, -2 for the foreign states) and the trait of its magnate, or ""."""

    name: str
    owner: int
    magnate: Annotated[str, Of(words=TRAITS)]


@dataclass(frozen=True)
class Ruler:
    """Public information on a ruler."""

    line: str  # the capital district; "" before the ruler has one
    stands: str  # the district where the ruler is
    denars: int
    score: int  # score if the game ended now (END-2)
    fiefs: int  # number of own fiefs
    units: int  # number of units that obey the ruler, including allies
    relics: int
    free_magnates: Annotated[list[str], Of(words=TRAITS)]  # traits of the free magnates
    out_round: int  # 0 while the ruler is in the game


@dataclass(frozen=True)
class Stay:
    """A card that stays with a ruler: its id, time units left, the ruler, and the other ruler or -1."""

    card: str
    time: Annotated[int, Of("stay_time")]
    seat: Annotated[int, Of("stay_with")]
    other: Annotated[int, Of("stay_other")]


@dataclass(frozen=True)
class Observation:
    """The game as the seat to move sees it."""

    seat: int
    players: int
    round: Annotated[int, Of("round_number")]
    rounds: int
    kind: Annotated[str, Of("phase", KINDS)]  # kind of decision, as in the trace
    crown: int  # score that wins
    seats: list[Ruler]
    districts: list[District]
    fiefs: list[Fief]
    fief: str  # of the order that is given or carried out, or ""
    target: str  # of the same order, or ""
    event: str  # id of the card that is being carried out, or ""
    stays: list[Stay]
    bag: list[int]
    stack: list[str]  # ids of the cards, sorted
    discards: list[str]  # likewise

    @property
    def me(self) -> Ruler:
        """The seat to move."""
        return self.seats[self.seat]


def observe(rules: Rules, record: np.record, seat: int) -> Observation:
    """Return what `seat` may see of the state `record`."""
    state = read_fields(record)
    fields, players, phase = state.plain, state.players, state.phase
    cards = [card.id for card in rules.events.cards]
    holders, rulers = np.zeros(len(rules.map.fiefs), np.int64), np.zeros((players, 3), np.int64)
    look_at_realm(packed_rules(rules, players), record, holders, rulers)
    fiefs, ids = _see_fiefs(rules, state, seat, holders.tolist()), rules.map.district_ids
    ordering = s.ASK_ORDER <= phase <= s.ASK_VICTORY and phase not in (s.ASK_SPY, s.ASK_TURN)
    seen = not _is_giving(state) or state.seat == seat
    return see(
        Observation,
        state,
        seat=int(seat),
        rounds=rules.rounds_to_play,
        crown=rules.crown_fiefs[PLAYERS.index(players)],
        seats=_see_rulers(rules, state, rulers),
        districts=see_each(District, state, len(ids), name=ids),
        fiefs=fiefs,
        fief=fiefs[state.fief].name if ordering and seen else "",
        target=fiefs[state.target].name if phase in (s.ASK_SEND, s.ASK_VICTORY) else "",
        event=_name(cards, state.event),
        stays=see_each(Stay, state, state.stay_count, card=_list(cards, fields["stay_card"], state.stay_count)),
        stack=sorted(_list(cards, fields["stack"], state.stack_count)),
        discards=sorted(_list(cards, fields["discards"], state.discard_count)),
    )


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number >= 0 else ""


def _list(names: Sequence[str], numbers: Sequence[int], count: int) -> list[str]:
    """Return the names of the first `count` numbers."""
    return [names[number] for number in numbers[:count]]


def _is_giving(state: State) -> bool:
    """Return whether orders are given now: then a seat can't see others' tokens on the map."""
    return state.phase in (s.ASK_FIEF, s.ASK_ORDER)


def _see_fiefs(rules: Rules, state: State, seat: int, holders: list[int]) -> list[Fief]:
    fields, places = state.plain, rules.map.fiefs
    tokens = _see_tokens(state, seat)
    seen = [tokens.get(number, (s.NOTHING, [])) for number in range(len(places))]
    left = zip(fields["time_left"], fields["rising"], strict=True)
    return see_each(
        Fief,
        state,
        len(places),
        name=[fief.id for fief in places],
        district=[fief.district for fief in places],
        holder=holders,
        time_left=[time if rising >= 0 else 0 for time, rising in left][: len(places)],
        tokens_of=[owner for owner, _ in seen],
        tokens=[kinds for _, kinds in seen],
    )


def _see_tokens(state: State, seat: int) -> dict[int, tuple[int, list[str]]]:
    """Return the owner and kinds of the tokens in each fief that has some, as far as the seat knows them."""
    fields = state.plain
    found: dict[int, tuple[int, list[str]]] = {}
    for p in [seat] if _is_giving(state) else range(state.players):
        tokens = zip(fields["token_fief"][p], fields["token_kind"][p], strict=True)
        for fief, kind in islice(tokens, fields["token_count"][p]):
            owner, kinds = found.setdefault(fief, (p, []))
            if owner == p:  # if two seats have tokens in a fief, the first seat's count
                kinds.append(ORDERS[kind] if p == seat or fields["spied"][seat] == fief else UNSEEN)
    return found


def _see_rulers(rules: Rules, state: State, counts: np.ndarray) -> list[Ruler]:
    """Return the rulers; `counts` has the score, fiefs and units of each."""
    line, stands = (
        [_name(rules.map.district_ids, place) for place in state.plain[name][: state.players]]
        for name in ("capital", "stands")
    )
    score, fiefs, units = counts.T.tolist()
    return see_each(Ruler, state, state.players, line=line, stands=stands, score=score, fiefs=fiefs, units=units)
