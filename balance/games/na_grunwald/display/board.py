"""The board and the players as panels."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from balance.contract.view import Cell, Mark, Panel, seat_mark
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import strategy_of
from balance.games.na_grunwald.display.names import FIELD_TITLES, event_name, name_goods
from balance.games.na_grunwald.display.observation import Knights, Observation, Pawns
from balance.games.na_grunwald.kernel.state import STRENGTHS
from balance.games.na_grunwald.rules.decks import KNIGHTS
from balance.games.na_grunwald.rules.ruleset import Rules

SIGNS = (
    (Mark("officer"), N_("officer")),
    (Mark("pawn"), N_("helper")),
    (Mark("coin", "3"), N_("ducats staked")),
    (Mark("card", "5"), N_("crown knight")),
    (Mark("dashed", "4"), N_("mercenary")),
    (Mark("dark", "3"), N_("Krzyżak, captive")),
    (Mark("round", "2"), N_("provisions or ducats to be won")),
    (Mark("card", "1", pale=True), N_("not claimed")),
)
_PLAYER_COLUMNS = [
    N_("player"),
    N_("ducats"),
    N_("provisions"),
    N_("pawns left"),
    N_("hand"),
    N_("camp"),
    N_("captives"),
]


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return event_name(rules, observation.event)


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return a tile for each field, with claims next to their prizes, and a table of the players."""
    players = [_player_row(observation, seat, name) for seat, name in enumerate(names)]
    return [
        *(_tile(rules, observation, field) for field in observation.board),
        Panel(tr("Players"), [tr(column) for column in _PLAYER_COLUMNS], players),
    ]


def _tile(rules: Rules, observation: Observation, field: str) -> Panel:
    title = tr(FIELD_TITLES[field])
    if field in observation.closed:
        first = rules.krzyzacy.first_round
        early = field == "krzyzacy" and observation.round < first
        note = tr("from round {round}", round=first) if early else tr("closed")
        return Panel(title, tile=True, note=note)
    if field in observation.done:
        return Panel(title, tile=True, note=tr("resolved"))
    if field == "krzyzacy":
        return Panel(title, rows=_skirmish_rows(observation), tile=True)
    claims = sorted(observation.board[field], key=lambda pawns: pawns.place)
    rows: list[list[Cell]] = [
        [_pale(prize), "", ""] if pawns is None else [prize or "", _pawns(pawns), str(pawns.strength)]
        for prize, pawns in zip_longest(_prizes(rules, observation, field), claims)
    ]
    return Panel(title, rows=rows, tile=True)


def _prizes(rules: Rules, observation: Observation, field: str) -> list[Mark | str]:
    """Return the prizes of the first, second and third place, without empty ones."""
    values = [value for value in observation.prizes[field] if value]
    if field == "helpers":
        first = tr("buys") if rules.hire.first_pays else tr("free")
        return [first if place == 0 else tr("buys") for place in range(len(values))]
    if field in ("crown", "mercenaries"):
        return [_knight("crown" if field == "crown" else "mercenary", value) for value in values]
    return [Mark("round", str(value), title=name_goods(**{field: value})) for value in values]


def _pale(prize: Mark | str) -> Mark | str:
    return replace(prize, pale=True) if isinstance(prize, Mark) else prize


def _skirmish_rows(observation: Observation) -> list[list[Cell]]:
    """Return a row for the enemy's strength (KRZ-1), and one for each seat there with its card, once it lies open."""
    cards = [value for value in observation.prizes["krzyzacy"] if value]
    if not cards:
        return []
    bonus = observation.krzyzacy_bonus
    sign = "−" if bonus < 0 else "+"
    total = f" {sign} {abs(bonus)} = {observation.krzyzacy_strength}"
    there = observation.board["krzyzacy"]
    enemies = [Mark("dark", str(value), title=tr("Krzyżak of {strength}", strength=value)) for value in cards]
    rows: list[list[Cell]] = [[[*enemies, total]]]
    for pawns in sorted(there, key=lambda pawns: -_strength(observation.sent.get(pawns.seat, ""))):
        rows.append(["", _pawns(pawns), _card(observation.sent.get(pawns.seat, ""))])
    return rows


_CARDS = {f"{kind} {strength}": (kind, strength) for kind in KNIGHTS for strength in range(1, STRENGTHS)}
"""The knights that an observation may show; the peasant has no strength, and nor has a hidden card."""


def _strength(card: str) -> int:
    return _CARDS[card][1] if card in _CARDS else 0


def _card(card: str) -> Mark | str:
    if card in _CARDS:
        return _knight(*_CARDS[card])
    return tr("peasant") if card else ""


def _knight(kind: str, strength: int) -> Mark:
    if kind == "crown":
        return Mark("card", str(strength), title=tr("crown knight of {strength}", strength=strength))
    return Mark("dashed", str(strength), title=tr("mercenary of {strength}", strength=strength))


def _pawns(pawns: Pawns) -> list[str | Mark]:
    coin = [Mark("coin", str(pawns.ducats), title=name_goods(ducats=pawns.ducats))] if pawns.ducats else []
    return [seat_mark(pawns.seat), *_pawn_marks(pawns.seat, pawns.officer, pawns.helpers), *coin]


def _player_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    player = observation.seats[seat]
    strategy = strategy_of(name)
    if observation.start == seat:
        strategy = tr("{strategy} (starts)", strategy=strategy)
    return [
        [seat_mark(seat), f" {strategy}"],
        str(player.ducats),
        str(player.provisions),
        _pawns_left(observation, seat),
        _knights(player.hand),
        _knights(player.camp),
        [Mark("dark", str(value), title=tr("captive of {strength}", strength=value)) for value in player.captives],
    ]


def _knights(knights: Knights) -> list[Mark]:
    return [_knight(kind, value) for kind, cards in knights.items() for value in cards]


def _pawns_left(observation: Observation, seat: int) -> list[str | Mark]:
    """Return the officer and helpers that are not on the board."""
    out = [
        pawns
        for field, there in observation.board.items()
        for pawns in there
        if pawns.seat == seat and field not in observation.done
    ]
    officer = not any(pawns.officer for pawns in out)
    helpers = observation.seats[seat].helpers - sum(pawns.helpers for pawns in out)
    return _pawn_marks(seat, officer, max(0, helpers))


def _pawn_marks(seat: int, officer: bool, helpers: int) -> list[str | Mark]:
    return [
        *[Mark("officer", seat=seat, title=tr("officer"))] * officer,
        *[Mark("pawn", seat=seat, title=tr("helper"))] * helpers,
    ]


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: goods, cards and captives."""
    return [
        tr(
            "{name}: {ducats}, {provisions}, {helpers}; hand: {hand}; camp: {camp}; captives: {captives}",
            name=name,
            ducats=trn("{n} ducat", "{n} ducats", me.ducats),
            provisions=trn("{n} provision", "{n} provisions", me.provisions),
            helpers=trn("{n} helper", "{n} helpers", me.helpers),
            hand=_knights_in_words(me.hand),
            camp=_knights_in_words(me.camp),
            captives=" ".join(map(str, me.captives)) or tr("none"),
        )
        for name, me in zip(names, observation.seats, strict=True)
    ]


_OF_KIND = {"crown": N_("crown {strengths}"), "mercenary": N_("mercenary {strengths}")}


def _knights_in_words(knights: Knights) -> str:
    parts = [tr(_OF_KIND[kind], strengths=" ".join(map(str, cards))) for kind, cards in knights.items() if cards]
    return ", ".join(parts) or tr("none")
