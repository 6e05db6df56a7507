"""Restricted play: an option of known worth is found, one that no player uses is not measured, and nothing is lost."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from support.pseudo import PseudoLanguage, unmarked_on
from support.runs import digest, without_pngs
from support.tokens import GAME

from balance.contract import game as game_module
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.foundation.progress import Progress
from balance.stats.comparisons import LEAST_DECKS
from balance.studies.restrict import (
    MISUSED,
    NEEDED,
    NEVER_USED,
    NOT_MISSED,
    OPEN,
    RestrictedGames,
    Worths,
    judge_worth,
    play_restricted,
    read_worth,
    widen_worth,
)
from balance.studies.restrict_page import STUDY, list_verdicts, worth_table
from balance.studies.settings import Restricted

ASKED = Restricted("tokens", "high-stakes", (2, 3), ("roll 1", "roll 0"), "odd", 900, 10_000, 3.0, 3)


@pytest.fixture(scope="module")
def tokens() -> object:
    """Register Tokens: with high stakes the last action 1 scores 100, more than all dice; 0 scores nothing."""
    shipped = game_module.find_games()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_module, "find_installed", lambda: ({**shipped, GAME.name: GAME}, {}))
        yield GAME


@pytest.fixture(scope="module")
def played(tokens, tmp_path_factory) -> tuple[RestrictedGames, Path]:
    """Return the games of both options, and their folder."""
    folder = tmp_path_factory.mktemp("restrict")
    return play_restricted(ASKED, folder), folder


def test_an_option_of_known_worth_is_found(played):
    """A seat that can't take the stakes never wins: it loses its whole fair share, 50 or 33.3 points."""
    worth = read_worth(played[0]).set_index(["players", "option"])
    for players in (2, 3):
        row = worth.loc[players, "roll 1"]
        assert row["value"] == pytest.approx(100 / players, abs=2.5) and row["verdict"] == NEEDED
        assert row["low"] <= 100 / players <= row["high"]
        assert row["used"] == 100 and row["strategy"].endswith(" without roll 1")


def test_an_option_that_no_player_uses_is_not_called_superfluous(played):
    """The strategy takes 1 in any case, so nothing is known about players who would take 0."""
    worth = read_worth(played[0])
    unused = worth[worth["option"] == "roll 0"]
    assert (unused["used"] == 0).all() and (unused["verdict"] == NEVER_USED).all()
    told = [line for line in list_verdicts(unused) if "roll 0" in line]
    assert len(told) == len(unused)
    assert all("Never used by these players" in line and "in 0 of " in line for line in told)
    assert (worth_table(unused)["worth, points"] == "–").all()


def test_worth_is_the_mean_of_pairs(played):
    """As DuckDB computes it from the logged seats."""
    games = played[0]
    seats, all_games = (f"'{games.run.path}/{name}/*.parquet'" for name in ("seats", "games"))
    for players, base in games.baselines.items():
        lineup = ",".join([base] * players)
        (own, free) = (
            duckdb.sql(f"""
                SELECT avg(win_share) FROM {seats} JOIN {all_games} g USING (game_id)
                WHERE g.players = {players} AND strategy = '{name}' AND {where}
            """).fetchall()[0][0]
            for name, where in (
                (games.names[players, "roll 1"], "true"),
                (base, f"lineup = '{lineup}'" if base == "odd" else "true"),
            )
        )
        worth = read_worth(games).set_index(["players", "option"])
        assert worth.loc[(players, "roll 1"), "value"] == pytest.approx(100 * (free - own), abs=1e-6)


class Stopping(Progress):
    """Ctrl-C after a number of reports of progress."""

    def __init__(self, left: int) -> None:
        self.left = left

    def advance(self, done: int, planned: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_the_same_command_continues_where_it_was_stopped(played, tokens, tmp_path):
    """Stopped in training or in the games, as often as it likes: the rows are the same."""
    games, folder = played
    before = digest(games.run.path)
    assert digest(play_restricted(ASKED, folder).run.path) == before
    for left in (3, 20, 40):
        with suppress(KeyboardInterrupt):
            play_restricted(ASKED, tmp_path, Stopping(left))
    assert digest(play_restricted(ASKED, tmp_path).run.path) == before


def test_a_folder_with_other_training_is_refused(played, tokens):
    """Other rules, other games of training or another option: nothing of it is used."""
    for change in ({"variant": "base"}, {"adapt": 20_000}, {"forbid": ("roll 0",)}):
        with pytest.raises(BalanceError, match="belongs to another training"):
            play_restricted(replace(ASKED, **change), played[1])


def test_the_page_leads_with_both_lists(played, tmp_path):
    """First what is needed, then what could be cut."""
    games, _ = played
    text = STUDY.write(Worths(games, read_worth(games)), tmp_path).with_suffix(".md").read_text("utf-8")
    needed, cut = text.index("Needed: roll 1"), text.index("Could be cut")
    assert needed < cut < text.index("What each option is worth")
    assert (tmp_path / "worth.csv").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"forbid": ("rol 1",)}, "--forbid 'rol 1': matches no action in 200 games .* 'roll 1'"),
        ({"forbid": ("die=1",)}, "--forbid 'die=1': unknown part of an action 'die'"),
        ({"forbid": ("roll 1 & ",)}, "a pattern is empty"),
        ({"forbid": ("roll 1,2",)}, "must not contain a comma"),
        ({"forbid": ()}, "tokens names no restrictions; say what to forbid with --forbid"),
        ({"strategy": "search-10"}, "can't have the restriction 'roll 1': only profiles"),
        ({"strategy": "od"}, "did you mean 'odd'"),
    ],
)
def test_a_mistake_is_reported_before_the_first_game(tokens, tmp_path, change, message):
    with pytest.raises(BalanceError, match=message) as raised:
        play_restricted(replace(ASKED, **change), tmp_path / "out")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


def table(values: np.ndarray, deals: int) -> pd.DataFrame:
    """Return the worth of options that was the same on all deals."""
    return pd.DataFrame({"value": values, "low": values, "high": values, "error": 0.0, "clusters": deals, "used": 7.0})


def test_verdicts_are_read_off_the_interval():
    """At both sides of each limit; with too few deals there is none."""
    found = pd.DataFrame(
        {
            "low": [3.1, -2, -2, -9, 1, 3.1],
            "high": [9, 2.9, 5, -3.1, 2.5, 9.0],
            "clusters": [99] * 5 + [LEAST_DECKS - 1],
        }
    )
    used = [NEEDED, NOT_MISSED, OPEN, MISUSED, NOT_MISSED, OPEN]
    unused = [NEEDED, NEVER_USED, NEVER_USED, NEVER_USED, NEVER_USED, OPEN]
    assert judge_worth(found.assign(used=1.0), 3.0) == used
    assert judge_worth(found.assign(used=np.nan), 3.0) == used  # nobody counted
    assert judge_worth(found.assign(used=0.0), 3.0) == unused


def test_equal_deals_are_no_certainty():
    """An option that changed nothing on ten deals may matter on others; on a thousand it hardly can."""
    few, many = (widen_worth(table(np.zeros(1), deals)) for deals in (10, 1000))
    assert judge_worth(few, 3.0) == [OPEN]
    assert judge_worth(many, 3.0) == [NOT_MISSED]
    assert many["high"].iloc[0] == pytest.approx(100 * (1 - 0.05 ** (1 / 1000)))


def test_false_verdicts_are_rare():
    """Of families of ten options exactly at a limit, at most 5 % have a verdict, which is then false."""
    rng, wrong, families, deals = np.random.default_rng(5), 0, 1000, 200
    for _ in range(families):
        drawn = rng.normal([3.0] * 5 + [-3.0] * 5, 40, (deals, 10))
        error = drawn.std(0, ddof=1) / np.sqrt(deals)
        frame = pd.DataFrame({"value": drawn.mean(0), "error": error, "clusters": deals, "used": 50.0})
        ends = {end: frame["value"] + sign * 1.972 * error for end, sign in (("low", -1), ("high", 1))}
        wrong += set(judge_worth(widen_worth(frame.assign(**ends)), 3.0)) != {OPEN}
    assert wrong <= 0.05 * families + 2 * np.sqrt(0.05 * 0.95 * families)


def test_every_text_of_the_page_is_a_message(played, tmp_path):
    """Also in other languages; patterns of labels are names."""
    games, _ = played
    with using(PseudoLanguage()), without_pngs():
        page = STUDY.write(Worths(games, read_worth(games)), tmp_path)
    assert unmarked_on(page, games.run, *ASKED.forbid) == []
