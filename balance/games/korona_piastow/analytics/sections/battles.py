"""Invasions in traced games: replays them and compares the strength of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import LEAST_GAMES, Answers, traced_cells
from balance.analysis.question import Question, scale
from balance.engine.stepper import Stepper
from balance.experiments.plan import Cell
from balance.games.korona_piastow.display.labels import thing
from balance.games.korona_piastow.display.observation import holder_of
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.geography import BUILDINGS
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Figure, Headline, Section, Table, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import by_players
from balance.runs.folder import RunFolder
from balance.stats.intervals import ratio_interval, share_interval

GAMES = 30
"""Number of first games of a cell that are replayed; one replay takes 0.1 seconds."""
AGAINST = {s.NOBODY: "nobody", s.FOREIGN_STATES: "foreign states"}
RULER = "a ruler"


def read_battles(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return the invasions of the first traced games of these variants; None if too few games were traced.

    Returns
    -------
    DataFrame
        One row per invasion: ``players``, ``variant``, ``deal_seed``, ``game_id``, ``round``, ``seat``, ``against``
        (`AGAINST`, or `RULER`), ``building`` that counts for the defence (or "none"), ``engines`` sent, ``defends``
        (orders to defend that took effect), ``lead`` (attack minus defence, without fate), ``fate`` (the attacker's
        card minus the defender's), ``revenge`` and ``won`` (0 or 1).
    """
    rows: list[dict[str, Any]] = []
    for cell, connection, games in traced_cells(run, variants):
        traces = connection.execute(_sql(games)).df()
        if len(traces) < LEAST_GAMES:
            continue
        for game in traces.head(GAMES).itertuples():
            keys = {"players": cell.players, "variant": cell.variant.name}
            keys |= {"deal_seed": game.deal_seed, "game_id": game.game_id}
            rows += [keys | row for row in _watch(cell, run, int(game.deal_seed), list(game.labels))]
    return pd.DataFrame(rows) if rows else None


def _sql(games: str) -> str:
    """Return SQL for the decisions of the games that ended, in order."""
    return f"""
        SELECT game_id, any_value(deal_seed) AS deal_seed, list(label ORDER BY step) AS labels
        FROM trace JOIN games USING (game_id)
        WHERE seat >= 0 AND status <> 'truncated' AND {games}
        GROUP BY game_id ORDER BY game_id
    """


def _watch(
    cell: Cell, run: RunFolder, deal_seed: int, labels: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Replay a game from its logged decisions, and yield a row for every invasion."""
    stepper = Stepper.deal(run.plan.game, cell.variant.rules, cell.players, deal_seed)
    for label in labels:
        index = stepper.options().index(label)
        if label.startswith("send "):
            yield _look(stepper, label, index)
        else:
            stepper.take(index)


def _look(stepper: Stepper, label: str, index: int) -> dict[str, Any]:
    """Fight an invasion, and return the strength of both sides and the result."""
    state, log, seat = stepper.state, stepper.log, stepper.seat
    target, won = int(state.target), int(log.seats[seat].won)
    holder, building = holder_of(stepper.rules, state, target), int(state.building[target])
    row = {
        "round": stepper.round,
        "seat": seat,
        "against": AGAINST.get(holder, RULER),
        "engines": int(label.split()[1].split(":")[s.ENGINE]),
        "revenge": int(state.avenging),
    }
    stepper.take(index)
    return row | {
        "building": BUILDINGS[building] if log.walls > 0 else "none",
        "defends": int(log.defends),
        "lead": int(log.attack) - int(log.defence),
        "fate": _fate(stepper),
        "won": int(log.seats[seat].won) - won,
    }


def _fate(stepper: Stepper) -> int:
    """Return the attacker's number minus the defender's on the fate cards just drawn (LOS-1)."""
    cards = [step.label.split() for step in stepper.recorded()]
    attack = next(int(words[3]) for words in cards if words[:2] == ["fate", "attack"])
    return attack - next(int(words[4]) for words in cards if words[:2] == ["fate", "defence"])


ORDER = 120
CELL = ["players", "variant"]
LEAST = 20
"""Fewest invasions from which a share is estimated."""
TEXT = (
    "The lead is the attack minus the defence before both sides turn up their cards (CMB-1, LOS-1); the attacker needs "
    "more than the defender. The cards decide an invasion if its result differs from the result without cards. "
    "From the first {games} traced games of each player count and variant."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: invasions are in traces, which `read_battles` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write curves by lead and bars by holder, for each shown variant; None without traces."""
    battles = read_battles(context.run, context.shown)
    if battles is None:
        return None
    battles = battles.assign(
        won=100 * battles["won"],
        turned=100 * ((battles["lead"] > 0) != (battles["won"] > 0)),
        building=battles["building"].map(thing),
    )
    leads, against = shares(battles, "won", ["lead"]), shares(battles, "won", ["against"])
    section = Section("battles", "Invasions", [TEXT.format(games=GAMES)], _says(battles))
    for number, variant in enumerate(context.shown):
        drawn = _draw(number, variant, leads, against)
        section.figures.extend(replace(figure, variant=variant) for figure in drawn)
    section.tables.extend(_tables(battles, leads, against))
    return Written(section)


def shares(battles: pd.DataFrame, column: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the share of invasions for which a column is 100, by other columns.

    Parameters
    ----------
    battles : DataFrame
        From `read_battles`; `column` holds 0 or 100.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high`` (percent), ``n`` (invasions, at least
        `LEAST`). Intervals of shares are clustered by deal.
    """
    keys, rows = [*CELL, *by], []
    for key, group in battles.groupby(keys):
        if len(group) >= LEAST:
            decks = group.groupby("deal_seed")[column].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(decks[:, 0] / 100, decks[:, 1])), 100)
            each = {name: float(getattr(found, name)) for name in ("value", "low", "high")}
            rows.append(dict(zip(keys, key, strict=True)) | each | {"n": len(group)})
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    order = list(dict.fromkeys(battles["variant"]))
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _draw(number: int, variant: str, leads: pd.DataFrame, against: pd.DataFrame) -> list[Figure]:
    """Draw the share of invasions that are won, by lead and by holder."""
    figures, own = [], leads[leads["variant"] == variant]
    if len(own):
        caption = f"How often invasions are won, by their lead before the cards, variant {variant}."
        how = Curves("lead", ("attack minus defence", "% won"))
        curves = own.assign(curve="invasions")
        figures.append(draw_curves(stem("battles", number), caption, curves, how))
    own = against[against["variant"] == variant]
    if len(own):
        caption = f"How often invasions are won, by who holds the fief, variant {variant}."
        figures.append(
            draw_rows(stem("battles-against", number), caption, own, "against", "% won", 100.0)
        )
    return figures


def _tables(battles: pd.DataFrame, leads: pd.DataFrame, against: pd.DataFrame) -> list[Table]:
    won = "% of invasions that are won"
    rows = ["variant", "lead"]
    turned = shares(battles, "turned", ["lead"])
    return [
        side_by_side("battles", f"{won}, by attack minus defence before the cards.", leads, rows, 1),
        side_by_side(
            "battles-against", f"{won}, by who holds the fief.", against, ["variant", "against"], 1
        ),
        *(
            side_by_side(
                f"battles-{by}", f"{won}, {words}.", shares(battles, "won", [by]), ["variant", by], 1
            )
            for by, words in (
                ("building", "by the building that counts"),
                ("defends", "by orders to defend that take effect"),
            )
        ),
        side_by_side(
            "battles-turned", "% of invasions that the cards decide, by lead.", turned, rows, 1
        ),
    ]


def _says(battles: pd.DataFrame) -> list[Headline]:
    """Report the share won of all invasions, of rulers' fiefs and at even strength, and the share the cards decide."""
    groups = (
        ("invasions won:", "won", battles),
        ("invasions of other rulers' fiefs won:", "won", battles[battles["against"] == RULER]),
        ("invasions of even strength won:", "won", battles[battles["lead"] == 0]),
        ("invasions that the cards decide:", "turned", battles),
    )
    says = []
    for variant in dict.fromkeys(battles["variant"]):
        parts = []
        for words, column, part in groups:
            found = shares(part[part["variant"] == variant], column)
            if len(found):
                parts.append(
                    f"{words} {by_players(found, _percent)} (n ≥ {int(found['n'].min()):,} invasions)"
                )
        if parts:
            says.append(Headline(f"{variant}: {'; '.join(parts)}.", variant))
    return says


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} %"
