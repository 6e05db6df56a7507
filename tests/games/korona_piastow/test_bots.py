"""Bots: features one by one on hand-made maps, and profiles against each other."""

from pathlib import Path

import pytest
from support.korona import GAME, Realm
from support.runs import play, read_rows

from balance.experiments.strategies import load_strategy, pack_strategies


def values_of(scene: Realm, tmp_path: Path, **weights: float) -> dict[str, float]:
    """Return the value of each action for a profile with these weights only."""
    lines = [f"{name} = {weight}" for name, weight in weights.items()]
    file = tmp_path / "one.toml"
    text = "\n".join(['title = "One"', 'description = "Sees nothing else."', "[weights]", *lines])
    file.write_text(text, encoding="utf-8")
    players = scene.stepper.state.players
    _, packed, _ = pack_strategies(GAME, [load_strategy(GAME, str(file), Path())], players)
    return dict(zip(scene.options(), scene.stepper.evaluate(packed[0]).tolist(), strict=True))


def strong_in(fief: str) -> Realm:
    """Set up an invasion by seat 0 that is certain to win."""
    return Realm().units(fief, 0, infantry=2, cavalry=1, knight=3).orders(f"{fief} invade")


def test_the_last_fief_of_a_district(tmp_path):
    """`gain_district`: only if own units hold the others."""
    scene = Realm().units("poznan", 0, infantry=2, cavalry=1, knight=3)
    scene.units("krosno", 0, infantry=1).units("lubusz", 0, infantry=1)
    scene.do("poznan invade")
    assert values_of(scene, tmp_path, gain_district=1.0)["target santok"] > 0.9
    scene = strong_in("poznan").take("do poznan invade")
    assert values_of(scene, tmp_path, gain_district=1.0)["target santok"] == 0.0


def test_the_leaders_land_is_worth_more(tmp_path):
    """`gain_leader`: times the holder's score as a share of the crown."""
    found = []
    for more in ((), ("leczyca", "sieradz")):
        scene = Realm().units("gniezno", 0, infantry=2, cavalry=1, knight=3).begin()
        for district in more:
            scene.owner(district, 3)
        scene.do("gniezno invade")
        values = values_of(scene, tmp_path, gain_leader=1.0)
        found.append(max(worth for label, worth in values.items() if "kruszwica" in label))
    assert found[1] == pytest.approx(3 * found[0])


@pytest.mark.parametrize(
    ("feature", "gained", "other"),
    [
        ("gain_free", "target swiecie", "target kruszwica claim"),  # a ruler holds Kruszwica
        ("gain_legendary", "target kruszwica claim", "target swiecie"),  # Kruszwica is a legendary place
    ],
)
def test_the_kind_of_fief_decides(tmp_path, feature, gained, other):
    """`gain_free` and `gain_legendary`: only a fief without a holder, only a legendary place."""
    scene = strong_in("gniezno").take("do gniezno invade")
    found = values_of(scene, tmp_path, **{feature: 1.0})
    assert found[gained] > 0.9
    assert found[other] == 0.0


def test_the_capital_in_danger(tmp_path):
    """`capital_threat`: only for a fief of the capital district, by the neighbour's strength."""
    scene = Realm().units("gniezno", 0, infantry=1).units("swiecie", 0, infantry=1)
    scene.units("kruszwica", 3, knight=4).units("inowroclaw", 3, knight=4)
    scene.begin()
    for fief, worth in (("gniezno", 10.0), ("swiecie", 0.0)):
        scene.take(f"fief {fief}")
        assert values_of(scene, tmp_path, capital_threat=1.0)["order defend"] == worth
        scene.take("order defend")


def test_the_ruler_rides_to_the_front(tmp_path):
    """`ride_front`: a district amid own land is worth less than one amid others' land."""
    scene = Realm().owner("leczyca", 0).skip_to("ruler")
    found = values_of(scene, tmp_path, ride_front=1.0)
    assert found["none"] == 0.0
    assert found["ride leczyca"] != 0.0
    back = Realm().owner("leczyca", 0)
    back.stands(0, "leczyca")
    there = values_of(back.skip_to("ruler"), tmp_path, ride_front=1.0)
    assert there["ride wielkopolska"] == pytest.approx(-found["ride leczyca"])


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return seats and games of the profile against chance, and of the profile alone."""
    found = {}
    for name, strategies in (("mixed", ["generalist", "random"]), ("alone", ["generalist"])):
        out = tmp_path_factory.mktemp("korona") / name
        folder = play(out, game=GAME.name, players=[2, 4, 6], strategies=strategies, games=60)
        found[name] = {table: read_rows(folder, table) for table in ("games", "seats")}
    return found


@pytest.mark.parametrize("players", [2, 4, 6])
def test_balanced_beats_chance(tables, players):
    """Section 7: if some seats are random, one of the others wins nearly all games."""
    seats = tables["mixed"]["seats"]
    both = seats[seats.players == players].groupby("game_id").strategy.transform("nunique") == 2
    wins = seats[seats.players == players][both].groupby("strategy").win_share.sum()
    assert wins["generalist"] > 0.95 * wins.sum()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_games_end_by_the_crown(tables, players):
    """Section 7: most games of simple players end by the crown, and before the last round."""
    games = tables["alone"]["games"]
    games = games[games.players == players]
    assert (games["end"] == "crown").mean() > 0.5
    assert games.rounds.mean() < 11


def test_lines_are_named(tables):
    """Section 6: columns of numbers show words: the line, and the kind of ending."""
    lines = set(tables["alone"]["seats"].line)
    assert {"wielkopolska", "zakon"} <= lines
    assert len(lines) == 7
    assert set(tables["mixed"]["games"]["end"]) <= {"crown", "last", "limit"}


def test_dec_2_random_is_uniform(tmp_path):
    """DEC-2: of two labels each is chosen in half of the cases, within four standard errors."""
    out = tmp_path / "run"
    folder = play(out, game=GAME.name, players=[4], strategies=["random"], games=120, log="trace")
    trace = read_rows(folder, "trace")
    labels = trace[(trace.kind == "victory") & (trace.options == 2)].label.astype(str)
    assert len(labels) > 400
    assert abs((labels == "occupy").mean() - 0.5) < 4 * 0.5 / len(labels) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("players", GAME.players)
def test_styles_keep_up_with_the_champion(tmp_path, players):
    """Each of the styles and the champion wins more than half a fair share in a pool of them."""
    pool = [*GAME.analytics.STYLES, "champion"]
    run = play(tmp_path / "run", game="korona-piastow", players=[players], strategies=pool, games=1_800, workers=2)
    seats = read_rows(run, "seats")
    shares = seats.groupby("strategy")["win_share"].mean()
    assert set(shares.index) == set(pool)
    assert shares.min() > 0.5 / players, shares
