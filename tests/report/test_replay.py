"""Replays: a game in words, its trace unchanged, and a game without a trace played again."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from support.replays import read_replay
from support.runs import game_of, play, read_rows

from balance.contract.game import get_game
from balance.contract.view import Panel
from balance.foundation.errors import BalanceError
from balance.games.na_grunwald.display import ACTIONS
from balance.report.replay import open_replay
from balance.report.replay.page import write_panel
from balance.report.replay.scenes import read_result


@pytest.mark.slow
@pytest.mark.long
def test_every_game_of_a_run_has_a_replay(traced_run, tmp_path):
    """For all labels and player counts there is a heading per round and a result line per seat."""
    games = read_rows(traced_run, "games")
    kinds = set(read_rows(traced_run, "trace")["kind"])
    assert len(kinds) >= 9
    for row in games.itertuples():
        lines = list(open_replay(traced_run, row.game_id, tmp_path).tell())
        rounds = [line.partition(":")[0] for line in lines if line.startswith("Round ")]
        assert rounds == [f"Round {number}" for number in range(1, 9)]
        result = lines[lines.index("Result") + 1 :]
        assert len(result) == row.players + 1  # and who won
        assert result[0].startswith("  1. ")


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("pass", "Ann passes"),
        ("place crown officer", "Ann places the officer on Crown knights"),
        ("place provisions helpers 1 0", "Ann places 1 helper on Provisions"),
        ("place mercenaries helpers 1 3", "Ann places 1 helper on Mercenaries with 3 ducats"),
        ("fight peasant", "Ann sends the peasant into the skirmish"),
        ("fight crown 5", "Ann sends a crown knight of 5 into the skirmish"),
        ("send none", "Ann sends no knight to the task"),
        ("enter mercenary 2", "Ann enters a mercenary of 2"),
        ("enter none", "Ann enters no knight"),
        ("give provision", "Ann gives up a provision"),
        ("give camp mercenary 4", "Ann gives up a mercenary of 4 from the camp"),
        ("give captive 3", "Ann gives up a captive of 3"),
        ("starve crown 1", "Ann cannot feed a crown knight of 1"),
        ("bid pass", "Ann passes"),
        ("bid 4", "Ann bids 4"),
        ("hire yes", "Ann buys a helper"),
        ("buy no", "Ann does not buy the lot"),
        ("reveal event war_tax", "Event: war tax"),
        ("reveal provisions 4 0", "Turned up: provisions 4, nothing for the second"),
        ("reveal ducats 5 3 1", "Turned up: ducats 5, 3 and 1"),
        ("reveal krzyzacy 4 2", "Turned up: Krzyżacy 4 and 2"),
    ],
)
def test_labels_in_words(label, sentence):
    assert ACTIONS.say(label, "Ann") == sentence


def test_labels_are_the_rows_of_the_trace(traced_run, cli):
    game_id = int(read_rows(traced_run, "games")["game_id"][5])
    result = cli("replay", traced_run, game_id, "--labels", status=0)
    trace = read_rows(traced_run, "trace")
    trace = trace[trace["game_id"] == game_id].sort_values("step")
    printed = [line.split("\t") for line in result.output.splitlines()]
    assert printed[0] == ["step", "round", "seat", "kind", "label", "options"]
    assert [line[4] for line in printed[1:]] == list(trace["label"])
    assert [int(line[5]) for line in printed[1:]] == list(trace["options"])


def test_a_game_without_a_trace_is_played_again(tmp_path, cli):
    keys = {"players": [3], "strategies": ["random", "generalist", "treasurer"], "games": 30, "seed": 8}
    bare = play(tmp_path / "bare", **keys)
    traced = play(tmp_path / "traced", log="trace", **keys)
    for game_id in (0, 17, 29):
        told = cli("replay", bare, game_id, "--labels", status=0)
        assert told.output == cli("replay", traced, game_id, "--labels").output


def test_a_game_of_another_package_needs_its_trace(tmp_path, monkeypatch):
    """Another package would play another game: it is refused, and the line names the remedy."""
    run = play(tmp_path / "run")
    monkeypatch.setattr("balance.runs.folder.source_hash", lambda folder: "0" * 16)
    with pytest.raises(BalanceError, match="--trace N"):
        open_replay(run, 3, tmp_path / "scratch")


@pytest.mark.long
def test_what_a_searcher_thought(tmp_path, cli):
    """Three moves of its shortlist have visits and win chance; its move is the first; others' thoughts are hidden."""
    lineups = [["search-20", "generalist"]]
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=lineups, games=2, trace=1)
    for game, more in ((0, []), (1, ["--html", tmp_path / "page.html"])):
        cli("replay", run, game, "--thoughts", *more, status=0)
    text = cli("replay", run, 0, "--thoughts").output
    labels = cli("replay", run, 0, "--labels").output.splitlines()[1:]
    decisions = [line.split("\t") for line in labels if line.split("\t")[2] != "-1"]
    chosen = [row[4] for row in decisions if row[2] == "0" and int(row[5]) > 1]
    thought = re.findall(r"considered ([^(]*) \((\d+) of 20, [01]\.\d\d\)", text)
    assert [label for label, _ in thought] == chosen
    assert "considered" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "considered" not in cli("replay", run, 0).output


def test_a_game_without_a_searcher_has_no_thoughts(tmp_path, cli):
    run = play(tmp_path / "run", games=2)
    told = cli("replay", run, 0, "--thoughts", status=1)
    assert "has no searcher, so there are no thoughts to read" in told.output


def panel_texts(game, scene):
    """Return the panels of a scene as HTML."""
    return ["".join(game["pieces"][piece] for piece in game["panels"][number]) for number in scene[4]]


def test_a_page_tells_resolutions_and_the_end(traced_run, cli, tmp_path):
    """Every round has its outcomes and event; scores by round end with the result; the parts come last."""
    page = tmp_path / "game.html"
    cli("replay", traced_run, game_of(4, 1), "--html", page, status=0)
    data = read_replay(page)
    (game,) = data["games"]
    kinds = [(row[0], game["scenes"][row[1][0]][1]) for row in data["rows"]]
    assert {number for number, kind in kinds if kind == "outcome"} == set(range(1, 9))
    assert kinds[-1] == (8, "end")
    assert [name == "" for _, name in data["rounds"]] == [True] + 7 * [False]
    seats = read_rows(traced_run, "seats")
    assert game["scores"][-1] == seats[seats["game_id"] == game_of(4, 1)].sort_values("seat")["score"].tolist()
    rounds = read_rows(traced_run, "rounds")
    rounds = rounds[(rounds["game_id"] == game_of(4, 1)) & (rounds["round"] == 4)].sort_values("seat")
    assert game["scores"][3] == rounds["score"].tolist()
    end = panel_texts(game, game["scenes"][-1])
    assert "Where the points come from" in end[0]
    assert "crown commander" in end[0]
    assert not any('class="tile"' in panel for panel in end)


@pytest.mark.long
def test_the_longest_games_make_small_pages(tmp_path, cli):
    """400 turns of Polska, alone and next to another variant, take less than 1 MB."""
    variants = ["base", "strong-history"]
    run = play(tmp_path / "run", game="polska", players=[2], variants=variants, games=2, trace=2)
    games = read_rows(run, "games")
    assert games["turns"][0] == 400
    for more in ([], ["--beside", "strong-history"]):
        page = tmp_path / "page.html"
        cli("replay", run, 0, "--html", page, *more, status=0)
        assert page.stat().st_size < 1_000_000
        assert "http" not in page.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert read_replay(page)["games"][0]["scenes"][-1][2] == "A draw"


def test_a_tie_break_that_decided_is_named(traced_run):
    """END-6: the winner's cards are compared with the other's; if all is equal, the victory is shared."""
    game_of, names = get_game("na-grunwald"), ["1st player (a)", "2nd player (b)"]
    seats = read_rows(traced_run, "seats").query("game_id == 0").reset_index(drop=True)
    game = read_rows(traced_run, "games").iloc[0]
    seats = seats.assign(score=46.0, rank=[2, 1], crown_count=[3, 5], mercenary_count=2, captive_count=0)
    result = read_result(game_of, game, seats, names)
    assert result.sentence == "2nd player (b) wins with 46 points, as 1st player (a) has: more cards decide, 7 to 5"
    shared = read_result(game_of, game, seats.assign(rank=1), names).sentence
    assert shared == "1st player (a) and 2nd player (b) share the victory with 46 points"
    apart = read_result(game_of, game, seats.assign(score=[40.0, 46.0]), names).sentence
    assert apart == "2nd player (b) wins by 6 points"
    plain = read_result(get_game("polska"), game, seats, names).sentence
    assert plain.endswith("as 1st player (a) has: the rules' tie-break decides")


@pytest.mark.long
def test_the_same_deal_next_to_another_variant(traced_run, cli, tmp_path):
    """Deal and players are the same; the first difference is marked, and each game then goes to its own end."""
    page, here, twin = tmp_path / "two.html", game_of(2, 2), game_of(5, 2)
    cli("replay", traced_run, here, "--beside", "krzyzacy-hard", "--html", page, status=0)
    games = read_rows(traced_run, "games").set_index("game_id")
    for column in ("deal_seed", "lineup", "players"):
        assert games[column][here] == games[column][twin]
    assert games["variant"][twin] == "krzyzacy-hard"
    data = read_replay(page)
    first, second = data["games"]
    texts = [(first["scenes"][a][2], second["scenes"][b][2]) for _, (a, b), _ in data["rows"]]
    parted = data["parted"]
    assert 0 < parted < len(texts)
    assert all(a == b for a, b in texts[:parted])
    assert texts[parted][0] != texts[parted][1]
    for place, game in enumerate(data["games"]):
        told = [row[1][place] for row in data["rows"] if row[2][place]]
        assert told == list(range(len(game["scenes"])))
    text = cli("replay", traced_run, here, "--beside", "krzyzacy-hard").output
    assert text.startswith(f"Game {here}: Na Grunwald!, variant base, compared with krzyzacy-hard (game {twin})")
    assert f"First difference, in round {data['rows'][parted][0]}" in text


def test_what_cannot_be_shown_next_to_a_game(traced_run, cli):
    """A variant that the run lacks, the game's own variant, and labels of two games give one line each."""
    for variant, words in (("soft", "unknown variant 'soft'"), ("base", "is a game of base itself")):
        result = cli("replay", traced_run, 3, "--beside", variant, status=1)
        assert words in result.output
    result = cli("replay", traced_run, 3, "--beside", "krzyzacy-hard", "--labels", status=2)
    assert "leave out --beside" in result.output


@pytest.mark.long
def test_a_game_of_the_least_that_a_contract_asks(traced_run, cli, tmp_path, monkeypatch):
    """Without `tell`, names of rounds, signs and tie-break there are sentences, positions, and labels of outcomes."""

    def bare(module, *names):
        return SimpleNamespace(**{name: getattr(module, name) for name in dir(module) if name not in names})

    game = get_game("na-grunwald")
    optional = ("tell", "name_round", "SIGNS", "OUTCOME_TEXTS")
    monkeypatch.setitem(game.__dict__, "display", bare(game.display, *optional))
    monkeypatch.setitem(game.__dict__, "analytics", bare(game.analytics, "TIE_BREAK", "STYLES"))
    page = tmp_path / "plain.html"
    told = cli("replay", traced_run, 4, status=0)
    assert "\nRound 2\n" in told.output
    assert re.search(r"→ award \d crown \d", told.output)
    cli("replay", traced_run, 4, "--html", page, status=0)
    kinds = {scene[1] for scene in read_replay(page)["games"][0]["scenes"]}
    assert kinds == {"chance", "move", "outcome", "end"}


def test_repeated_moves_share_a_line(tmp_path, cli):
    """Units placed one by one are one line with their number; the trace has a row for each."""
    run = play(tmp_path / "run", game="korona-piastow", players=[2], games=1, trace=1)
    told = cli("replay", run, 0).output.splitlines()
    rows = cli("replay", run, 0, "--labels").output
    repeated = [line for line in told if re.search(r" places infantry in .* × \d+$", line)]
    placed = sum(int(line.rpartition("× ")[2]) for line in repeated)
    assert len(repeated) < placed <= len(re.findall(r"\tplace infantry ", rows))
    assert not any(line == after for line, after in pairwise(told) if " places " in line)


def test_a_players_name_gets_the_players_sign():
    """This holds in any game's table; every other cell stays text, and no name becomes an element."""
    names = ["1st player (<b>)", "2nd player (bold)"]
    rows = [[names[1], "7"], [names[0], "2nd player"]]
    html = "".join(write_panel(Panel("Banked", ["player", "points"], rows), names))
    assert '<i class="seat s1"><b>2</b></i> bold</td>' in html
    assert '<i class="seat s0"><b>1</b></i> &lt;b&gt;</td>' in html
    assert ">2nd player</td>" in html
