"""Games of people: forgiving files, pseudonyms, a folder that grows, and planted facts that a report must find."""

import hashlib
import io
import json
import os
import random
import re
import unicodedata
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from foundation.test_archives import spoil
from support.errors import refused
from support.runs import play

from balance.contract.game import get_game
from balance.experiments.targets import Thresholds
from balance.foundation.errors import BalanceError
from balance.people.comparison import (
    PeopleComparison,
    compare_people,
    find_likeness,
    games_for_fair_seats,
    per_game,
    seat_shares,
    smallest_shown,
)
from balance.people.folder import FILES, People, make_tables, read_people, write_people
from balance.people.reading import Meaning, read_playtests
from balance.people.records import GameRecord, SeatRecord, hide_names
from balance.run import Run
from balance.runs.folder import RunFolder
from balance.runs.rows import COLUMNS
from balance.stats.comparisons import games_needed, smallest_effect

pytestmark = pytest.mark.usefixtures("undrawn")
GAME = get_game("na-grunwald")
PLAIN = """game,date,minutes,rounds,player,score,rank
1,2026-11-01,95,5,Anna,41,
1,,,,Jan,38,
2,2026-11-02,80,5,Jan,30,2
2,,,,Anna,30,1
"""
POLISH = """Partia;Data;Czas gry;Rundy;Gracz;Punkty;Miejsce
1;1.11.2026;1h35;5;Anna;41;
1;;;;Jan;38;
2;2.11.2026;80 min;5;Jan;30;2
2;;;;Anna;30;1
"""
WIDE = """# a row for each game
Date\tDuration\tRounds\tPlayer 1\tPlayer 1 points\tRank of player 1\tP2\tscore_2\trank 2\tP3
2026-11-01\t1:35\t5\tAnna\t41\t\tJan\t38\t\t
2026-11-02\t80\t5\tJan\t30\t2.\tAnna\t30\t1.\t
"""
JSON = json.dumps(
    [
        {"date": "2026-11-01", "minutes": 95, "rounds": 5, "players": [
            {"name": "Anna", "score": 41}, {"name": "Jan", "score": 38}]},
        {"date": "2026-11-02", "minutes": 80, "rounds": 5, "players": [
            {"seat": 2, "name": "Anna", "score": 30, "rank": 1}, {"seat": 1, "name": "Jan", "score": 30, "rank": 2}]},
    ]
)  # fmt: skip


def read(tmp_path, text, name="games.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_playtests(tmp_path / name, GAME)


@pytest.mark.parametrize("text", [POLISH, WIDE, "\ufeff" + PLAIN.replace(",", "|")], ids=["polish", "wide", "bars"])
def test_column_names_and_forms_are_recognised(tmp_path, text):
    expected, unknown = read(tmp_path, PLAIN)
    assert read(tmp_path, text) == (expected, unknown) and unknown == []
    first, second = expected
    assert [seat.rank for seat in first.seats] == [1, 2] and first.minutes == 95
    assert [seat.player for seat in second.seats] == ["Jan", "Anna"] and [seat.rank for seat in second.seats] == [2, 1]


def test_scores_may_be_in_millions(tmp_path):
    """A game of money is a game too; only numbers that are not exact are refused."""
    games, _ = read(tmp_path, PLAIN.replace(",41,", ",2500000,"))
    assert games[0].seats[0].score == 2_500_000
    with refused("score 1e+16 is too large"):
        read(tmp_path, PLAIN.replace(",41,", ",10000000000000000,"))


def test_json_is_read(tmp_path):
    assert read(tmp_path, JSON, "games.json") == read(tmp_path, PLAIN)
    _, unread = read(tmp_path, JSON.replace('"date"', '"weather"'), "games.json")
    assert unread == ["not read: weather"]
    with pytest.raises(BalanceError, match="game 1: two keys mean score"):
        read(tmp_path, JSON.replace('"score": 41', '"score": 41, "points": 9'), "games.json")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Jan,38", "Jan,l8", "line 3: score 'l8' is not a number"),
        ("1,,,,Jan,38,\n", "", "line 2: 1 player, but na-grunwald is for 2, 3, 4"),
        ("Jan,38", "Jan,", "line 2: give the score of every player, or the rank of every player"),
        ("Anna,30,1", "Anna,30,3", "line 4: ranks 2, 3 leave a place out"),
        ("Anna,30,1", "Anna,30,", "line 4: give the rank of every player, or of none"),
        ("2026-11-02", "11/2/2026", "line 4: date '11/2/2026' is not like 2026-11-26 or 26.11.2026"),
        (",80,", ",8000,", "line 4: minutes 8000 is not between 1 and 720"),
        (",95,5", ",95,5.5", "line 2: rounds 5.5 is not a whole number"),
        ("2,,,,Anna", "2,2026-11-03,,,Anna", "line 5: date '2026-11-03', but game 2 has '2026-11-02' above"),
        ("score,rank", "colour,prize", "no column is called score or rank (there are: game, date"),
        ("player,score", "score,points", "two columns mean the same as 'score'"),
        ("player,score", "score,score", "two columns are called 'score'"),
        ("Jan,38,", "Jan,38,,5", "line 3: more cells than columns; put a cell that contains a separator in quotes"),
        ("game,date,minutes", "game,player 0,score 0", "'player 0': number the players from 1 to 99"),
        ("game,", "evening,", "no column is called game, which marks the rows of one game"),
        (PLAIN[PLAIN.index("\n") :], "", "it has no games; balance new playtest writes a file to start from"),
    ],
)
def test_a_mistake_is_named_by_its_line(tmp_path, old, new, says):
    assert PLAIN.count(old) == 1
    with refused(says):
        read(tmp_path, PLAIN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("score,rank", "score,position", "'position' may be the seat (rename it to seat) or the finishing place"),
        ("score,rank", "score,Kolejność", "give --position seat or --position place"),
        ("score,rank", "result,rank", "'result' may be the points (rename it to score)"),
        ("1,,,,Jan,38", '1,,,,Jan,"1,238"', "line 3: score '1,238' is either 1238 or a fraction; write 1238 or 1,2380"),
        ("1,,,,Jan,38", "1,,,,Jan,1.238", "line 3: score '1.238' is either 1238 or"),
        ("1,,,,Jan,38", "1,,,,ANNA,38", "line 2: 'Anna' and 'ANNA' are one person in two seats"),
        ("2,2026-11-02,80,5", "1,,,", "line 2: 'Jan' and 'Jan' are one person in two seats"),  # numbers begin again
        ("2,,,,Anna,30,1", "2,,,,Anna,30,1\n1,,,,Ola,5,", "line 6: game 1 has rows above, before other games"),
        ("Anna,41,\n1,,,,Jan,38,", "Anna,41,2\n1,,,,Jan,38,1", "line 2: ranks 2, 1 (1 is the winner) contradict"),
        ("Anna,41,\n1,,,,Jan,38,", "Anna,41,1\n1,,,,Jan,38,1", "contradict scores 41, 38; correct them, or give"),
        ("score,rank", f"score,player {'9' * 5000}", "number the players from 1 to 99"),
        (",80,", f",1:{'9' * 5000},", "minutes"),
        ("score,rank", "score,winner", "line 4: winner '2': write yes or no"),
    ],
)
def test_what_has_two_meanings_is_refused(tmp_path, old, new, says):
    assert PLAIN.count(old) == 1
    with refused(says):
        read(tmp_path, PLAIN.replace(old, new))


@pytest.mark.parametrize("mark", ['"', "#", "# ", ";", "\n", "\0"])
def test_no_row_vanishes_for_a_stray_character(tmp_path, mark):
    """Anywhere in a file: all rows are read, or the command says that they are not."""
    seats = [f"{game},{name},{score}," for game in "ab" for score, name in enumerate(("Anna", "Jan", "Ola", "Ewa"))]
    body = "\n".join(["game,player,score,plan", *seats, ""])
    for at in range(len(body) + 1):
        try:
            games, notes = read(tmp_path, body[:at] + mark + body[at:])
        except BalanceError:
            continue
        assert sum(len(game.seats) for game in games) == 8 or notes, at


def test_the_user_says_what_has_two_meanings(tmp_path):
    placed = PLAIN.replace("rank", "position")
    (tmp_path / "placed.csv").write_text(placed, encoding="utf-8")
    assert read_playtests(tmp_path / "placed.csv", GAME, Meaning("place")) == read(tmp_path, PLAIN)
    seated = placed.replace("41,", "41,2").replace("38,", "38,1")
    (tmp_path / "seated.csv").write_text(seated, encoding="utf-8")
    (first, second), _ = read_playtests(tmp_path / "seated.csv", GAME, Meaning("seat"))
    assert [seat.player for seat in first.seats] == ["Jan", "Anna"] and second.seats[0].rank == 1
    (tmp_path / "upset.csv").write_text(PLAIN.replace("41,", "41,2").replace("38,", "38,1"), encoding="utf-8")
    (first, _), _ = read_playtests(tmp_path / "upset.csv", GAME, Meaning(ranks_decide=True))
    assert [seat.rank for seat in first.seats] == [2, 1]


def test_one_person_has_one_name(tmp_path):
    """Case, spaces and Unicode forms don't make another person; the note names the spellings."""
    names = ["Łukasz  Żak", "łukasz żak", unicodedata.normalize("NFD", "Łukasz Żak")]
    rows = [f"{at},{name},9\n{at},Jan,{at}" for at, name in enumerate(names)]
    games, (note,) = read(tmp_path, "\n".join(["game,player,score", *rows]))
    assert {game.seats[0].player for game in games} == {"Łukasz  Żak"}
    assert note.startswith("read as one person each: 'Łukasz  Żak', 'łukasz żak', ")


def test_a_game_entered_twice(tmp_path):
    """With a date it is refused; without one it is noted, because few points often repeat."""
    again = PLAIN.replace("2026-11-02", "2026-11-01").replace(",80,", ",95,").replace("Jan,30,2", "Anna,41,")
    again = again.replace("2,,,,Anna,30,1", "2,,,,Jan,38,")
    with refused("line 4: the same game as line 2; remove one, or note the minutes of both"):
        read(tmp_path, again)
    games, (note,) = read(tmp_path, again.replace("2026-11-01", ""))
    assert len(games) == 2 and note == "same players and scores as an earlier game, counted again: line 4"


def test_a_winner_breaks_a_tie(tmp_path):
    text = "game,player,score,winner\n1,Anna,30,\n1,Jan,30,x\n2,Anna,,tak\n2,Jan,,nie\n3,Anna,4,Jan\n3,Jan,4,\n"
    games, notes = read(tmp_path, text)
    assert [[seat.rank for seat in game.seats] for game in games] == [[2, 1], [1, 2], [2, 1]] and not notes
    with refused("line 6: ranks 2, 1 (1 is the winner) contradict scores 5, 4"):
        read(tmp_path, text.replace("3,Anna,4", "3,Anna,5"))
    wide = "player 1,score 1,player 2,score 2,winner\nAnna,30,Jan,30,jan\n"
    assert [seat.rank for seat in read(tmp_path, wide)[0][0].seats] == [2, 1]
    with refused("line 3: winner 'Ola': write yes or no"):
        read(tmp_path, text.replace("1,Jan,30,x", "1,Jan,30,Ola"))
    with refused("line 2: the winner 'Ola' is no player"):
        read(tmp_path, wide.replace("jan", "Ola"))


def test_unfinished_games_are_left_out_and_counted(tmp_path):
    """The columns of BoardGameGeek: a play has an id, and the column called game has the game's name."""
    text = """playid,date,game,quantity,length,incomplete,name,startposition,score,win
7,2026-11-01,Na Grunwald!,1,0,0,Anna,2,30,0
7,2026-11-01,Na Grunwald!,1,0,0,Jan,1,30,1
8,2026-11-01,Na Grunwald!,1,60,1,Jan,1,3,0
9,2026-11-01,Catan,1,60,0,Jan,1,3,0
"""
    (game,), notes = read(tmp_path, text)
    assert [seat.player for seat in game.seats] == ["Jan", "Anna"] and game.minutes is None
    assert [seat.rank for seat in game.seats] == [1, 2]
    assert notes == ["left out: 1 game of another title", "left out: 1 unfinished game"]
    with refused("line 2: quantity 2: give each game a record of its own"):
        read(tmp_path, text.replace("Grunwald!,1,0", "Grunwald!,2,0"))
    with refused("which game? It has Polska, Catan; name one with --title"):
        read(tmp_path, text.replace("Na Grunwald!", "Polska"))


def test_a_title_needs_titles_in_the_file(tmp_path):
    (tmp_path / "games.csv").write_text(PLAIN, encoding="utf-8")
    with refused("it names no games; leave out --title"):
        read_playtests(tmp_path / "games.csv", GAME, Meaning(title="Catan"))


def test_a_key_that_stands_twice_in_json_is_refused(tmp_path):
    with refused("the key 'score' stands twice"):
        read(tmp_path, JSON.replace('"score": 41', '"score": 41, "score": 9'), "games.json")


def test_columns_without_a_seat_are_noted_in_a_wide_table(tmp_path):
    _, notes = read(tmp_path, "player 1,score 1,player 2,score 2,notes\nAnna,30,Jan,20,rain\n")
    assert notes == ["not read: notes"]


def test_several_mistakes_are_named_together(tmp_path):
    with pytest.raises(BalanceError, match=r"line 3: score 'x' is not a number; line 5: score 'y' is not a number"):
        read(tmp_path, PLAIN.replace("Jan,38", "Jan,x").replace("Anna,30", "Anna,y"))


@pytest.mark.parametrize("text", ["[]", "{}", "nonsense", "[1]", '[{"players": 3}]', "[" * 9999])
def test_json_that_is_no_list_of_games(tmp_path, text):
    with pytest.raises(BalanceError):
        read(tmp_path, text, "games.json")


def test_names_are_hidden(tmp_path):
    games = hide_names(read(tmp_path, PLAIN.replace("2,,,,Anna", "2,,,,anna"))[0])
    assert [[seat.player for seat in game.seats] for game in games] == [
        ["player A", "player B"],
        ["player B", "player A"],
    ]


def make_people(tmp_path, games):
    """Return people's games from lists of scores in seat order."""
    records = [GameRecord(tuple(SeatRecord("", s, 1 + sum(o > s for o in scores)) for s in scores)) for scores in games]
    return write_people(tmp_path / "people", GAME, records)


def test_a_folder_grows(tmp_path):
    """The tables have a run's columns; a look is counted only when there are new games."""
    games = [[3, 2], [2, 2], [1, 5]]
    assert make_people(tmp_path, games[:2]).updates == [2]
    assert make_people(tmp_path, games[:2]).updates == [2]
    assert make_people(tmp_path, games).updates == [2, 3]
    people = read_people(tmp_path / "people")
    assert people.first(2).games["game_id"].tolist() == [1, 2]
    assert people.seats["win_share"].tolist() == [1, 0, 0.5, 0.5, 0, 1]
    assert people.games["margin"].tolist() == [1, 0, 4] and set(people.games["tier"]) == {"people"}
    assert {*COLUMNS["seats"]} <= {*people.seats}
    with pytest.raises(BalanceError, match="holds 3 games and the file 1; give the whole file"):
        make_people(tmp_path, games[:1])
    with pytest.raises(BalanceError, match="holds games of na-grunwald"):
        write_people(tmp_path / "people", get_game("polska"), [])
    with pytest.raises(BalanceError, match="holds games of people; compare them with a run"):
        RunFolder.open(tmp_path / "people")
    (tmp_path / "people" / "games" / "games.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(BalanceError, match=r"not the table that run.json lists; run balance people again"):
        read_people(tmp_path / "people")
    assert make_people(tmp_path, games).updates == [2, 3], "it can be written again"
    info = tmp_path / "people" / "run.json"
    info.write_text(info.read_text(encoding="utf-8").replace('"updates"', '"update"'), encoding="utf-8")
    with pytest.raises(BalanceError, match="updates"):
        read_people(tmp_path / "people")


@pytest.mark.parametrize("killed_at", ["seats.parquet", "run.json"])
def test_a_folder_killed_while_it_is_written_is_refused(tmp_path, monkeypatch, killed_at):
    """Tables of two files with as many games would be mixed; writing again mends the folder."""
    make_people(tmp_path, [[3, 2], [2, 2]])
    real = os.replace

    def kill(source, target):
        if Path(target).name == killed_at:
            raise KeyboardInterrupt
        real(source, target)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", kill)
        make_people(tmp_path, [[1, 9], [0, 7]])
    with refused("not the table that run.json lists; run balance people again"):
        read_people(tmp_path / "people")
    make_people(tmp_path, [[1, 9], [0, 7]])
    assert read_people(tmp_path / "people").seats["score"].tolist() == [1, 9, 0, 7]


def test_changed_games_are_no_update(tmp_path):
    assert make_people(tmp_path, [[3, 2], [2, 2]]).appended
    assert make_people(tmp_path, [[3, 2], [2, 2], [1, 5]]).appended
    assert not make_people(tmp_path, [[1, 5], [3, 2], [2, 2], [9, 1]]).appended
    assert not read_people(tmp_path / "people").appended


def test_a_seat_that_one_person_holds_has_no_verdict(tmp_path):
    """The first seat wins all of 200 games. That shows nothing about the seat if Anna always has it."""

    def write(name, names):
        seats = [(SeatRecord(names[at % 2], 9, 1), SeatRecord(names[1 - at % 2], 1, 2)) for at in range(200)]
        people = write_people(tmp_path / name, GAME, [GameRecord(each) for each in seats])
        return PeopleComparison(people, pd.DataFrame(), {})

    for name, names in (("held", ["Anna", "Anna"]), ("unnamed", ["", ""])):
        found = write(name, names)
        assert found.unmixed == {(2, "base")}
        assert set(found.seat_shares(Thresholds())["verdict"]) == {"undecided"}
    mixed = write("mixed", ["Anna", "Jan"])
    assert not mixed.unmixed and set(mixed.seat_shares(Thresholds())["verdict"]) == {"favoured", "disfavoured"}


def test_intervals_of_few_games_cover():
    """Of 12 games with seats that win 40, 35 and 25 %, at least 95 % of the intervals contain the truth."""
    rng, chances, held = np.random.default_rng(3), np.array([0.40, 0.35, 0.25]), []
    for _ in range(300):
        winner = rng.choice(3, 12, p=chances)
        share = (winner[:, None] == np.arange(3)).astype(float)
        seats = pd.DataFrame(
            {"players": 3, "variant": "base", "seat": np.tile(range(3), 12), "win_share": share.ravel()}
        )
        found = seat_shares(People(None, GAME, pd.DataFrame(), seats, [12]))
        held.append((found["low"] <= 100 * chances) & (100 * chances <= found["high"]))
    assert np.mean(held) >= 0.95


def test_sample_sizes_agree():
    """An advantage that n games just show needs n games; fair seats need more games for a smaller limit."""
    assert smallest_shown(4, 400, 4) == pytest.approx(smallest_shown(4, 100, 4) / 2)
    found = smallest_effect(400, 3.0, comparisons=2)
    assert games_needed(found * 1.0001, 3.0, comparisons=2) == 400
    assert games_for_fair_seats(4, 5, 4) == pytest.approx(games_for_fair_seats(4, 10, 4) * 4, abs=4)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with three tiers that score differently."""
    tiers = [
        {"name": "champions", "strategies": ["champion"], "games": 600},
        {"name": "styles", "strategies": ["treasurer", "quartermaster"], "games": 600},
        {"name": "random", "strategies": ["random"], "games": 600},
    ]
    keys = {"players": [2], "games": None, "strategies": [], "tiers": tiers}
    return play(tmp_path_factory.mktemp("people") / "run", **keys)


@cache
def rows_of(run, tier):
    """Return the games and the seats of a tier."""
    view = Run(run, tier)
    return view.games().set_index("game_id"), view.seats()


def draw_people(run, tier, count, seconds, seed=0):
    """Return records of `count` games of a tier, at this pace, with minutes that vary by a quarter."""
    rng, (games, seats) = np.random.default_rng(seed), rows_of(run, tier)
    records = []
    for number in rng.choice(games.index, count, replace=False):
        own = seats[seats["game_id"] == number].sort_values("seat")
        minutes = games.at[number, "choice_blocks"] * seconds / 60 * rng.lognormal(0, 0.25)
        rows = tuple(SeatRecord(f"p{row.seat}", float(row.score), int(row.rank)) for row in own.itertuples())
        records.append(GameRecord(rows, minutes=float(minutes), rounds=int(games.at[number, "rounds"])))
    return records


@pytest.mark.parametrize("tier", ["champions", "styles", "random"])
def test_a_planted_tier_and_pace_are_found(run, tmp_path, tier):
    people = write_people(tmp_path / "people", GAME, draw_people(run, tier, 500, 20, seed=1))
    found = compare_people(RunFolder.open_finished(run), people)
    assert found.likeness.nearest == tier and found.likeness.is_shown and found.likeness.more == 0
    assert found.pace.low <= 20 * np.exp(0.25**2 / 2) <= found.pace.high
    assert (found.pace.tier, found.pace.n) == (tier, 500)
    own = found.measures.query("source == @tier and measure == 'score'").iloc[0]
    assert own.d_low < 0 < own.d_high


def test_the_pace_is_that_of_the_player_count():
    """People who take 10 seconds a choice with two players, and 40 with three, have no pace of 25."""
    games = pd.DataFrame({"players": [2] * 8 + [3] * 8, "variant": "base", "minutes": [10.0] * 8 + [40.0] * 8})
    games = games.assign(minutes=games["minutes"] + np.tile([-0.5, 0.5], 8))
    bots = pd.DataFrame({"players": [2, 3], "variant": "base", "tier": "a", "choice_blocks": 60.0})
    found = PeopleComparison(SimpleNamespace(), bots, {"a": 0.0})
    vars(found).update(games=games, likeness=None)
    assert 9 < found.paces[2].low < 10 < found.paces[2].high < 11
    assert 39 < found.paces[3].low < 40 < found.paces[3].high < 41
    assert found.pace.low < 25 < found.pace.high


@pytest.mark.long
@pytest.mark.slow
def test_tiers_that_play_alike_are_rarely_distinguished(run):
    """A tier is never nearer than itself; of two samples of one tier, one is shown in about 5 % of cases."""
    rng, shown = np.random.default_rng(5), 0
    everyone = make_rows(draw_people(run, "styles", 400, 20)).assign(deal_seed=range(400), tier="a")
    for _ in range(60):
        games = everyone.sample(160, random_state=rng).reset_index(drop=True)
        people, one, other = games[:60], games[60:110], games[110:160]
        alike = find_likeness(people, pd.concat([one, one.assign(tier="b")]))
        assert not alike.is_shown and alike.more == 0
        shown += find_likeness(people, pd.concat([one, other.assign(tier="b")])).is_shown
    assert shown <= 7


def make_rows(records):
    """Return the rows of `per_game` of these records."""
    games, seats = make_tables(records)
    return per_game(games, seats)


@pytest.mark.long
@pytest.mark.slow
def test_a_tier_is_rarely_shown_wrongly(run, tmp_path):
    """With 8 games of styles, another tier is shown as the nearest in at most 5 % of 60 samples."""
    opened, wrong = RunFolder.open_finished(run), 0
    bots = compare_people(opened, write_people(tmp_path / "all", GAME, draw_people(run, "styles", 8, 20))).bots
    for seed in range(60):
        records = draw_people(run, "styles", 8, 20, seed)
        games = make_rows(records)
        found = find_likeness(games, bots)
        wrong += found.is_shown and found.nearest != "styles"
    assert wrong <= 3


@pytest.mark.slow
def test_a_report_sets_people_next_to_every_tier(run, tmp_path, cli, monkeypatch):
    """The pace of people decides the length; new games are named as such."""
    monkeypatch.chdir(tmp_path)
    records = draw_people(run, "random", 60, 20)

    def write(count):
        rows = [
            f"{at},{record.minutes},{record.rounds},{seat.player},{seat.score},{seat.rank}"
            for at, record in enumerate(records[:count])
            for seat in record.seats
        ]
        (tmp_path / "games.csv").write_text("\n".join(["game,minutes,rounds,player,score,rank", *rows]))
        told = cli("people games.csv --game na-grunwald --out people", status=0).output
        assert f"{count} games of Na Grunwald! played by people" in told
        cli("report --people people --out page --quiet", run, status=0)
        return (tmp_path / "page" / "report.md").read_text(encoding="utf-8")

    first = write(14)
    assert "## People at the table (14 games)" in first and "14 games of people don't show whether" in first
    assert "New since" not in first
    answer = first.split("\n\n")[2]
    assert answer.endswith(".") and re.search(r"With 2 players 14 games of people don't show whether", answer)
    second = write(60)
    assert "These people play most like the tier random" in second
    assert "New since the last update: 46 games" in second
    assert "measured in 60 games of people" in second
    table = pd.read_csv(tmp_path / "page" / "tables" / "people-and-bots-seats.csv")
    assert set(table["source"]) == {"people", "champions", "styles", "random"}


def test_people_without_a_counterpart(run, tmp_path, cli):
    """Games of another player count are shown alone; games of another game are an error."""
    make_people(tmp_path, [[1, 2, 3]] * 6)
    cli("report", run, "--people", tmp_path / "people", "--out", tmp_path / "page", "--quiet", status=0)
    text = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert "This run has no games like these: base (3 players)." in text
    other = write_people(
        tmp_path / "polska", get_game("polska"), [GameRecord((SeatRecord("", 1, 1), SeatRecord("", 0, 2)))]
    )
    told = cli("report", run, "--people", other.path, "--out", tmp_path / "no", status=1).output
    assert "holds games of polska, which no run here has" in told


def test_the_draft_is_read_after_a_game_is_added(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "people evening.csv" in cli("new playtest evening --game na-grunwald", status=0).output
    told = cli("people evening.csv --game na-grunwald --out people", status=1).output
    assert "it has no games" in told
    path = tmp_path / "evening.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    example = [line.removeprefix("# ") for line in lines if line.startswith("# 1,")]
    path.write_text("\n".join([*lines, *example]), encoding="utf-8")
    cli("people evening.csv --game na-grunwald --out people", status=0)
    assert read_people(tmp_path / "people").seats["strategy"].tolist() == ["player A", "player B"]
    cli("people evening.csv --game na-grunwald --out named --names", status=0)
    assert read_people(tmp_path / "named").seats["strategy"].tolist() == ["Anna", "Jan"]


def spoil_cells(draw: random.Random, content: bytes) -> bytes:
    """Return a Parquet file with a column changed, wholly or in one row."""
    table = pd.read_parquet(io.BytesIO(content))
    column, value = (draw.choice([*table]), draw.choice([0, -1, 99, 2**40, float("nan"), None, "x", 1.5, b"\xff"]))
    cells = list(table[column])
    cells = [value] * len(cells) if draw.random() < 0.5 else [*cells[:-1], value]
    written = io.BytesIO()
    with suppress(Exception):  # types that can't stand in one column
        table.assign(**{column: cells}).to_parquet(written)
    return written.getvalue() or content


def test_a_forged_folder_is_read_or_refused_in_one_line(tmp_path):
    """Its checksums are right: bytes, cells or keys of `run.json` are not."""
    draw, seats = random.Random(4), (SeatRecord("A", 3.0, 1), SeatRecord("B", 2.0, 2, "rash"))
    people, refusals = tmp_path / "people", 0
    write_people(people, GAME, [GameRecord(seats, minutes=30.0, rounds=5)] * 6)
    info = json.loads((people / "run.json").read_text())
    whole = {name: (people / file).read_bytes() for name, file in FILES.items()}
    for _ in range(120):
        told = json.loads(json.dumps(info))
        for name, content in whole.items():
            how = draw.random()
            content = spoil(content, draw) if how < 0.3 else spoil_cells(draw, content) if how < 0.7 else content
            (people / FILES[name]).write_bytes(content)
            told["sha256"][name] = hashlib.sha256(content).hexdigest()
        if draw.random() < 0.3:
            told[draw.choice([*told])] = draw.choice([None, 0, -1, 2**70, float("nan"), "x", [], [2**40], {}])
        (people / "run.json").write_text(json.dumps(told))
        try:
            found = read_people(people)
            assert len(found.seats) == 12 and found.seats["rank"].notna().all()
        except BalanceError as error:
            refusals += 1
            assert "\n" not in str(error)
    assert 60 < refusals < 120
