"""`balance ladder` and `balance exploit`: figures are those of the runs, resumed and reread; gains are found again."""

import json
import re
import tomllib
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pytest
from support.networks import write_drawn
from support.runs import plan_of

import balance
from balance.cli.commands import main
from balance.contract.game import get_game
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.progress import SILENCE
from balance.studies.ladder import Doubling, Games, doublings_of, plan_ladder, play_ladder, read_standings
from balance.studies.playing import play_plan
from balance.studies.settings import Ladder
from balance.training.arena import Arena
from balance.training.network import Course
from balance.training.network_files import Stages
from balance.training.network_play import Table

pytestmark = pytest.mark.usefixtures("undrawn")
GAME = get_game("na-grunwald")
LADDER = (
    "ladder --game na-grunwald --players 2,3 --strategies champion,random,search-3 --against search-2 --games 60 "
    "--duels 12 --trace 24 --seed 4 --quiet --out"
)


def small(**changes):
    """Return a champion, random play and a small searcher."""
    told = {
        "game": "na-grunwald", "variant": "base", "players": (2,), "strategies": ("champion", "random"),
        "against": "search-2", "games": 20, "duels": 10, "trace": 0, "seed": 1,
    }  # fmt: skip
    return Ladder(**{**told, **changes})


@pytest.mark.slow
def test_a_ladder_is_played_and_reread(cli, tmp_path):
    """Terminal, page and CSV show the shares of the runs; a second call plays nothing."""
    first = cli(LADDER, tmp_path, status=0)
    assert "Skill trace: from 12 to 24 iterations" in first.output
    said = [line for line in first.output.splitlines() if not line.startswith("ladder: ")]
    assert all(len(line) <= 80 for line in said), "but the path of the page, which is to be copied"
    table = pd.read_csv(tmp_path / "ladder.csv")
    shares = balance.open_run(tmp_path / "runs" / "field").strategy_shares()
    both = table.merge(shares, on=["players", "strategy"])
    assert len(both) == len(table) == 6
    assert both["value_x"].tolist() == pytest.approx(both["value_y"].tolist(), rel=1e-8)  # nine digits
    assert (table[table["strategy"] == "champion"]["rating"] == 1500).all(), "it is the anchor"
    assert table[table["strategy"] == "random"]["rating_high"].max() < 1500
    assert (table["speed"] > 0).all()
    duels = balance.open_run(tmp_path / "runs" / "against").query(
        "SELECT strategy, avg(win_share) AS share, count(*) AS n FROM seats WHERE players = 3 "
        "AND strategy <> 'search-2' GROUP BY ALL"
    )
    own = table[table["players"] == 3].merge(duels, on="strategy")
    assert (own["against"] / 100).tolist() == pytest.approx(own["share"].tolist())
    assert set(own["n_y"]) == {12} == set(own["against_n"])
    for name in ("ladder.html", "ladder.md", "trace.csv", "equilibrium.csv"):
        assert (tmp_path / name).exists()
    assert "skill" in (tmp_path / "ladder.html").read_text(encoding="utf-8").lower()
    before = (tmp_path / "runs" / "field" / "parts.jsonl").read_bytes()
    records = pd.DataFrame(json.loads(cli(LADDER, tmp_path, "--json", status=0).stdout))
    assert list(records) == list(table)
    assert records["rating"].tolist() == pytest.approx(
        table["rating"].replace(-np.inf, np.nan).tolist(), nan_ok=True
    )  # JSON has no infinity
    assert (tmp_path / "runs" / "field" / "parts.jsonl").read_bytes() == before
    again = pd.read_csv(tmp_path / "ladder.csv").drop(columns="speed")
    pd.testing.assert_frame_equal(again, table.drop(columns="speed"))
    other = cli(LADDER, tmp_path, "--seed", 5, status=1)
    assert "changed since it began: experiment.seed of the experiment" in other.output


def test_the_budgets_of_a_trace():
    """The budget is halved down to twelve; without room there are no budgets."""
    assert doublings_of(100) == [Doubling(100, 50), Doubling(50, 25), Doubling(25, 12)]
    assert doublings_of(0) == []
    plans = plan_ladder(small(players=(2, 4), trace=50))
    assert list(plans) == ["field", "against", "trace-50", "trace-25"]
    four = ["search-50", *["search-25"] * 3]
    assert plans["trace-50"].tier.lineups == [["search-50", "search-25"], four]
    assert plans["against"].tier.lineups[:2] == [["champion", "search-2"], ["random", "search-2"]]
    assert len({plan.experiment.seed for plan in plans.values()}) == 4
    longer = plan_ladder(small(players=(2, 4), trace=100))
    assert longer["trace-50"].experiment.seed == plans["trace-50"].experiment.seed


def test_who_is_met_alone_does_not_meet_itself():
    plans = plan_ladder(small(against="champion"))
    assert plans["against"].tier.lineups == [["random", "champion"]]
    assert [each.name for each in plans["field"].strategies] == ["champion", "random"]


def test_a_run_in_the_folder_of_another_ladder_is_refused(tmp_path):
    play_ladder(small(), tmp_path)
    with pytest.raises(BalanceError, match=r"cannot resume .*field"):
        play_ladder(small(games=30, seed=2), tmp_path)


def test_games_that_were_broken_off_make_no_ladder(tmp_path):
    """They have no ranking, and do not count as draws."""
    plan = plan_of(players=[2], strategies=["champion", "random"], decision_limit=5)
    run = play_plan(plan, tmp_path / "run")
    with pytest.raises(BalanceError, match="more than 1 % of the games were truncated after 5 decisions"):
        read_standings(Games(run, run, {}))


@pytest.mark.slow
def test_a_weak_profile_is_exploited(cli, tmp_path):
    """A miser, who never fights, loses clearly; the written profile gains as much in a separate run."""
    miser, out = tmp_path / "miser.toml", tmp_path / "best.toml"
    miser.write_text('title = "Miser"\ndescription = "Takes ducats."\n[weights]\nducat = 1.0\n')
    asked = "exploit --game na-grunwald --players 2 --games 10000 --iterations 5 --seed 3 --quiet --out"
    result = cli(asked, out, miser, status=0)
    gain = r"miser\.toml, 2 players: a best response gains ([\d.]+) \(([\d.]+) to"
    found = re.search(gain, " ".join(result.output.split()))
    assert found and float(found[2]) > 20
    assert re.search(r"search-5 gains [\d.]+ \([\d.]+ to [\d.]+\), n = 2,000", result.output)
    written = tomllib.loads(out.read_text(encoding="utf-8"))
    assert written["training"]["self_play"] is False
    assert "champion" in written["training"]["start"]
    assert list(written["weights"]) == ["2"]
    assert not list(tmp_path.glob("*.diary"))
    run = "run --game na-grunwald --players 2 --games 2000 --quiet --lineup"
    cli(run, f"{out},{miser}", "--out", tmp_path / "run", status=0)
    shares = balance.open_run(tmp_path / "run").strategy_shares().set_index("strategy")
    assert shares.loc["best", "value"] - 50 == pytest.approx(float(found[1]), abs=4)


@pytest.mark.long
def test_a_weak_network_is_exploited(cli, tmp_path, monkeypatch):
    """A network with drawn weights loses to one that starts from its own weights; the written network gains as much."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("balance.studies.exploit.MEASURED", 2000)
    monkeypatch.setattr("balance.studies.exploit.PROBED", 100)
    write_drawn(tmp_path / "weak.toml", (2,))
    asked = "exploit --game na-grunwald --players 2 --games 10000 --iterations 1 --seed 3 --quiet --out"
    result = cli(asked, "best.toml", "./weak.toml", status=0)
    gain = r"weak\.toml, 2 players: a best response gains ([\d.]+) \(([\d.]+) to"
    found = re.search(gain, " ".join(result.output.split()))
    assert found and float(found[2]) > 20
    written = tomllib.loads(Path("best.toml").read_text(encoding="utf-8"))
    assert written["kind"] == "network" and written["profile"] == "champion"
    assert written["training"]["start"] == "./weak.toml"
    assert sorted(path.name for path in tmp_path.iterdir()) == [*("best.npz", "best.toml", "weak.npz", "weak.toml")]
    run = "run --game na-grunwald --players 2 --games 1000 --quiet --lineup"
    cli(run, "./best.toml,./weak.toml", "--out", "run", status=0)
    shares = balance.open_run(tmp_path / "run").strategy_shares().set_index("strategy")
    assert shares.loc["best", "value"] - 50 == pytest.approx(float(found[1]), abs=6)


def test_a_best_response_with_another_start_is_refused(cli, tmp_path, monkeypatch):
    """The work folder belongs to the first start; the line names it."""
    monkeypatch.chdir(tmp_path)
    write_drawn(tmp_path / "start.toml", (2,))
    asked = "exploit --game na-grunwald --players 2 --start ./start.toml --quiet --out best.toml random"
    with monkeypatch.context() as patched:
        patched.setattr(Course, "play_itself", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        cli(asked, status=130)
    write_drawn(tmp_path / "start.toml", (2, 3))
    result = cli(asked, status=1)
    assert "another training (changed: start network ./start.toml)" in " ".join(result.output.split())
    none = cli("exploit --game na-grunwald --players 4 --quiet ./start.toml", status=1)
    assert "start: ./start.toml: no weights for 4 players (there are: 2, 3)" in none.output


def test_a_learning_network_sits_alone_among_its_targets():
    """One seat of each game learns; the line-up follows it in its order, in whichever seat it sits."""
    rules = load_variant(GAME, "base", Path()).rules
    course = Course(Table(GAME, rules, 4), None, [], None, Stages(None, {}), SILENCE, (0, 2, 1))
    lineups = course.draw_lineups(3, 400, np.random.default_rng(1))
    seats = lineups.argmin(1)
    assert set(seats) == {0, 1, 2, 3}
    turned = [np.roll(lineup, -seat).tolist() for lineup, seat in zip(lineups, seats, strict=True)]
    assert turned == [[0, 1, 3, 2]] * len(lineups)


def test_a_line_up_sits_around_the_candidate_in_its_order():
    """The order holds for any seat of the candidate, and a strategy can take the candidate's place."""
    rules = load_variant(GAME, "base", Path()).rules
    strategies = load_strategies(GAME, ["champion", "search-2", "random"], Path())
    seen = []

    class Watching(Arena):
        def play(self, rows, lineups, *others):
            seen.append(lineups)
            return super().play(rows, lineups, *others)

    arena = Watching(GAME, rules, 4, strategies, [0, 1, 1])
    row = arena.row(strategies[0].profile)[None]
    arena.face(row, row[:0], np.ones(3) / 3, 2, 1)
    assert seen[0][:4].tolist() == [[0, 1, 2, 2], [2, 0, 1, 2], [2, 2, 0, 1], [1, 2, 2, 0]]
    seats = arena.probe(2, 5, 1)
    assert seen[1][:4].tolist() == [[2, 0, 1, 1], [1, 2, 0, 1], [1, 1, 2, 0], [0, 1, 1, 2]]
    assert seats.shape == (1, 5, 4)
    assert (seats.seat == np.arange(4)).all()


def commands(group, before=""):
    """Yield the commands of a group and of its groups, with their names."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_commands_that_play_on_a_cluster_play_on_fewer_cores_too():
    """Each command with --dask has --workers."""
    found = {name: {each.opts[0] for each in command.params} for name, command in commands(main)}
    on_clusters = {name for name, options in found.items() if "--dask" in options}
    assert {"run", "tune", "sensitivity", "train profile"} <= on_clusters
    assert [name for name in on_clusters if "--workers" not in found[name]] == []
