"""The report's sections of Korona Piastów, against the tables, the rules, and planted truths."""

import re

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

from balance.analysis.holdout import WHOLE
from balance.analysis.traced import ratios, read_traced
from balance.games.korona_piastow.analytics.sections.battles import RULER, read_battles
from balance.games.korona_piastow.analytics.sections.deeds import DEEDS, action_effects, read_deeds
from balance.games.korona_piastow.analytics.sections.events import fortunes, read_draws
from balance.games.korona_piastow.rules.tables import ENDINGS
from balance.report import write_report
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

PLAYED = 120


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a run with a trace of every game."""
    keys = {"players": [3], "strategies": ["generalist", "champion"], "games": PLAYED, "trace": PLAYED}
    return play(tmp_path_factory.mktemp("korona") / "run", game="korona-piastow", log="rounds", **keys)


@pytest.fixture(scope="module")
def page(path, tmp_path_factory):
    """Return its report."""
    out = tmp_path_factory.mktemp("page")
    write_report([RunFolder.open_finished(path)], out)
    return out


def raw(page, name: str) -> pd.DataFrame:
    return pd.read_csv(page / "tables" / f"{name}.csv")


@pytest.mark.slow
def test_every_invasion_is_found_and_its_sums_decide_it(path):
    """Counts equal those of the seats; the attacker wins if its sum with fate is larger (CMB-3)."""
    battles = read_traced(RunFolder.open(path), ["base"], read_battles)
    seats = read_rows(path, "seats").set_index(["game_id", "seat"])
    found = battles.groupby(["game_id", "seat"])["won"].agg(["count", "sum"]).reindex(seats.index)
    assert (found["count"].fillna(0) == seats["invasions"]).all()
    assert (found["sum"].fillna(0) == seats["won"]).all()
    assert len(battles) > 500
    assert ((battles["lead"] + battles["fate"] > 0) == (battles["won"] == 1)).all()
    assert battles["fate"].between(-5, 5).all()
    assert (battles.loc[battles["building"] == "none", "engines"] == 0).all()  # INV-2
    assert set(battles["against"]) == {"nobody", "foreign states", RULER}
    assert (battles.loc[battles["against"] != RULER, "defends"] == 0).all()  # DEF-1


@pytest.mark.slow
def test_deeds_are_those_that_were_logged(path):
    """Orders, units and devastations equal the seats' columns; every deed has a row for every seat."""
    deeds = read_traced(RunFolder.open(path), ["base"], read_deeds)
    seats = read_rows(path, "seats").set_index(["game_id", "seat"]).sort_index()
    assert len(deeds) == len(seats) * sum(map(len, DEEDS.values()))
    for family, column in (("orders given", "orders_given"), ("units mustered", "mustered")):
        times = deeds[deeds["family"] == family].groupby(["game_id", "seat"])["times"].sum()
        assert (times.sort_index() == seats[column]).all(), family
    burnt = deeds[deeds["deed"] == "devastate"].set_index(["game_id", "seat"])["times"].sort_index()
    assert (burnt == seats["devastated"]).all()
    trace = read_rows(path, "trace")
    early = (trace["label"] == "order invade") & (trace["round"] <= 4)
    assert deeds.query("deed == 'invade'")["early"].sum() == early.sum()
    used = ratios(deeds, ["family", "deed"], "times").set_index("deed")
    assert used.loc["devastate", "value"] == pytest.approx(seats["devastated"].mean())


def planted_deeds(rng: np.random.Generator) -> pd.DataFrame:
    """Return a strong strategy that invades much; an early invasion is worth 5 points, a quest none."""
    n = 4_000
    strong = rng.integers(0, 2, n)
    invade, quest = rng.poisson(1 + 3 * strong), rng.poisson(1, n)
    won = rng.random(n) < 0.2 + 0.3 * strong + 0.05 * (invade - 1 - 3 * strong)
    seats = pd.DataFrame(
        {
            "players": 3,
            "variant": "base",
            "deal_seed": rng.integers(0, 800, n),
            "seat": rng.integers(0, 3, n),
            "strategy": np.where(strong, "champion", "generalist"),
            "win_share": 100.0 * won,
            "family": "orders given",
        }
    )
    parts = [seats.assign(deed="invade", early=invade), seats.assign(deed="quest", early=quest)]
    return pd.concat([*parts, seats.assign(deed="siege", early=0)])


def test_what_a_deed_goes_with_is_found_within_a_strategy():
    """The planted 5 points and 0 are found; the strong strategy's habit does not count; an unused deed has no row."""
    found = action_effects(planted_deeds(np.random.default_rng(8)))
    whole = found[found["half"] == WHOLE].set_index("deed")
    assert whole.loc["invade", "low"] < 5 < whole.loc["invade", "high"] < 8
    assert whole.loc["invade", "low"] > 2
    assert whole.loc["quest", "low"] < 0 < whole.loc["quest", "high"]
    assert "siege" not in whole.index
    assert set(found["half"]) == {WHOLE, 0, 1}


@pytest.mark.slow
def test_draws_are_the_beginners(path):
    """One card per round; the beginner draws it (RND-1, EVN-1), and makes its choice."""
    draws = read_traced(RunFolder.open(path), ["base"], read_draws)
    games = read_rows(path, "games")
    assert 0.9 * games["rounds"].sum() < len(draws) <= games["rounds"].sum()
    assert (draws["seat"] == (draws["round"] - 1) % 3).all()
    trace = read_rows(path, "trace").query("kind == 'choose'")[["game_id", "round", "seat"]]
    chosen = draws.merge(trace, on=["game_id", "round"], suffixes=("", "_choosing"))
    assert len(chosen) > 100 and (chosen["seat"] == chosen["seat_choosing"]).all()


def test_what_a_card_brings_is_found():
    """A planted card is worth 20 points to its drawer; another is worth nothing."""
    rng = np.random.default_rng(9)
    n = 6_000
    card = rng.choice(["gold", "plain", "rare"], n, p=[0.2, 0.798, 0.002])
    draws = pd.DataFrame(
        {
            "players": 3,
            "variant": "base",
            "deal_seed": rng.integers(0, 800, n),
            "round": rng.integers(1, 9, n),
            "seat": rng.integers(0, 3, n),
            "strategy": "generalist",
            "card": card,
            "win_share": 100.0 * (rng.random(n) < 0.3 + 0.2 * (card == "gold")),
        }
    )
    found = fortunes(draws)
    whole = found[found["half"] == WHOLE].set_index("card")
    assert 12 < whole.loc["gold", "low"] < 20 < whole.loc["gold", "high"]
    assert whole.loc["gold", "n"] == (card == "gold").sum()
    assert "rare" not in whole.index


@pytest.mark.long
@pytest.mark.slow
def test_endings_lines_and_the_fallen_are_those_of_the_tables(path, page):
    games, seats = read_rows(path, "games"), read_rows(path, "seats")
    shown = raw(page, "endings")["value"]
    assert shown.tolist() == pytest.approx([100 * (games["end"] == name).mean() for name in ENDINGS])
    by_round = raw(page, "endings-by-round").set_index("round")["value"]
    assert by_round[6] == pytest.approx(100 * ((games["end"] == "crown") & (games["rounds"] <= 6)).mean())
    lines = raw(page, "factions").set_index("faction")
    assert lines.loc["Kujawy", "value"] == pytest.approx(100 * seats.loc[seats["line"] == "kujawy", "win_share"].mean())
    assert lines.loc["Kujawy", "fair"] == pytest.approx(100 / 3)
    means = raw(page, "factions-means").set_index(["mean", "faction"])["value"]
    kujawy = seats[seats["line"] == "kujawy"]
    assert means["invasions", "Kujawy"] == pytest.approx(kujawy["invasions"].mean())
    assert means["out of the game, %", "Kujawy"] == pytest.approx(100 * (kujawy["out_round"] > 0).mean())
    out = seats.query("out_round > 0").merge(games[["game_id", "rounds"]])
    fell = out.groupby("game_id")["out_round"].min()
    first = raw(page, "fallen").set_index("measure")["value"]
    assert first["somebody is out, % of games"] == pytest.approx(100 * len(fell) / len(games))
    waits = out.groupby("game_id")["rounds"].first() - fell
    assert first["rounds it then waits"] == pytest.approx(waits.mean())
    by_round = raw(page, "fallen-by-round").set_index("round")["value"]
    assert by_round[12] == pytest.approx(100 * (seats["out_round"] > 0).mean())


@pytest.mark.slow
def test_leaders_and_income_are_those_of_the_tables(path, page):
    """The sole leader after a round, without games that end in it; income adds up to the game's tribute."""
    rounds, seats = read_rows(path, "rounds"), read_rows(path, "seats")
    rounds = rounds.merge(seats[["game_id", "seat", "win_share", "tribute"]])
    assert (
        rounds.groupby(["game_id", "seat"])["income"].sum() == seats.set_index(["game_id", "seat"])["tribute"]
    ).all()
    on = rounds.merge(read_rows(path, "games")[["game_id", "rounds"]]).query("round == 4 and rounds > 4")
    won = []
    for _, game in on.groupby("game_id"):
        best = game[game["fiefs"] == game["fiefs"].max()]
        won += best["win_share"].tolist() if len(best) == 1 else []
    shown = raw(page, "leads").set_index(["measure", "round"]).loc[("fiefs", 4)]
    assert (shown["value"], shown["n"]) == (pytest.approx(100 * np.mean(won)), len(won))


@pytest.mark.slow
def test_every_section_has_its_sentence(page):
    """Every section has a sentence with intervals and n, next to its figures."""
    text = (page / "report.md").read_text(encoding="utf-8")
    share = r"[\d.]+ \([\d.]+ to [\d.]+\)"
    for words in (
        rf"base: games that end by the crown: {share} % with 3 players; "
        rf"their last round is {share} .* \(n ≥ 120 games\)",
        rf"base, 3 players: .*\w+ wins {share} % \(n = \d+ seats, fair is 33.3 %\)",
        rf"base: games in which a ruler is out: {share} % with 3 players \(n ≥ 120 games\); rulers out by round 6",
        rf"base: after round 4 the sole leader in score wins {share} % with 3 players \(n ≥ \d+ games\); "
        "the sole leader in fiefs",
        rf"base: invasions won: {share} % with 3 players \(n ≥ [\d,]+ invasions\); .*the cards decide: {share} %",
        r"base: used by less than 5 % of seats: orders: .*siege.*; units: engine \(n ≥ 360 seats\)",
        r"base: (no card is shown|the card with the largest effect)",
        r"reconstruction",
    ):
        assert re.search(words, text), words
    for name in ("endings", "factions", "realm-fiefs", "realm-income", "leads", "battles", "deeds"):
        assert (page / "figures" / f"{name}.svg").exists(), name
