"""Shipped profiles: they beat `random`, the champion beats the others, and each style leads in its own measure."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

import balance
from balance.contract.game import find_games, get_game, styles_of

HERE = Path(__file__).parent
AIMS = {("na-grunwald", 2): 95, ("na-grunwald", 4): 70}


def old_profiles(game: str) -> list[str]:
    """Return the files of the earlier profiles."""
    return sorted(map(str, (HERE / game.replace("-", "_") / "profiles").glob("*.toml")))


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), AIMS)
def test_the_champion_beats_the_profiles_of_before(tmp_path, game, players):
    """The lower bound of its share, alone among drawn opponents in every seat, is above the aim."""
    old = old_profiles(game)
    lineups = [["champion", *(old[(i + k) % len(old)] for k in range(players - 1))] for i in range(len(old))]
    run = play(tmp_path / "run", game=game, players=[players], strategies=[], lineups=lineups, games=2_800)
    shares = balance.open_run(run).strategy_shares()
    champion = shares[shares["strategy"] == "champion"].iloc[0]
    assert champion["low"] > AIMS[game, players]


BEATS = [
    *(("na-grunwald", 4, 2_000, 0.85, name) for name in get_game("na-grunwald").shipped("profiles")),
    *(("polska", 4, 400, 0.95, name) for name in get_game("polska").shipped("profiles")),
    *(
        pytest.param("korona-piastow", players, 240, least, name, marks=pytest.mark.slow)
        for name in get_game("korona-piastow").shipped("profiles")
        for players, least in ((2, 0.95), (4, 0.8), (6, 0.6))
    ),
]


@pytest.mark.parametrize(("game", "players", "games", "least", "profile"), BEATS)
def test_each_beats_random(tmp_path, game, players, games, least, profile):
    """Alone among random players, in every seat equally often, it wins more than this share; for Grody see its own."""
    lineup = [profile, *["random"] * (players - 1)]
    run = play(tmp_path / "run", game=game, players=[players], games=games, strategies=[], lineups=[lineup])
    seats = read_rows(run, "seats")
    own = seats[seats["strategy"] == profile]
    assert set(own["seat"].value_counts()) == {games // players}
    assert own["win_share"].mean() > least


@pytest.mark.long
@pytest.mark.parametrize(("game", "games"), [("grody", 2_000), ("korona-piastow", 1_000)])
def test_the_champion_beats_every_other_profile(tmp_path, game, games):
    """With two players its interval against each is above half (Korona Piastów with more: docs/strategies.md)."""
    others = [name for name in get_game(game).shipped("profiles") if name != "champion"]
    run = play(
        tmp_path / "run", workers=2, game=game, players=[2], games=games * len(others), strategies=[],
        lineups=[["champion", other] for other in others],
    )  # fmt: skip
    seats = read_rows(run, "seats")
    seats = seats[seats["strategy"] != "champion"]
    won = (1.0 - seats["win_share"]).groupby(seats["strategy"])
    low = won.mean() - 2.0 * won.std() / np.sqrt(won.size())
    assert set(low.index) == set(others)
    assert (low > 0.5).all(), low


@pytest.mark.parametrize("game", find_games())
def test_a_champion_has_weights_for_every_player_count(game):
    """The file also records their origin."""
    from balance.experiments.strategies import load_strategy

    found = get_game(game)
    profile = load_strategy(found, "champion", Path()).profile
    assert not any(profile.lacks(players) for players in found.players)
    assert {"rules", "opponents", "games", "seed", "date"} <= set(profile.training)


@pytest.mark.parametrize("game", find_games().values(), ids=lambda game: game.name)
def test_every_style_is_a_profile_that_ships(game):
    """A style without its file would be left out of fields in silence."""
    assert set(styles_of(game)) <= set(game.shipped("profiles"))


CELLS = [
    (name, players)
    for name, game in find_games().items()
    if hasattr(game.analytics, "STYLES")
    for players in game.players
]
LEVEL = {"helpers-first": 0.01, "sprinter": 0.03}
"""By how much others may be ahead on axes on which everybody who plays well is far up."""


@pytest.fixture(scope="module", params=CELLS, ids=lambda cell: f"{cell[0]}-{cell[1]}")
def field(request, tmp_path_factory):
    """Return rows of the styles against each other, the styles, and the player count."""
    game, players = request.param
    styles = find_games()[game].analytics.STYLES
    run = play(
        tmp_path_factory.mktemp("field") / "run", game=game, workers=2, players=[players], games=12_000,
        strategies=list(styles),
    )  # fmt: skip
    return read_rows(run, "seats"), styles, players


@pytest.mark.long
def test_each_leads_in_what_its_name_says(field):
    """It has the highest mean over its games on its own axis."""
    seats, styles, _ = field
    groups = {strategy: rows.to_records() for strategy, rows in seats.groupby("strategy")}
    axes = pd.DataFrame(
        {
            name: {strategy: style.measure(rows[None])[0] for strategy, rows in groups.items()}
            for name, style in styles.items()
        }
    )
    for name in styles:
        own = axes.loc[name, name]
        assert own >= axes[name].max() - LEVEL.get(name, 0.0) * own, axes


@pytest.mark.long
def test_no_style_is_hopeless(field):
    """Each wins at least half of a fair share in the field of styles."""
    seats, styles, players = field
    shares = seats.groupby("strategy")["win_share"].mean()
    assert set(shares.index) == set(styles)
    assert shares.min() > 0.5 / players, shares
