"""What a seat may see (DEC-4): all but others' orders face down, the order of the stack and what chance will bring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.games.korona_piastow.display.labels import KINDS
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.vocabulary import BUILDINGS, ORDERS, PLAYERS, TRAITS

UNSEEN = "?"  # an order face down


@dataclass(frozen=True)
class Fief:
    """A fief as everybody sees it, with the orders there that the seat has seen.

    Attributes
    ----------
    holder : int
        A seat, -1 nobody, -2 the foreign states.
    units : list of int
        Infantry, cavalry, knights, engines and foreign units.
    building, rising : str
        What stands and what is under construction, or "".
    time_left, damage : int
        Time units until it is finished, or active again.
    besieger, tokens_of : int
        A seat, or -1.
    tokens : list of str
        The orders there, "?" where face down to the seat.
    """

    name: str
    district: str
    holder: int
    units: list[int]
    building: str
    rising: str
    time_left: int
    damage: int
    devastated: bool
    besieger: int
    tokens_of: int
    tokens: list[str]


@dataclass(frozen=True)
class District:
    """A district: its owner (a seat, -1 nobody, -2 the foreign states) and the trait of its magnate, or ""."""

    name: str
    owner: int
    magnate: str


@dataclass(frozen=True)
class Ruler:
    """What everybody knows of a ruler.

    Attributes
    ----------
    line, stands : str
        Its capital district, and the district where it is.
    score : int
        If the game ended now (END-2).
    fiefs : int
        Own ones.
    units : int
        That obey it, allies too.
    free_magnates : list of str
        Their traits.
    out_round : int
        0 while it is in the game.
    """

    line: str
    stands: str
    denars: int
    score: int
    fiefs: int
    units: int
    relics: int
    free_magnates: list[str]
    out_round: int


@dataclass(frozen=True)
class Stay:
    """A card that stays with a ruler: its id, time units left, the ruler, and the other one or -1."""

    card: str
    time: int
    seat: int
    other: int


@dataclass(frozen=True)
class Observation:
    """The game as the seat that must choose sees it.

    Attributes
    ----------
    kind : str
        What is asked, as in the trace.
    crown : int
        Score that wins.
    seats : list of Ruler
    fief, target : str
        Of the order that is given or carried out; "" where nothing of the kind is under way.
    event : str
        Id of the card that is being carried out, or "".
    stack, discards : list of str
        Ids of the cards, sorted.
    """

    seat: int
    players: int
    round: int
    rounds: int
    kind: str
    crown: int
    seats: list[Ruler]
    districts: list[District]
    fiefs: list[Fief]
    fief: str
    target: str
    event: str
    stays: list[Stay]
    bag: list[int]
    stack: list[str]
    discards: list[str]

    @property
    def me(self) -> Ruler:
        """The seat that must choose."""
        return self.seats[self.seat]


def observe(rules: Rules, state: np.record, seat: int) -> Observation:
    """What `seat` may see of `state`."""
    players, phase = int(state.players), int(state.phase)
    cards = [card.id for card in rules.events.cards]
    fiefs = [_see_fief(rules, state, number, seat) for number in range(len(rules.map.fiefs))]
    districts = [
        District(district.id, int(state.owner[number]), _name(TRAITS, int(state.magnate[number])))
        for number, district in enumerate(rules.map.districts)
    ]
    ordering = s.ASK_ORDER <= phase <= s.ASK_VICTORY and phase not in (s.ASK_SPY, s.ASK_TURN)
    return Observation(
        seat=int(seat),
        players=players,
        round=int(state.round_number),
        rounds=rules.rounds,
        kind=KINDS[phase] if phase < len(KINDS) else "",
        crown=rules.crown_fiefs[PLAYERS.index(players)],
        seats=[_see_ruler(rules, state, p, fiefs, districts) for p in range(players)],
        districts=districts,
        fiefs=fiefs,
        fief=fiefs[state.fief].name if ordering and _may_see_order(state, seat) else "",
        target=fiefs[state.target].name if phase in (s.ASK_SEND, s.ASK_VICTORY) else "",
        event=_name(cards, int(state.event)),
        stays=[
            Stay(cards[state.stay_card[i]], *(int(state[key][i]) for key in _STAY_KEYS))
            for i in range(state.stay_count)
        ],
        bag=state.bag.tolist(),
        stack=sorted(cards[card] for card in state.stack[: state.stack_count]),
        discards=sorted(cards[card] for card in state.discards[: state.discard_count]),
    )


_STAY_KEYS = ("stay_time", "stay_with", "stay_other")


def _name(names: tuple[str, ...] | list[str], number: int) -> str:
    return names[number] if number >= 0 else ""


def _is_giving(state: np.record) -> bool:
    """Whether orders are given now: then others' are not even on the map to see."""
    return int(state.phase) in (s.ASK_FIEF, s.ASK_ORDER)


def _may_see_order(state: np.record, seat: int) -> bool:
    return not _is_giving(state) or int(state.seat) == seat


def holder_of(rules: Rules, state: np.record, fief: int) -> int:
    """Return who holds a fief (MAP-4), as `kernel.land.holder_of` has it."""
    units = state.units[fief]
    if units[: s.ENGINE].any():
        return int(state.lord[fief])
    if units[s.FOREIGN]:
        return s.FOREIGN_STATES
    return int(state.owner[rules.map.district_ids.index(rules.map.fiefs[fief].district)])


def _see_fief(rules: Rules, state: np.record, number: int, seat: int) -> Fief:
    fief = rules.map.fiefs[number]
    tokens_of, tokens = _see_tokens(state, number, seat)
    return Fief(
        name=fief.id,
        district=fief.district,
        holder=holder_of(rules, state, number),
        units=state.units[number].tolist(),
        building=_name(BUILDINGS, int(state.building[number])),
        rising=_name(BUILDINGS, int(state.rising[number])),
        time_left=int(state.time_left[number]) if state.rising[number] >= 0 else 0,
        damage=int(state.damage[number]),
        devastated=bool(state.devastated[number]),
        besieger=int(state.besieger[number]),
        tokens_of=tokens_of,
        tokens=tokens,
    )


def _see_tokens(state: np.record, fief: int, seat: int) -> tuple[int, list[str]]:
    """Whose tokens lie in a fief, and which they are as far as the seat knows."""
    for p in range(state.players):
        if _is_giving(state) and p != seat:
            continue
        here = state.token_fief[p][: state.token_count[p]] == fief
        if here.any():
            kinds = state.token_kind[p][: state.token_count[p]][here]
            known = p == seat or int(state.spied[seat]) == fief
            return p, [ORDERS[kind] if known else UNSEEN for kind in kinds]
    return s.NOTHING, []


def _see_ruler(
    rules: Rules, state: np.record, p: int, fiefs: list[Fief], districts: list[District]
) -> Ruler:
    ids = rules.map.district_ids
    own = {district.name for district in districts if district.owner == p}
    return Ruler(
        line=ids[state.capital[p]],
        stands=ids[state.stands[p]],
        denars=int(state.denars[p]),
        score=_score(rules, state, p, fiefs, districts),
        fiefs=sum(fief.district in own and fief.holder == p for fief in fiefs),
        units=sum(sum(fief.units) for number, fief in enumerate(fiefs) if state.lord[number] == p),
        relics=int(state.relics[p]),
        free_magnates=[
            trait for i, trait in enumerate(TRAITS) for _ in range(state.free_magnates[p][i])
        ],
        out_round=int(state.out_round[p]),
    )


def _score(rules: Rules, state: np.record, p: int, fiefs: list[Fief], districts: list[District]) -> int:
    """END-2, as `kernel.claims.score_of`."""
    if state.out_round[p]:
        return 0
    ids, piast = rules.map.district_ids, {found.id: found.piast for found in rules.map.districts}
    zakon = not piast[ids[state.capital[p]]]
    count = 0
    for district in districts:
        if district.owner != p or not (zakon or piast[district.name]):
            continue
        inside = [fief for fief in fiefs if fief.district == district.name]
        cathedral = any(fief.building == "cathedral" for fief in inside)
        protected = cathedral and (district.magnate or ids[state.stands[p]] == district.name)
        count += sum(fief.holder == p or bool(protected) for fief in inside)
    if not zakon:
        return count
    at = PLAYERS.index(int(state.players))
    return max(0, count + rules.crown_fiefs[at] - rules.zakon_fiefs[at])
