"""A position of Grody in panels: the board as a drawing, the players, the decks and the current combat."""

from __future__ import annotations

from balance.contract.view import Cell, Panel, draw, seat_mark
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player, strategy_of
from balance.games.grody.display.names import BOARD, BUILDING_TITLES, CARD_TITLES, GROD_TITLES, PLAYERS, TERRAIN_TITLES
from balance.games.grody.display.observation import Combat, Observation, Segment, Warrior
from balance.games.grody.rules.ruleset import Rules

_BEHAVIOURS = {
    "": N_("is ready"),
    "fleeing": N_("flees"),
    "standing": N_("stands"),
    "fighting": N_("fights"),
    "furious": N_("is furious"),
}
_TABLE = N_("On the table")
_SIDE, _GAP = 92, 6  # of a segment, in pixels
_COLOURS = {
    "rownina": "#a8c66c",
    "pustynia": "#e3c77a",
    "las": "#5d9a5b",
    "wzgorza": "#b0906a",
    "rzeka": "#7fb2d6",
    "bagno": "#8d8f6f",
    "grod": "#c9c3bb",
    "": "none",
}


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: points, segments, warriors and cards."""
    return [f"{name}: {_summarise_seat(observation, seat)}" for seat, name in enumerate(names)]


def _summarise_seat(observation: Observation, seat: int) -> str:
    parts = [
        trn("{n:g} point", "{n:g} points", observation.points[seat]),
        trn("{n:g} segment", "{n:g} segments", observation.owned[seat]),
        trn("{n:g} warrior", "{n:g} warriors", _count_warriors(observation, seat)),
        trn("{n:g} card", "{n:g} cards", observation.cards[seat]),
    ]
    if held := observation.prisoners[seat]:
        parts.append(trn("holds {n:g} prisoner", "holds {n:g} prisoners", held))
    return ", ".join(parts)


def _count_warriors(observation: Observation, seat: int) -> int:
    return sum(segment.warriors[seat] for segment in observation.board.values())


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return the board, the players and the current combat as panels."""
    columns = [tr("player"), tr("points"), tr("segments"), tr("warriors"), tr("prisoners"), tr("cards")]
    panels = [
        Panel(tr(BOARD), svg=_draw_board(rules, observation)),
        Panel(tr(PLAYERS), columns, [_player_row(observation, seat, name) for seat, name in enumerate(names)]),
        Panel(tr(_TABLE), rows=_table(observation)),
    ]
    if observation.combat:
        panels.append(_combat_panel(observation.combat))
    return panels


def _player_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    named = strategy_of(name)
    if observation.active == seat:
        named = tr("{player} (to move)", player=named)
    return [
        [seat_mark(seat), f" {named}"],
        str(observation.points[seat]),
        str(observation.owned[seat]),
        str(_count_warriors(observation, seat)),
        str(observation.prisoners[seat]),
        str(observation.cards[seat]),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    left = [
        tr("{n} {terrain}", n=count, terrain=tr(TERRAIN_TITLES[name]))
        for name, count in observation.terrains.items()
        if count
    ]
    rows: list[list[Cell]] = [
        [tr("terrains left"), ", ".join(left) or tr("none")],
        [tr("fate cards to draw"), str(observation.pile)],
    ]
    if observation.hand:
        hand = ", ".join(CARD_TITLES[card] for card in observation.hand)
        rows.append([tr("hand of the {player}", player=player(observation.seat)), hand])
    if observation.aside:
        rows.append([tr("not playable this turn"), f"{observation.aside} {CARD_TITLES['wieszczba']}"])
    return rows


def _combat_panel(combat: Combat) -> Panel:
    rows: list[list[Cell]] = [
        [[seat_mark(seat)], str(warrior.number), _describe(warrior)]
        for seat, side in enumerate(combat.sides)
        for warrior in side
    ]
    note = tr("round {n}", n=combat.round) if combat.round else tr("before the first round")
    title = tr("Combat on {place}", place=combat.segment)
    return Panel(title, ["", tr("warrior"), ""], rows, note=note)


def _describe(warrior: Warrior) -> str:
    parts = [tr(_BEHAVIOURS[warrior.behaviour])]
    if warrior.roll:
        parts.append(tr("rolled {n}", n=warrior.roll))
    if warrior.raised:
        parts.append(tr("morale {change:+d}", change=warrior.raised))
    return ", ".join(parts)


def _draw_board(rules: Rules, observation: Observation) -> str:
    """Return the board with everything on it as an SVG element, one line for each segment."""
    board, step = rules.board, _SIDE + _GAP
    size = step * max(column for column, _ in board.places) + _GAP, step * rules.rows + _GAP
    lines = []
    for name, (column, row) in zip(board.names, board.places, strict=True):
        x, y = (column - 1) * step + _GAP, (row - 1) * step + _GAP
        lines.append(_draw_segment(name, observation.board[name], x, y))
    return draw(size, tr("Board with terrain and warriors"), "", lines)


def _draw_segment(name: str, segment: Segment, x: int, y: int) -> str:
    """Return a square in the terrain's colour with a frame in the owner's colour, with texts and warriors."""
    frame = "#9aa39a" if segment.owner is None else f"var(--s{segment.owner})"
    dashed = "" if segment.terrain else ' stroke-dasharray="4 4"'
    parts = [
        f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" rx="6" fill="{_COLOURS[segment.terrain]}" '
        f'fill-opacity="0.55" stroke="{frame}" stroke-width="4"{dashed}/>',
        _text(x + 8, y + 18, _title(segment)),
        _text(x + _SIDE - 8, y + _SIDE - 7, name, ' text-anchor="end" fill-opacity="0.65"'),
    ]
    if segment.building:
        parts.append(_text(x + 8, y + 34, tr(BUILDING_TITLES[segment.building])))
    for seat, count in enumerate(segment.warriors):
        for i in range(count):  # the second seat's are below the first's, and the sixth begins a new line
            at = f'cx="{x + 14 + 17 * (i % 5)}" cy="{y + 46 + 24 * seat + 10 * (i // 5)}"'
            parts.append(f'<circle {at} r="7" fill="var(--s{seat})" stroke="var(--paper, #fff)"/>')
    return "".join(parts)


def _title(segment: Segment) -> str:
    if segment.terrain == "grod":
        return GROD_TITLES[segment.owner or 0]
    return tr(TERRAIN_TITLES[segment.terrain]) if segment.terrain else ""


def _text(x: int, y: int, words: str, look: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="currentColor"{look}>{words}</text>'
