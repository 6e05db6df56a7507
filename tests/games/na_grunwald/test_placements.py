"""Popularity of fields and the wins that go with them, against a count of every traced decision."""

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows, report_text

from balance.analysis.gather import LEAST_GAMES
from balance.analysis.holdout import WHOLE
from balance.games.na_grunwald.analytics.sections.placements import LAST_ORDER, read_placements
from balance.games.na_grunwald.rules.decks import FIELDS
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

GAMES = 240


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a run with a trace of every game."""
    keys = {"players": [3], "strategies": ["treasurer", "quartermaster", "krzyzacy-hunter"], "games": GAMES}
    return play(tmp_path_factory.mktemp("placements") / "run", log="rounds", trace=GAMES, **keys)


def placements(path) -> pd.DataFrame:
    """Return every placement with its number among the seat's placements of that round."""
    trace = read_rows(path, "trace").sort_values(["game_id", "step"])
    placed = trace[(trace["kind"] == "place") & (trace["label"] != "pass")].copy()
    placed["field"] = placed["label"].str.split(" ").str[1]
    placed["turn"] = placed.groupby(["game_id", "round", "seat"]).cumcount() + 1
    return placed


def test_popularity_is_counted_right(path):
    """Popularity by round and by order of placement equals the count."""
    found = read_placements(RunFolder.open(path), ["base"])
    found = found[(found["half"] == WHOLE) & (found["measure"] == "chosen")]
    assert set(found["field"]) == set(FIELDS)
    placed = placements(path)
    for row in found.itertuples():
        if row.by == "round":
            there = placed[placed["round"] == row.slot].groupby(["game_id", "seat"])["field"].agg(set)
            share = np.mean([row.field in fields for fields in there])
            n = len(there)
        else:
            turn = placed["turn"].clip(upper=LAST_ORDER) == row.slot
            share, n = (placed[turn]["field"] == row.field).mean(), turn.sum()
        assert row.value == pytest.approx(100 * share)
        assert row.n == n
        assert row.low <= row.value <= row.high
    orders = found[found["by"] == "order"].groupby("slot")["value"].sum()
    assert orders.to_numpy() == pytest.approx(100)


def test_worth_is_a_difference_within_strategies(path):
    """Win shares less the mean of the strategy in its seat, for seats that place there less the others."""
    found = read_placements(RunFolder.open(path), ["base"])
    worth = found[(found["half"] == WHOLE) & (found["measure"] == "worth") & (found["by"] == "round")]
    seats = read_rows(path, "seats")
    mean = seats.groupby(["strategy", "seat"])["win_share"].transform("mean")
    chance = seats.assign(chance=100 * (seats["win_share"] - mean)).set_index(["game_id", "seat"])["chance"]
    placed = placements(path)
    assert len(worth) > 10
    for row in worth.itertuples():
        there = placed[placed["round"] == row.slot].groupby(["game_id", "seat"])["field"].agg(set)
        is_there = there.map(lambda fields, field=row.field: field in fields)
        own = chance.loc[there.index]
        assert row.value == pytest.approx(own[is_there].mean() - own[~is_there].mean(), abs=1e-4)
        assert row.low <= row.value <= row.high


def test_the_page_shows_them(path, tmp_path):
    """The page has heat maps and shaded tables, and first moves."""
    text = report_text(path, tmp_path)
    assert "a seat's first placement of a round goes most often to" in text
    assert (tmp_path / "figures" / "fields-chosen.svg").exists()
    assert (tmp_path / "figures" / "fields-worth.svg").exists()
    assert (tmp_path / "tables" / "fields-chosen-order-3.csv").exists()
    assert "first moves" in text and "never chosen" in text
    chosen = pd.read_csv(tmp_path / "tables" / "openings.csv")
    assert chosen["value"].sum() == pytest.approx(100)


def test_few_traces_give_no_section(tmp_path):
    few = play(tmp_path / "run", players=[2], games=LEAST_GAMES, trace=LEAST_GAMES - 1)
    assert read_placements(RunFolder.open(few), ["base"]) is None
