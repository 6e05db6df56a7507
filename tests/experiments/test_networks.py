"""Networks as strategies: their files, how they play, and what is refused."""

import io
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.errors import refused
from support.networks import GAME, drawn_weights, plain_scores, write_drawn
from support.runs import digest, plan_of, play, read_info, report_text
from support.tokens import GAME as TOKENS

from balance.contract import game as game_module
from balance.contract.game import get_game
from balance.engine.buffers import NETWORK
from balance.engine.networks import SHORTLIST
from balance.experiments import strategies
from balance.experiments.networks import ARRAYS, default_player, load_network
from balance.experiments.strategies import check_plays, load_strategies, load_strategy, pack_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.progress import Progress
from balance.foundation.toml import read_toml
from balance.runs.folder import RunFolder
from balance.studies.playing import play_plan
from balance.training.network_files import write_network
from balance.training.network_fit import make_batch
from balance.training.network_play import Table

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_loop_computes_what_the_formula_says(tmp_path):
    """A network without temperature takes the action with the highest score, computed again in NumPy."""
    net = load_strategy(GAME, str(write_drawn(tmp_path / "net.toml")), tmp_path)
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 3)
    strategies = [net, *load_strategies(GAME, ["search-1"], tmp_path)]
    samples = table.sample(strategies, np.zeros((20, 3), int), 1).samples
    batch = make_batch(samples)
    scores = plain_scores(drawn_weights(3), batch)
    taken = samples["taken"]
    assert len(samples) > 1000 and set(samples["head"]) > {4, 5, 6} and (taken >= 0).all()
    clear = np.sort(scores, 1)[:, -1] - np.sort(scores, 1)[:, -2] > 0.01  # features are float16 here
    assert clear.mean() > 0.8
    assert (scores.argmax(1)[clear] == taken[clear]).all()


@pytest.mark.long
def test_a_run_with_a_network_can_be_read_and_resumed(tmp_path):
    """`run.json` holds the weights: the run is played again, to the same bytes, without the files."""
    net = write_drawn(tmp_path / "net.toml", (2,))
    keys = {"players": [2], "strategies": [str(net), "champion"], "games": 40}
    one, two = play(tmp_path / "one", **keys), play(tmp_path / "two", workers=2, **keys)
    assert digest(one) == digest(two)
    described = read_info(one)
    assert described["strategies"][0]["kind"] == "network"
    for path in (net, net.with_suffix(".npz")):
        path.unlink()
    run = RunFolder.open_finished(one)
    (kept,) = [each for each in run.plan.tier.strategies if each.network]
    packed, _, buffers = pack_strategies(run.plan.game, [kept], 2)
    assert packed.kind[0] == NETWORK and kept.name == "net"
    assert np.array_equal(buffers.networks["out"][0, 0], drawn_weights(2)["out"])


@pytest.mark.long
def test_a_page_says_that_networks_played(tmp_path):
    net = write_drawn(tmp_path / "net.toml", (2,))
    run = play(tmp_path / "run", players=[2], strategies=[str(net), "champion"], games=20)
    page = report_text(run, tmp_path / "out")
    assert "All players are bots: profiles" in page and "networks (they combine" in page
    write_network(tmp_path / "both.toml", GAME, "champion", {2: [drawn_weights(1), drawn_weights(2)]}, {})
    for path, words in ((net, "hold for this one only"), (tmp_path / "both.toml", "include how far they differ")):
        alone = play(tmp_path / path.stem, players=[2], strategies=[str(path)], games=20)
        assert words in report_text(alone, tmp_path / f"{path.stem}-out")


def test_a_temperature_draws(tmp_path):
    """With a temperature the choices vary with the seed of the bots only."""
    path = write_drawn(tmp_path / "net.toml", (2,))
    warm = tmp_path / "warm.toml"
    warm.write_text(path.read_text().replace("[training]", "temperature = 2.0\n[training]", 1))
    cold, hot = (load_strategy(GAME, str(each), tmp_path) for each in (path, warm))
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 2)
    judge = load_strategies(GAME, ["search-1"], tmp_path)
    taken = [table.sample([each, *judge], np.zeros((4, 2), int), 1).samples for each in (cold, hot, hot)]
    assert np.array_equal(taken[1], taken[2])
    assert len(np.unique(taken[1]["taken"])) > 6 and not np.array_equal(taken[0]["taken"][:40], taken[1]["taken"][:40])


def test_a_searcher_takes_a_network_as_prior(tmp_path):
    """Its shortlist has the network's probabilities; a searcher without network refuses the switch."""
    write_drawn(tmp_path / "net.toml", (2,))
    text = 'kind = "search"\niterations = 8\n'
    (tmp_path / "with.toml").write_text(
        f'{text}network = "./net.toml"\nnetwork_prior = true\nnetwork_playouts = true\n'
    )
    (tmp_path / "without.toml").write_text(f"{text}network_prior = true\n")
    keys = {"players": [2], "games": 4}
    one = play(tmp_path / "one", strategies=[str(tmp_path / "with.toml")], **keys)
    two = play(tmp_path / "two", strategies=["search-8"], **keys)
    assert digest(one) != digest(two)
    with pytest.raises(BalanceError, match="need a `network`"):
        load_strategy(GAME, str(tmp_path / "without.toml"), tmp_path)
    search = load_strategy(GAME, str(tmp_path / "with.toml"), tmp_path).search
    assert search.prior == search.playout == search.network.profile


@pytest.mark.parametrize("line", ['prior = "treasurer"', "shortlist = 16", "group_limit = 1"])
def test_a_network_scores_its_own_shortlist_only(tmp_path, line):
    """It was trained on the ten best actions of its profile."""
    write_drawn(tmp_path / "net.toml", (2,))
    text = f'kind = "search"\niterations = 8\nnetwork = "./net.toml"\nnetwork_prior = true\n{line}\n'
    (tmp_path / "guided.toml").write_text(text)
    with pytest.raises(BalanceError, match=f"{line.split()[0]}: leave it out"):
        load_strategy(GAME, str(tmp_path / "guided.toml"), tmp_path)


@pytest.fixture
def wrong(tmp_path):
    """Return a function that loads a network with changed arrays or text."""

    def load(change=None, text=None, game=GAME):
        path = write_drawn(tmp_path / "net.toml", (2,))
        arrays = dict(np.load(path.with_suffix(".npz")))
        if change:
            np.savez(path.with_suffix(".npz"), **change(arrays))
        if text:
            path.write_text(path.read_text().replace(*text))
        return load_network(game, read_toml(path), path)

    return load


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a: a | {"2/out": np.full_like(a["2/out"], np.nan)}, "not all are finite"),
        (lambda a: a | {"2/out": a["2/out"][:, :, :9]}, "2/out: 1 x 9 x 9, must be 1 x 9 x 64"),
        (lambda a: a | {"7/" + name: a["2/" + name] for name in ARRAYS}, "unknown player count '7'"),
        (lambda a: {name: value for name, value in a.items() if name != "2/bias"}, "lacks an array"),
        (lambda a: a | {"2/out": np.array([print], object)}, "not a NumPy .npz file of numbers"),
        (lambda a: {}, "no weights"),
    ],
)
def test_wrong_weights_are_one_line(wrong, change, words):
    with refused(words):
        wrong(change)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (('game = "na-grunwald"', 'game = "polska"'), "is for polska, not for na-grunwald"),
        (('"own_points"', '"own_pionts"'), "did you mean 'own_points'"),
        (('    "own_points",\n', ""), "lacks the feature 'own_points'"),
        (('    "own_points",\n    "own_points_lead",', '    "own_points_lead",\n    "own_points",'), "in the order"),
        (('profile = "champion"', 'profile = "champ"'), "unknown na-grunwald profile 'champ'"),
        (("net.npz", "other.npz"), "other.npz"),
    ],
)
def test_a_wrong_file_is_one_line(wrong, text, words):
    with refused(words):
        wrong(text=text)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 half a file", pickle.dumps([1, 2]), b"[weights]"])
def test_what_is_no_archive_is_one_line(tmp_path, content):
    """An empty file, a truncated archive, a pickle, a text."""
    path = write_drawn(tmp_path / "net.toml", (2,))
    whole = path.with_suffix(".npz").read_bytes()
    for wrong in (content, whole[: len(whole) // 2]):
        path.with_suffix(".npz").write_bytes(wrong)
        with pytest.raises(BalanceError, match=r"not a NumPy \.npz file of numbers"):
            load_network(GAME, read_toml(path), path)


@pytest.mark.parametrize("shape", [(10**10,), (1, 9, 10**9), (10**6, 9, 64), ()])
def test_a_header_is_checked_before_the_numbers_are_read(tmp_path, shape):
    """A small archive may promise gigabytes, which are never unpacked."""
    path = write_drawn(tmp_path / "net.toml", (2,))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f2", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(path.with_suffix(".npz"), "a") as archive:
        archive.writestr("3/out.npy", header.getvalue())
    with refused(f"3/out: {' x '.join(map(str, shape)) or 'one number'}, must be"):
        load_network(GAME, read_toml(path), path)


def test_players_and_games_that_it_does_not_know_are_refused(tmp_path):
    net = load_strategy(GAME, str(write_drawn(tmp_path / "net.toml", (2,))), tmp_path)
    with pytest.raises(BalanceError, match="no weights for 4 players"):
        check_plays(net, [2, 4])
    grody = get_game("grody")
    with pytest.raises(BalanceError, match="is for na-grunwald, not for grody"):
        load_strategy(grody, str(tmp_path / "net.toml"), tmp_path)


def test_a_shortlist_is_what_a_network_scores():
    """Features of an action begin with those of the shortlist."""
    names = GAME.network_features
    assert list(names.action)[:4] == ["behind", "rank", "prior", "options"]
    scratch = GAME.records.scratch
    assert scratch["context"].shape == (len(names.context),)
    assert scratch["described"].shape[1] == len(names.action) and scratch["described"].shape[0] >= SHORTLIST


class Heard(Progress):
    """Progress that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tell(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)


@pytest.mark.long
def test_without_an_expert_the_champion_plays_and_the_run_says_so(tmp_path, monkeypatch):
    """A game of a user's own has profiles at most; its logs name the champion."""
    monkeypatch.setattr(game_module, "find_installed", lambda: ({TOKENS.name: TOKENS}, {}))
    keys = {"game": "tokens", "players": [2], "strategies": ["expert", "odd"], "games": 4}
    plan = plan_of(tmp_path, **keys)
    heard = Heard()
    run = play_plan(plan, tmp_path / "run", progress=heard)
    assert heard.lines == ["tokens has no expert: champion plays instead"]
    assert [each.name for each in run.plan.strategies] == ["champion", "odd"] and run.plan.lacks_expert
    with pytest.raises(BalanceError, match="two strategies are called 'champion'"):
        plan_of(tmp_path, **{**keys, "strategies": ["expert", "champion"]})
    monkeypatch.setattr(strategies, "CHAMPION", "none")
    with pytest.raises(BalanceError, match="unknown tokens strategy 'expert'"):
        plan_of(tmp_path, **keys)


def test_every_command_asks_the_same_players_where_nobody_is_named(tmp_path):
    """Otherwise one question about one game has several answers; a game without an expert has its champion."""
    from balance.cli.sources import read_source
    from balance.studies.sensitivity import default_experiment

    polska = get_game("polska")
    assert default_player(polska, [2, 5]) == "expert"
    assert default_experiment({"game": "polska"}).strategies == ["expert"]
    _, plan = read_source(None, tmp_path, {"game": "polska", "players": [2], "games": 4})
    assert [each.name for each in plan.strategies] == ["expert"]
    assert default_player(polska, [2, 7]) == "champion"
