"""Every command says of the games in `examples/known` what is known of them: their truth is computed next to them."""

import json
import math
import re
import runpy
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from balance.contract.game import get_game
from balance.experiments.variants import load_variant

pytestmark = pytest.mark.usefixtures("undrawn")

KNOWN = Path(__file__).resolve().parents[2] / "examples" / "known"
ERRORS = 4.5  # standard errors that a figure may be off; the page makes about 200 comparisons


@dataclass(frozen=True)
class Case:
    """A game, how it is played, and what is asked of it."""

    name: str
    strategy: str  # by which all seats play; a bot is named by its class
    variant: str  # compared with base
    games: int
    measures: Sequence[str] = ("seat_win_share",)
    players: Sequence[int] = (2,)
    keys: str = "*"  # of the sensitivity analysis
    # Of the tuning study: start variant, target, and a key with the values that it may have.
    start: str = "base"
    target: tuple[str, str, float] = ("seat_win_share", "within", 5)
    ranges: tuple[str, Any] = ("", [])
    shares: str = "seat"  # by what games are won: seats, teams, or all players together

    @property
    def tuned_for(self) -> int:
        """The player count of the tuning study."""
        return 3 if self.name in ("auction", "tug") else 2

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return KNOWN / self.name

    def truth(self, rules: Any, players: int) -> dict[str, Any]:
        """Return the truth about rules at a player count."""
        solve: Callable[..., dict[str, Any]] = SOLVE[self.name]
        found = solve(rules.model_dump(), players, self.strategy.rpartition(":")[2])
        return {name: value if isinstance(value, list) else [value] for name, value in found.items()}

    def place(self, group: str, players: int) -> int:
        """Return the place of a group in the truth: of a seat, by its number, or of a team, by its name."""
        sides = get_game(str(self.folder)).sides
        if group not in sides.names:
            return int(group or 0)
        teams = [sides.names[each] for each in sides.teams[players]]
        return sides.of_seats(players)[teams.index(group)]

    def rules(self, variant: str) -> Any:
        """Return the rules of a variant."""
        return load_variant(get_game(str(self.folder)), variant, self.folder).rules


CASES = [
    Case("pig", "hold-20", "short", 400, keys="target", start="short",
         target=("seat_win_share", "within", 8), ranges=("target", [20, 60])),
    Case("tic_tac_toe", "random", "no-centre", 1000, ("seat_win_share", "shared_victories"),
         target=("seat_win_share", "within", 8), ranges=("blocked", [0, 4])),
    Case("kuhn_poker", "equilibrium", "high-bet", 2000, ("seat_score", "seat_win_share"), keys="bet,ante",
         target=("seat_score", "least", -0.02), ranges=("bet", [1, 4])),
    Case("nim", "xor", "even", 100, ranges=("first", [2, 5])),
    Case("race", "random", "long", 1000, players=(2, 3), ranges=("start.2 seat 2", [0, 4])),
    Case("auction", "half", "earlier", 1000, ("seat_win_share", "seat_score", "shared_victories"), players=(2, 3),
         start="earlier", target=("seat_win_share", "within", 4), ranges=("ties", ["none", "earlier"])),
    Case("storm", "careful", "ice", 600, ("won",), players=(1, 2, 4), start="ice",
         target=("won", "least", 60), ranges=("slips", [0, 4]), shares="won"),
    Case("tug", "random", "uphill", 1000, ("team_win_share", "shared_victories"), players=(3, 4),
         target=("team_win_share", "within", 6), ranges=("giant", [0, 6]), shares="team"),
]  # fmt: skip
SOLVE = {case.name: runpy.run_path(str(case.folder / "truth.py"))["solve"] for case in CASES}


def is_near(found: float, truth: float, error: float) -> bool:
    """Return whether a figure is as near to the truth as its standard error says; without an error, equal."""
    return abs(found - truth) <= ERRORS * error + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_said_is_true(case, tmp_path, monkeypatch, cli):
    """Figures lie around the truth as their intervals say, and no verdict is against it."""
    monkeypatch.chdir(tmp_path)
    assert "passed" in cli(f"test-game {case.folder} --games 1 --quiet", status=0).output
    counts = ",".join(map(str, case.players))
    cli(
        f"run --game {case.folder} --players {counts} --variant base,{case.variant} --strategies {case.strategy} "
        f"--games {case.games} --log rounds --trace 1 --workers 1 --quiet --out run", status=0,
    )  # fmt: skip
    truths = {
        (variant, players): case.truth(case.rules(variant), players)
        for variant, players in product(["base", case.variant], case.players)
    }
    cli("report run --out page --quiet", status=0)
    check_shares(case, truths)
    compared = cli(f"compare run --json --quiet --measure {','.join(case.measures)}", status=0).stdout
    for row in json.loads(compared):
        check_effect(case, row, truths["base", row["players"]], truths[row["variant"], row["players"]])
    check_words(case, Path("page/report.md").read_text(encoding="utf-8"))
    cli("replay run 0 --html replay.html", status=0)
    assert case.rules("base").title in Path("replay.html").read_text(encoding="utf-8")


def check_words(case: Case, page: str) -> None:
    """Check that nothing is said that has no meaning in this game."""
    has_rounds, has_choices = case.name in ("pig", "race", "tug"), case.name != "race"
    assert "n ≥ 0" not in page
    assert ("## Seats" in page) is (case.shares == "seat")
    assert ("Seats fair" in page) is (case.shares == "seat")
    assert ("Teams fair" in page) is (case.shares == "team")
    assert ("leader at half time" in page) is has_rounds
    assert ("Stronger play was not tried" in page) is has_choices
    assert ("No decision had more than one option" in page) is not has_choices
    assert ("| Length (minutes" in page) is has_choices


def check_shares(case: Case, truths: dict[tuple[str, int], dict[str, Any]]) -> None:
    """Check the win shares of seats or teams, or how often all players win."""
    name = {"seat": "seats", "team": "teams", "won": "won"}[case.shares]
    for row in pd.read_csv(f"page/tables/{name}.csv").itertuples():
        truth = truths[row.variant, row.players]
        if case.shares == "won":
            assert is_near(row.value, truth["won"][0], row.error), row
        else:
            shares, group = truth[f"{case.shares}_win_share"], str(getattr(row, case.shares))
            check_share(row, shares[case.place(group, row.players)])


def check_share(row: Any, truth: float) -> None:
    """Check the win share of a seat or team, and whether it is fair."""
    assert is_near(row.value, truth, row.error), row
    if row.verdict == "balanced":
        assert abs(truth - row.fair) <= row.limit, row
    if row.verdict in ("favoured", "disfavoured"):
        assert truth > row.fair if row.verdict == "favoured" else truth < row.fair, row


def check_effect(case: Case, row: dict[str, Any], base: dict[str, Any], changed: dict[str, Any]) -> None:
    """Check an effect and its verdict."""
    place = case.place(row["group"], row["players"])
    truth = changed[row["measure"]][place] - base[row["measure"]][place]
    assert is_near(row["effect"], truth, row["error"]), (row, truth)
    if "higher" in row["verdict"] or "lower" in row["verdict"]:
        assert truth > 0 if "higher" in row["verdict"] else truth < 0, (row, truth)
    if row["verdict"] == "same" or "slightly" in row["verdict"]:
        limit = 3 if row["measure"] == "won" else 1  # points, the default thresholds
        assert abs(truth) <= limit, (row, truth)
    if row["verdict"] == "equal":
        assert truth == pytest.approx(0), (row, truth)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_keys_move_what_they_truly_move(case, tmp_path, cli):
    """Every step of a sensitivity analysis has its true effect."""
    measures, players = ",".join(case.measures), case.players[-1]
    printed = cli(
        f"sensitivity --game {case.folder} --players {players} --strategies {case.strategy} --games {case.games} "
        f"--keys {case.keys} --measure {measures} --workers 1 --quiet --json", status=0,
    ).stdout  # fmt: skip
    base, rows = case.rules("base"), json.loads(printed)
    assert rows
    for row in rows:
        key, _, value = row["variant"].partition("=")
        read = str if isinstance(getattr(base, key), str) else json.loads
        changed = base.model_copy(update={key: read(value)})
        check_effect(case, row, case.truth(base, players), case.truth(changed, players))


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tuned_rules_meet_the_target_in_truth(case, tmp_path, monkeypatch, cli):
    """The recommended rules meet it; if none is recommended, no rules in the ranges meet it."""
    monkeypatch.chdir(tmp_path)
    (key, values), (measure, bound, limit), players = case.ranges, case.target, case.tuned_for
    table = "choices" if isinstance(values[0], str) else "ranges"
    Path("tune.toml").write_text(
        f'game = "{case.folder.as_posix()}"\nplayers = [{players}]\nvariants = ["{case.start}"]\n'
        f'strategies = ["{case.strategy}"]\ngames = 2000\n'
        f'[[targets]]\nmeasure = "{measure}"\n{bound} = {limit}\n'
        f'[tune]\ngames = 10_000\nfinalists = 2\n{table} = {{ "{key}" = {values} }}\n',
        encoding="utf-8",
    )
    printed = " ".join(cli("tune tune.toml --workers 1 --quiet --out out", status=0).output.split())
    if "every target" in printed:
        found = case.rules(str(Path("out/variants/recommended.toml").resolve()))
        assert meets_target(case, case.truth(found, players)[measure]), printed
    else:
        assert "No variant in these ranges is nearer to the targets than base" in printed
        for value in range(values[0], values[1] + 1):
            rules = case.rules("base").model_copy(update={key: value})
            assert not meets_target(case, case.truth(rules, players)[measure])


def meets_target(case: Case, truth: Sequence[float]) -> bool:
    """Return whether the truth of every seat meets the target."""
    _, bound, limit = case.target
    if bound == "least":
        return min(truth) >= limit
    return max(abs(each - 100 / len(truth)) for each in truth) <= limit


def test_the_equilibrium_of_kuhn_poker_is_one():
    """No player gains by playing otherwise, and the value is that of Kuhn (1950)."""
    truth = runpy.run_path(str(KNOWN / "kuhn_poker" / "truth.py"))
    rules = {"cards": 3, "ante": 1, "bet": 1}
    assert truth["solve"](rules, 2, "equilibrium")["seat_score"][0] == pytest.approx(-1 / 18)
    for seat in (0, 1):
        assert truth["gain_of_best_response"](rules, "equilibrium", seat) == pytest.approx(0, abs=1e-9)
        assert truth["gain_of_best_response"](rules, "random", seat) > 0.3
    weights = load_weights("kuhn_poker", "equilibrium")
    assert 1 / (1 + math.exp(-weights["bet_lowest"])) == pytest.approx(1 / 3, abs=1e-4)


def load_weights(game: str, profile: str) -> dict[str, float]:
    """Return the weights of a profile."""
    path = KNOWN / game / "profiles" / f"{profile}.toml"
    found: dict[str, float] = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    return found


def test_what_is_the_same_in_all_games_is_equal(tmp_path, monkeypatch, cli):
    """More games can't decide it, and the games themselves may differ."""
    monkeypatch.chdir(tmp_path)
    cli(
        f"run --game {KNOWN / 'auction'} --players 2 --variant base,earlier --strategies half --games 40 --workers 1 "
        "--quiet --out run", status=0,
    )  # fmt: skip
    printed = cli("compare run --quiet --measure decisions,shared_victories", status=0).output
    assert "2.00 → 2.00" in printed and "equal" in printed
    assert "All games are equal" not in printed and "undecided" not in printed


def test_a_target_that_no_game_has_is_refused(tmp_path, monkeypatch, cli):
    """Games of one round have no half time, so no comebacks to tune."""
    monkeypatch.chdir(tmp_path)
    Path("tune.toml").write_text(
        f'game = "{(KNOWN / "nim").as_posix()}"\nplayers = [2]\nstrategies = ["xor"]\ngames = 200\nlog = "rounds"\n'
        '[[targets]]\nmeasure = "comeback"\nleast = 10\n[tune]\ngames = 10_000\n',
        encoding="utf-8",
    )
    printed = cli("tune tune.toml --workers 1 --quiet --out out", status=1).output
    assert "targets: no game of base has the measure comeback" in " ".join(printed.split())


def test_a_position_without_lists_by_seat_has_no_lines_by_player(tmp_path, monkeypatch, cli):
    """The replay of Nim has moves and a result, and no empty lines of players."""
    monkeypatch.chdir(tmp_path)
    keys = "--players 2 --strategies xor --games 2 --trace 1 --workers 1 --quiet --out run"
    cli(f"run --game {KNOWN / 'nim'} {keys}", status=0)
    printed = cli("replay run 0", status=0).output
    assert "take" in printed and not any(line.endswith(": ") for line in printed.splitlines())


def test_the_page_has_the_truth():
    """Each row of the table has the computed truth, and an interval that holds it or nearly does."""
    page = (KNOWN.parents[1] / "docs" / "known-games.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d) \| (\S+) \| (\S+) \| (.+?) \| (\S+) \| (.+?) \(", page, re.M)
    assert len(rows) == 36
    missed = 0
    for name, players, variant, strategy, what, truth, said in rows:
        rules = load_variant(get_game(str(KNOWN / name)), variant, KNOWN).rules.model_dump()
        found = SOLVE[name](rules, int(players), strategy.rpartition(":")[2])
        known = {"shared victories": "shared_victories", "1st, chips": "seat_score", "won": "won"}
        measure = known.get(what, "seat_win_share" if what[0].isdecimal() else "team_win_share")
        value = found[measure]
        if measure == "team_win_share":
            value = value[next(case for case in CASES if case.name == name).place(what, int(players))]
        elif what[0].isdecimal():
            value = value[int(what[0]) - 1]
        assert f"{value:.{len(truth.partition('.')[2])}f}" == truth, (name, strategy, what)
        low, high = map(float, re.findall(rf"{re.escape(said)} \((\S+) to (\S+)\)", page)[0])
        missed += not low <= value <= high
    assert missed <= 2
