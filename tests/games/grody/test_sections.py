"""The report's sections of Grody: endings, land, combats and the board, warriors, against tables and rules."""

import re

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

from balance.analysis.traced import read_traced
from balance.games.grody.analytics.sections.combats import SIDES, TAKE_PART, changes, holdings, read_board, read_combats
from balance.games.grody.rules.ruleset import CARDS, ENDINGS
from balance.report import write_report
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

GAMES = 120


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a run with a trace of every game."""
    keys = {"players": [2], "strategies": ["holder", "rusher"], "games": GAMES, "trace": GAMES}
    return play(tmp_path_factory.mktemp("grody") / "run", game="grody", log="rounds", **keys)


@pytest.fixture(scope="module")
def combats(path) -> pd.DataFrame:
    """Return its combats."""
    return read_traced(RunFolder.open(path), ["base"], read_combats)


@pytest.fixture(scope="module")
def page(path, tmp_path_factory):
    """Return its report."""
    out = tmp_path_factory.mktemp("page")
    write_report([RunFolder.open_finished(path)], out)
    return out


@pytest.mark.slow
def test_every_combat_is_found(path, combats):
    """Combats and attackers' wins equal the game's counts, on each deal."""
    seats = read_rows(path, "seats").merge(read_rows(path, "games")[["game_id", "deal_seed"]])
    wanted = seats.groupby("deal_seed")[["attacks", "attacks_won"]].sum()
    found = combats.groupby("deal_seed")["won"].agg(["count", "sum"]).reindex(wanted.index).fillna(0)
    assert (found["count"] == wanted["attacks"]).all()
    assert (found["sum"] == wanted["attacks_won"]).all()
    assert wanted["attacks"].sum() > 500


@pytest.mark.slow
def test_combats_are_described_by_the_rules(combats):
    """Numbers lie within capacities (SET-4), buildings are on their terrain (BLD-1), and morale is right (CMB-1)."""
    assert combats["attackers"].between(1, 4).all() and combats["defenders"].between(1, 4).all()
    assert (combats.loc[combats["building"] == "twierdza", "terrain"] == "wzgorza").all()
    assert (combats.loc[combats["building"] == "most", "terrain"] == "rzeka").all()
    full = (combats["attackers"] == 4).astype(int) - (combats["defenders"] == 4).astype(int)
    hills = (combats["terrain"] == "wzgorza").astype(int)
    abatis = (combats["building"] == "zasieki").astype(int)
    assert (combats["lead"] == full - hills - abatis).all()
    assert (combats["leaders"] == full).all()
    assert (combats["attacker zasadzka"] == 0).all()  # the defender's alone (CRD-4)
    cards = combats.filter(regex="^(attacker|defender) ")
    assert (cards >= 0).all(axis=None) and cards.sum().sum() > 20


@pytest.mark.slow
def test_segments_are_held_and_fought_for_as_logged(path, combats):
    """A gród belongs to its player in every round; combats are in their segments."""
    board = read_traced(RunFolder.open(path), ["base"], read_board)
    first, second = (board[board["segment"] == gord] for gord in ("c1r3", "c5r3"))
    assert (first["first"] == first["rounds"]).all()
    assert (second["first"] == 0).all()
    assert (board["first"] + board["second"] <= board["rounds"]).all()
    assert board["combats"].sum() == len(combats)
    held = holdings(board).set_index(["segment", "measure"])
    assert held.loc[("c1r3", "held"), "value"] == 100
    assert held.loc[("c5r3", "held"), "value"] == -100
    assert held.xs("combats", level=1)["value"].sum() == pytest.approx(len(combats) / GAMES)


def planted(rng: np.random.Generator) -> pd.DataFrame:
    """Return combats decided by numbers; a fort takes 20 points of the attacker's win rate, a swamp none."""
    n = 12_000
    numbers = rng.integers(1, 5, (n, 2))
    terrain = rng.choice(["rownina", "wzgorza", "bagno"], n)
    # Many attack forts: if the numbers were ignored, forts would seem to help the attacker.
    fort = (terrain == "wzgorza") & (rng.random(n) < np.where(numbers[:, 0] > 2, 0.8, 0.1))
    chance = 0.5 + 0.1 * (numbers[:, 0] - numbers[:, 1]) - 0.2 * fort
    cards = {f"{side} {CARDS[card]}": 0 for side in SIDES for card in TAKE_PART}
    return pd.DataFrame(
        {
            "players": 2,
            "variant": "base",
            "deal_seed": rng.integers(0, 1_000, n),
            "attackers": numbers[:, 0],
            "defenders": numbers[:, 1],
            "terrain": terrain,
            "building": np.where(fort, "twierdza", ""),
            "won": (rng.random(n) < chance).astype(int),
            **cards,
        }
    )


def test_what_a_fort_changes_is_found_at_equal_numbers():
    """The planted 20 points are found though many attack forts; a swamp changes nothing."""
    combats = planted(np.random.default_rng(5))
    plain = combats[combats["building"] == ""]["won"].mean()
    assert combats[combats["building"] == "twierdza"]["won"].mean() > plain - 0.15
    found = changes(combats).set_index("what")
    assert found.loc["fort", "low"] < -20 < found.loc["fort", "high"]
    assert found.loc["fort", "high"] < -15
    assert found.loc["swamp", "low"] < 0 < found.loc["swamp", "high"]
    assert found.loc["fort", "n"] == (combats["building"] == "twierdza").sum()
    assert "abatis" not in found.index  # too few tell nothing


@pytest.mark.slow
def test_every_section_has_its_sentence(path, page):
    """Every section has a sentence with intervals and n; endings equal the table of games."""
    text = (page / "report.md").read_text(encoding="utf-8")
    for words in (
        r"base: games end by conquest [\d.]+ \([\d.]+ to [\d.]+\) %, in round [\d.]+ .* \(n = 120 games\)",
        r"base: after round \d+ winners own [\d.]+ \([\d.]+ to [\d.]+\) segments, the others own .* \(n ≥ \d+ seats\)",
        r"base: attackers win [\d.]+ \([\d.]+ to [\d.]+\) % \(n = [\d,]+ combats\)",
        r"base: in a game a seat loses [\d.]+ \([\d.]+ to [\d.]+\) warriors in combat; .* \(n = 240 seats\)",
        r"reconstruction",
    ):
        assert re.search(words, text), words
    games = read_rows(path, "games")
    shown = pd.read_csv(page / "tables" / "endings.csv").set_index("ending")["value"]
    for ending in ENDINGS:
        assert shown[ending] == pytest.approx(100 * (games["ended_by"] == ending).mean())
    for name in ("combats", "board-held", "board-combats", "endings", "territory", "cards-played"):
        assert (page / "figures" / f"{name}.svg").exists(), name


@pytest.mark.slow
def test_cards_and_segments_are_those_of_the_tables(path, page):
    seats, rounds = read_rows(path, "seats"), read_rows(path, "rounds")
    played = pd.read_csv(page / "tables" / "cards-played.csv").set_index("card")["value"]
    assert played["Okup"] == pytest.approx(seats["played_okup"].mean())
    data = rounds.merge(seats[["game_id", "seat", "win_share"]])
    shown = pd.read_csv(page / "tables" / "territory.csv")
    for row in shown[shown["round"] == 3].itertuples():
        own = data[(data["round"] == 3) & ((data["win_share"] == 1) == (row.seats == "winners"))]
        assert row.value == pytest.approx(own[row.measure].mean())
