"""The position as panels and lines: the table, the rulers, the districts, the map."""

from __future__ import annotations

from balance.contract.panel import Cell, Mark, Panel
from balance.contract.words import amount, listed, player, strategy_of
from balance.games.korona_piastow.display.board import KEY, describe, draw_map
from balance.games.korona_piastow.display.observation import Observation, Stay
from balance.games.korona_piastow.display.words import written
from balance.games.korona_piastow.rules.ruleset import Rules

TABLE, RULERS, MAP, DISTRICTS = "On the table", "Rulers", "Map", "Districts"


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """What every ruler has, a line each."""
    return [
        f"{name}, {written(ruler.line)}: "
        + (
            f"out in round {ruler.out_round}"
            if ruler.out_round
            else f"{amount(ruler.score, 'point')} of {observation.crown}, {amount(ruler.fiefs, 'fief')}, "
            f"{amount(ruler.units, 'unit')}, {amount(ruler.denars, 'denar')}"
        )
        for name, ruler in zip(names, observation.seats, strict=True)
    ]


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """The table, the rulers, the map, and the districts that are theirs."""
    return [
        Panel(TABLE, rows=_table(rules, observation)),
        Panel(
            RULERS,
            [
                "player",
                "line",
                "score",
                "fiefs",
                "units",
                "denars",
                "relics",
                "stands in",
                "free magnates",
            ],
            [_ruler_row(observation, seat, name) for seat, name in enumerate(names)],
        ),
        _show_map(rules, observation),
        Panel(DISTRICTS, ["district", "owner", "magnate"], _district_rows(rules, observation)),
    ]


def _table(rules: Rules, observation: Observation) -> list[list[Cell]]:
    names = {card.id: card.name for card in rules.events.cards}
    rows: list[list[Cell]] = [
        ["round", f"{observation.round} of {observation.rounds}"],
        ["the crown", amount(observation.crown, "point")],
        ["cards", f"{len(observation.stack)} in the stack, {len(observation.discards)} discarded"],
    ]
    if observation.event:
        rows.append(["event", names[observation.event]])
    rows += [["stays", f"{names[stay.card]}: {_say_stay(stay)}"] for stay in observation.stays]
    return rows


def _say_stay(stay: Stay) -> str:
    who = f"the {player(stay.seat)}"
    if stay.other >= 0:
        who = f"peace of {who} with the {player(stay.other)}"
    return f"{who}, {amount(stay.time, 'round')}"


def _ruler_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    ruler = observation.seats[seat]
    return [
        [Mark("seat", str(seat + 1), seat), f" {strategy_of(name)}"],
        written(ruler.line),
        f"out in round {ruler.out_round}" if ruler.out_round else str(ruler.score),
        str(ruler.fiefs),
        str(ruler.units),
        str(ruler.denars),
        str(ruler.relics),
        "" if ruler.out_round else written(ruler.stands),
        listed(ruler.free_magnates) if ruler.free_magnates else "",
    ]


def _show_map(rules: Rules, observation: Observation) -> Panel:
    """The map; of one without places the fiefs that are held, in words."""
    if drawing := draw_map(rules, observation):
        return Panel(MAP, svg=drawing, note=KEY)
    held = [fief for fief in observation.fiefs if fief.holder != -1]
    return Panel(MAP, ["holder", "fief"], [[_sign(fief.holder), describe(fief)] for fief in held])


def _district_rows(rules: Rules, observation: Observation) -> list[list[Cell]]:
    """The districts of the rulers' states; all others are free or foreign."""
    names = {district.id: district.name for district in rules.map.districts}
    return [
        [names[district.name], _sign(district.owner), district.magnate]
        for district in observation.districts
        if district.owner >= 0
    ]


def _sign(seat: int) -> Cell:
    """A ruler's sign, or a word for the foreign states."""
    return Mark("seat", str(seat + 1), seat) if seat >= 0 else "foreign"
