"""Shipped profiles: the champion beats earlier profiles, and each named style leads in its own measure."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.runs import play, read_rows

import balance
from balance.contract.game import find_games, get_game

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
    lineups = [
        ["champion", *(old[(i + k) % len(old)] for k in range(players - 1))] for i in range(len(old))
    ]
    run = play(
        tmp_path / "run", game=game, players=[players], strategies=[], lineups=lineups, games=2_800
    )
    shares = balance.open_run(run).strategy_shares()
    champion = shares[shares["strategy"] == "champion"].iloc[0]
    assert champion["low"] > AIMS[game, players]


@pytest.mark.parametrize("game", find_games())
def test_a_champion_has_weights_for_every_player_count(game):
    """The file also records their origin."""
    from balance.experiments.strategies import load_strategy

    found = get_game(game)
    profile = load_strategy(found, "champion", Path()).profile
    assert not any(profile.lacks(players) for players in found.players)
    assert {"rules", "opponents", "games", "seed", "date"} <= set(profile.training)


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
