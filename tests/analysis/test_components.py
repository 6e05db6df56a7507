"""Components: planted truths, the runs that show them, and the files that store them."""

from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.errors import refused
from support.runs import play, read_rows
from support.tokens import GAME

from balance.analysis.components import (
    CHANGED,
    EFFECT,
    FIRST,
    POINTS,
    TAKEN,
    THERE,
    WINS,
    judged_effects,
    most_flattered,
    most_valuable,
    read_sums,
    sums_of,
)
from balance.analysis.holdout import WHOLE
from balance.contract import game as game_module
from balance.contract.game import components_of
from balance.contract.records import MAX_SEATS, blank
from balance.engine.giving import counts_type
from balance.engine.stepper import Stepper
from balance.experiments.strategies import pack_strategies
from balance.foundation.errors import BalanceError
from balance.runs.batches import play_batch
from balance.runs.folder import RunFolder
from balance.runs.jobs import batches_of
from balance.runs.sidecar import COMPONENTS
from balance.runs.strength import read_tier_rows
from balance.runs.workers import Threads
from balance.stats.intervals import fair_share
from balance.studies.reruns import try_components

GAMES = 1500


@pytest.fixture(scope="module")
def tokens(tmp_path_factory) -> RunFolder:
    """Return a run of the planted game."""
    shipped = game_module.find_games()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_module, "find_installed", lambda: ({**shipped, GAME.name: GAME}, {}))
        path = tmp_path_factory.mktemp("tokens") / "run"
        play(path, game="tokens", players=[2, 3], strategies=["plain", "odd"], games=GAMES)
        yield RunFolder.open_finished(path)


@pytest.fixture(scope="module")
def found(tokens) -> pd.DataFrame:
    """Return its results over all deals, by player count, component and measure."""
    table = try_components(tokens, GAMES, Threads(1))
    return table[table["half"] == WHOLE].set_index(["players", "component", "measure"]).sort_index()


def dice_sums(dice: int) -> dict[int, float]:
    """Return the probability of every sum of this number of dice."""
    counts = Counter({0: 1})
    for _ in range(dice):
        totals = range(max(counts) + 7)
        last = {total: range(total - 6, total) for total in totals}
        counts = Counter({total: sum(counts[before] for before in last[total]) for total in totals})
    return {total: n / 6**dice for total, n in counts.items() if n}


def share_with(more: int, players: int) -> float:
    """Return a seat's win share in percent with this number of extra points, five dice each, by counting."""
    chances, share = dice_sums(5), 0.0
    below = {own: sum(p for total, p in chances.items() if total < own) for own in range(31 + more)}
    for total, p in chances.items():
        own = total + more
        tie = chances.get(own, 0.0)
        for level in range(players):  # so many of the others are level with it
            ways = comb(players - 1, level) * tie**level * below[own] ** (players - 1 - level)
            share += p * ways / (level + 1)
    return 100 * share


@pytest.mark.parametrize("players", [2, 3])
def test_what_a_component_is_worth_is_found(found, players):
    """The crown decides the game, the coin is worth a point, flag and dust are worth nothing."""
    fair = fair_share(players)
    assert share_with(0, players) == pytest.approx(fair)
    for token, more in (("crown", 100), ("coin", 1)):
        row = found.loc[players, token, EFFECT]
        assert row["low"] < share_with(more, players) - fair < row["high"]
        assert row["low"] > 0 and row["n"] == GAMES
        assert found.loc[(players, token, POINTS), "value"] == more
    for token in ("dust", "flag"):
        for measure in (EFFECT, POINTS, CHANGED):
            assert found.loc[(players, token, measure), "value"] == 0


@pytest.mark.parametrize("players", [2, 3])
def test_what_goes_with_winning_is_not_taken_for_an_effect(found, tokens, players):
    """The leader takes the flag and wins more often for leading: visible in *seen*, not in *tried*."""
    assert found.loc[(players, "flag", WINS), "low"] > fair_share(players) + 5
    assert found.loc[(players, "flag", TAKEN), "value"] == 100
    assert found.loc[(players, "crown", TAKEN), "value"] == 0
    table = read_tier_rows(tokens, COMPONENTS)
    verdicts = judged_effects(table, 1).set_index(["players", "component"])["verdict"]
    assert verdicts[players, "crown"] == "higher" and verdicts[players, "flag"] == "same"
    best = most_valuable(table).set_index("players")
    assert best.loc[players, "component"] == "crown"
    flattered = most_flattered(table, {2: 50.0, 3: 100 / 3}).set_index("players")
    assert flattered.loc[players, "component"] == "flag"
    assert flattered.loc[players, "effect"] == 0


@pytest.mark.long
def test_intervals_hold_what_they_should(tokens, tmp_path_factory):
    """About 95 % of the intervals from 400 samples of fifty deals contain the truth, for the coin and the crown."""
    path = tmp_path_factory.mktemp("many") / "run"
    play(path, game="tokens", players=[2], strategies=["plain", "odd"], games=40_000)
    plan = RunFolder.open_finished(path).plan
    cell, names = plan.cells[0], components_of(GAME, plan.variants[0].rules)
    truth = {"coin": share_with(1, 2) - 50, "crown": 50.0}
    held = Counter[str]()
    for first, last in batches_of(plan, cell, 40_000, 100):
        sums = sums_of(play_batch(plan, cell, first, last), names, ["plain", "odd"])
        table = read_sums([sums]).query("measure == @EFFECT and half == @WHOLE").set_index("component")
        for token, value in truth.items():
            held[token] += table.loc[token, "low"] < value < table.loc[token, "high"]
    assert all(0.92 < held[token] / 400 < 0.98 for token in truth), held


def test_what_falls_on_all_is_left_out(found):
    """Rain gives all players two points and changes no winner."""
    for players in (2, 3):
        assert found.loc[(players, "rain", POINTS), "value"] == 2
        assert found.loc[(players, "rain", CHANGED), "value"] == 0
        assert (players, "rain", EFFECT) not in found.index


def test_all_tokens_turn_up_and_one_strategy_is_named_first(found):
    assert (found.xs(THERE, level="measure")["value"] == 100).all()
    first = found.xs(FIRST, level="measure")
    assert set(first.index.get_level_values("component")) == {"flag"}
    assert set(first["strategy"]) <= {"plain", "odd"}


def test_a_game_as_dealt_is_that_of_the_run(traced_run):
    """The *seen* columns describe the run's own games; the seat that gets a gift is drawn at random."""
    run = RunFolder.open_finished(traced_run)
    seats = read_rows(traced_run, "seats")
    cell = run.plan.cells[2]
    spans = list(batches_of(run.plan, cell, cell.tier.most_games, 10))
    assert len(spans) > 1 and spans[-1][1] == cell.tier.most_games
    for first, last in spans:
        batch = play_batch(run.plan, cell, first, last)
        ids = cell.first_id + np.arange(first, last)
        own = seats[seats["game_id"].isin(ids)].sort_values(["game_id", "seat"])
        assert (own["win_share"].to_numpy().reshape(batch.win_share.shape) == batch.win_share).all()
        assert set(batch.gifts["seat"].tolist()) == set(range(cell.players))


@pytest.mark.long
@pytest.mark.parametrize("game", ["na-grunwald", "polska"])
def test_a_gift_is_what_the_stepper_makes_of_it(game, tmp_path):
    """Games with a gift, replayed move by move from outside, have the same moment, seat and end."""
    path = play(tmp_path / "run", game=game, players=[3], strategies=["champion"], games=1)
    plan = RunFolder.open_finished(path).plan
    cell = plan.cells[0]
    batch = play_batch(plan, cell, 0, 1)
    weights, kernel = pack_strategies(plan.game, cell.strategies, cell.players)[1][0], plan.game.kernel

    def go_on(stepper: Stepper) -> None:
        stepper.options()
        stepper.take(int(np.argmax(stepper.evaluate(weights))))

    def shown_by(stepper: Stepper) -> np.ndarray:
        counts = blank(1, counts_type(MAX_SEATS, kernel.MOST_COMPONENTS))[0]
        kernel.count_components(stepper.packed, stepper.state, stepper.log, counts)
        return counts.shown.astype(int)

    stepper = Stepper.deal(plan.game, cell.variant.rules, 3, int(batch.decks[0]))
    given = [each.given for each in components_of(plan.game, cell.variant.rules)]
    before, expected = np.zeros(kernel.MOST_COMPONENTS, int), []
    while not stepper.over:
        shown = shown_by(stepper)
        new = np.flatnonzero(shown > before)
        expected += [(stepper.copy(), number) for number in new if given[number]]
        before = shown
        go_on(stepper)
    _, dealt = stepper.result()
    assert [number for _, number in expected] == batch.gifts["component"].tolist()
    for (other, number), gift in list(zip(expected, batch.gifts, strict=True))[::7]:
        assert kernel.give_component(other.packed, other.state, other.log, number, int(gift["seat"]))
        while not other.over:
            go_on(other)
        _, ended = other.result()
        gained = ended.score[gift["seat"]] - dealt.score[gift["seat"]]
        assert gained == gift["score"]
        winners = [rank == 1 for rank in ended["rank"]], [rank == 1 for rank in dealt["rank"]]
        assert (winners[0] != winners[1]) == gift["changed"]


@pytest.mark.long
@pytest.mark.parametrize("game", ["na-grunwald", "polska"])
def test_counts_are_those_of_the_trace(game, tmp_path):
    """Components that turned up and were taken are counted from labels alone."""
    path = play(tmp_path / "run", game=game, players=[3], strategies=["champion"], games=6, log="trace")
    run = RunFolder.open_finished(path)
    cell = run.plan.cells[0]
    sights = play_batch(run.plan, cell, 0, 6).sights
    names = components_of(run.plan.game, cell.variant.rules)
    trace = read_rows(path, "trace")
    for number, game_id in enumerate(sorted(trace["game_id"].unique())):
        labels = trace[trace["game_id"] == game_id]
        expected = (_seen_in_grunwald if game == "na-grunwald" else _seen_in_polska)(labels)
        families = {family for family, _ in expected}
        counted: Counter[tuple[str, str]] = Counter()
        for component, count in zip(names, sights["shown"][number], strict=False):
            if component.family in families and count:
                counted[component.family, component.name] += int(count)
        assert counted == expected
        if game == "polska":
            assert sights["taken"][number].sum() == labels["label"].str.startswith("play ").sum()
        else:
            bought = (labels["label"] == "buy yes").sum() + labels["label"].str.match("send [cm]").sum()
            events = [i for i, component in enumerate(names) if component.family == "events"]
            assert sights["taken"][number][events].sum() >= bought


def _seen_in_grunwald(rows: pd.DataFrame) -> Counter[tuple[str, str]]:
    """Count knights and captives by the labels of what was turned up."""
    kinds = {
        "crown": ("knights", "crown knight"),
        "mercenaries": ("knights", "mercenary"),
        "krzyzacy": ("captives", "captive"),
    }
    found: Counter[tuple[str, str]] = Counter()
    for label in rows["label"]:
        words = label.split()
        if words[0] == "reveal" and words[1] in kinds:
            family, name = kinds[words[1]]
            found.update((family, f"{name} {strength}") for strength in words[2:])
    return found


def _seen_in_polska(rows: pd.DataFrame) -> Counter[tuple[str, str]]:
    """Count cards that are neither dated nor cities by the labels of draws and deals."""
    found: Counter[tuple[str, str]] = Counter()
    for label in rows["label"]:
        words = label.split()
        if words[0] in ("deal", "draw") and words[2] in ("stop", "train", "coach", "eagle"):
            found["other cards", words[2]] += 1
    return found


def test_bots_that_cannot_be_asked_twice_are_refused(tmp_path):
    """A bot in Python may keep state between decisions, so it is refused in one line."""
    (tmp_path / "mine.py").write_text("class Mine:\n    def choose(self, observation, actions):\n        return 0\n")
    bot = f"{tmp_path / 'mine.py'}:Mine"
    path = play(tmp_path / "run", players=[2], strategies=["champion", bot], games=4)
    with pytest.raises(BalanceError, match="Python bots"):
        try_components(RunFolder.open_finished(path), 4)


def test_a_game_without_components_is_refused(tokens, monkeypatch):
    monkeypatch.delattr(GAME.analytics, "list_components")
    with pytest.raises(BalanceError, match=r"analytics\.list_components is missing"):
        try_components(tokens, 4)
    for name in ("MOST_COMPONENTS", "count_components", "give_component"):
        monkeypatch.delattr(GAME.kernel, name)
    with pytest.raises(BalanceError, match="Tokens has no components to try"):
        try_components(tokens, 4)


@pytest.fixture
def tried(traced_run, tmp_path) -> Path:
    """Return a run with tried components, to be damaged."""
    path = play(tmp_path / "run", players=[2], strategies=["champion"], games=4)
    try_components(RunFolder.open_finished(path), 4)
    return path


@pytest.mark.parametrize("damage", ["cut", "other columns", "other run"])
def test_a_damaged_file_gives_one_line(tried, damage):
    file = tried / COMPONENTS.name
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-40])
    elif damage == "other columns":
        pq.write_table(pq.read_table(file).drop_columns(["error"]), file)
    else:
        pq.write_table(pq.read_table(file).replace_schema_metadata({b"balance.run": b"0" * 72}), file)
    with refused("make it again with: balance components"):
        read_tier_rows(RunFolder.open_finished(tried), COMPONENTS)


def test_tiers_keep_rows_of_their_own(tmp_path):
    """Tiers may be tried one after the other, and again; the run stays whole."""
    tiers = [{"name": name, "strategies": ["champion"], "games": 4} for name in ("one", "two")]
    path = tmp_path / "run"
    play(path, players=[2], strategies=[], games=None, tiers=tiers)
    first, second = (RunFolder.open_finished(path, name) for name in ("one", "two"))
    try_components(second, 2)
    assert set(read_tier_rows(first, COMPONENTS)["tier"]) == {"two"}  # the only rows
    try_components(first, 4)
    assert read_tier_rows(first, COMPONENTS)["n"].max() > read_tier_rows(second, COMPONENTS)["n"].max() > 0
    try_components(first, 4)
    assert len(read_tier_rows(first, COMPONENTS)) > 0 and list(second.faults()) == []


def test_the_command_plays_the_strongest_tier(cli, tmp_path):
    """Players with mistakes come first here, yet the others play the games again."""
    weak = {"name": "weak", "strategies": ["champion"], "games": 4, "loss": 0.5}
    tiers = [weak, {"name": "full", "strategies": ["champion"], "games": 4}]
    play(tmp_path / "run", players=[2], strategies=[], games=None, tiers=tiers)
    done = cli("components", tmp_path / "run", "--games", 4)
    assert done.exit_code == 0 and "tier full" in done.output
    run = RunFolder.open_finished(tmp_path / "run")
    assert run.plan.tier.name == "weak" and set(read_tier_rows(run, COMPONENTS)["tier"]) == {"full"}


def test_the_command(cli, traced_run, tmp_path):
    path = play(tmp_path / "run", players=[2], strategies=["champion"], games=4)
    done = cli("components", path, "--games", 4)
    assert done.exit_code == 0 and f"balance report {path}" in done.output
    assert (path / COMPONENTS.name).exists()
    for arguments in (("components", tmp_path / "none"), ("components", path, "--tier", "search")):
        wrong = cli(*arguments)
        assert wrong.exit_code == 1 and wrong.output.count("\n") == 1
    cli("components", path, "--games", 0, status=2)
