"""Games for one player, for players who win together, and for teams: what is stored, asked, and refused."""

from pathlib import Path

import pytest
from support.errors import refused
from support.own_game import write_plainest
from support.runs import play, report_text

import balance
from balance.contract.game import get_game
from balance.contract.sides import RIVALS, SCORED, SEAT, TABLE, TEAM, WINS, Sides
from balance.experiments.measures import all_measures
from balance.report.section import find_sections

pytestmark = pytest.mark.usefixtures("undrawn")

SCORES = "    def scores(self, state):\n        return state.points\n"
WON = '    def outcome(self, state):\n        return "won" if sum(state.points) >= 7 * state.players else "lost"\n'
SOLO_SCORE = '    GOAL = "score"\n\n    def outcome(self, state):\n        return sum(state.points)\n'
TEAMS = """    def teams(self, players):
        return ["one", *["many"] * (players - 1)]

    def scores(self, state):
        return [2 * state.points[0], sum(state.points[1:])]
"""


def write(folder: Path, methods: str, players: str = "(1, 2, 3)") -> str:
    """Write a game of three turns each, with other methods in place of its scores; return its folder."""
    path = write_plainest(folder)
    text = (path / "game.py").read_text(encoding="utf-8").replace("players = (2, 3)", f"players = {players}")
    (path / "game.py").write_text(text.replace(SCORES, methods), encoding="utf-8")
    return str(path)


def measures_of(game: str) -> set[str]:
    return {measure.name for measure in all_measures(get_game(game))}


def test_a_fair_share_is_one_of_the_sides():
    """Whatever the size of a team, on numbers and on arrays; a game without rivals allows no question about them."""
    seats, table = Sides(), Sides(TABLE, has_scores=False)
    teams = Sides(TEAM, ["one", "many"], {4: [0, 1, 1, 1], 3: [1, 0, 0]})
    assert seats.fair_share(4) == 25 and teams.fair_share(4) == 50
    assert teams.fair_share([3, 4]).tolist() == [50, 50]
    assert teams.of_seats(3) == [0, 1, 1] and teams.first_seats(4) == [0, 1]
    assert seats.allow((RIVALS, SEAT)) and not teams.allow((SEAT,)) and teams.allow((RIVALS, SCORED))
    assert table.allow((TABLE, WINS)) and not table.allow((RIVALS,)) and not table.allow((SCORED,))


def test_players_who_win_together_have_one_result(tmp_path):
    """All seats win or none does; there is no margin, and no measure of rivals."""
    game = write(tmp_path, WON)
    assert "won" in measures_of(game)
    assert not measures_of(game) & {"seat_win_share", "margin", "comeback", "score", "shared_victories"}
    run = balance.open_run(
        play(tmp_path / "run", game=game, players=[1, 3], strategies=["random"], games=60, log="rounds")
    )
    rows = run.query("SELECT * FROM seats JOIN games USING (game_id)")
    assert set(rows["win_share"]) == {0.0, 1.0}
    assert (rows.groupby("game_id")["win_share"].nunique() == 1).all()
    assert ((rows["rank"] == 1) == (rows["win_share"] == 1)).all()
    assert (rows["winners"] == rows["win_share"]).all() and (rows["score"] == rows["win_share"]).all()
    assert rows["margin"].isna().all() and rows["comeback"].isna().all()
    assert not run.query("SELECT lead FROM rounds")["lead"].notna().any()


def test_a_page_of_players_who_win_together_asks_other_questions(tmp_path):
    """How often, and at which player count it is harder; nothing is called fair."""
    game = write(tmp_path, WON)
    path = play(tmp_path / "run", game=game, players=[1, 2], strategies=["random"], games=200)
    text = report_text(path, tmp_path / "page")
    assert "How hard is Plainest" in text and "Players win" in text
    assert "## Games won" in text and "with 1 player: " in text
    assert "## Seats" not in text and "Comebacks" not in text and "unfair" not in text
    sections = {each.__name__.rpartition(".")[2] for each in find_sections(get_game(game))}
    assert not sections & {"seats", "runaway", "ties", "luck", "neighbours", "strategies"}


def test_a_wanted_share_of_games_won_is_judged(tmp_path):
    game = write(tmp_path, WON)
    keys = {"players": [3], "strategies": ["random"], "games": 300, "thresholds": {"won": [95, 100]}}
    text = report_text(play(tmp_path / "run", game=game, **keys), tmp_path / "page")
    assert "too hard" in text


def test_a_table_with_a_score_neither_wins_nor_loses(tmp_path):
    """The score of every seat is the table's, and its win share is missing."""
    game = write(tmp_path, SOLO_SCORE, "(1, 2)")
    assert "score" in measures_of(game) and "won" not in measures_of(game)
    path = play(tmp_path / "run", game=game, players=[1], strategies=["random", "search-20"], games=20)
    scores = balance.open_run(path).query("SELECT strategy, score, win_share FROM seats")
    assert scores["win_share"].isna().all()
    means = scores.groupby("strategy")["score"].mean()
    assert means["search-20"] > means["random"]  # "high" is better by half a point a turn
    assert "## Scores" in report_text(path, tmp_path / "page")


@pytest.mark.parametrize("players", [2, 3])
def test_teams_share_their_win(players, tmp_path):
    """One against many: each game has the win share 1 for a team, by every seat, and the teams are judged."""
    game = write(tmp_path, TEAMS, "(2, 3)")
    path = play(tmp_path / "run", game=game, players=[players], strategies=["random"], games=200, log="rounds")
    run = balance.open_run(path)
    seats = run.query("SELECT * FROM seats ORDER BY game_id, seat")
    assert set(seats["team"]) == {"one", "many"}
    firsts = seats.drop_duplicates(["game_id", "team"])
    assert (firsts.groupby("game_id")["win_share"].sum() == 1).all()
    assert (seats.groupby(["game_id", "team"])[["win_share", "score", "rank"]].nunique() == 1).all(axis=None)
    shares = run.team_shares().set_index("team")
    assert shares["fair"].tolist() == [50, 50] and shares["n"].tolist() == [200, 200]
    text = report_text(path, tmp_path / "page")
    assert "Teams fair" in text and "## Seats" not in text


REFUSED = {
    "one player with rivals": ("", "(1, 2)", "one player has no rival"),
    "both": (WON + TEAMS, "(2, 3)", "both outcome() and teams()"),
    "a single team": (TEAMS.replace('"many"', '"one"'), "(2, 3)", "name at least two teams"),
    "too few names": (TEAMS.replace("players - 1", "1"), "(2, 3)", "a name for each of 3 seats"),
    "no scores": (TEAMS.partition("    def scores")[0], "(2, 3)", "lacks scores()"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_unclear_sides_are_refused_when_the_game_is_read(fault, tmp_path):
    methods, players, says = REFUSED[fault]
    with refused(says):
        get_game(write(tmp_path, methods or SCORES, players))


def test_an_outcome_and_scores_of_teams_are_checked(tmp_path):
    """One line says what to return."""
    game = write(tmp_path / "a", WON.replace('"lost"', "0"))
    with refused("must return 'won' or 'lost', not 0", 'GOAL = "score"'):
        play(tmp_path / "run", game=game, players=[1], strategies=["random"], games=40)
    game = write(tmp_path / "b", TEAMS.replace("2 * state.points[0], ", ""), "(2, 3)")
    with refused("must return a number for each of 2 teams"):
        play(tmp_path / "other", game=game, players=[3], strategies=["random"], games=4)


@pytest.mark.parametrize(
    ("methods", "command", "says"),
    [
        (WON, "ladder --game GAME", "balance ladder does not apply"),
        (TEAMS, "exploit --game GAME random", "balance exploit does not apply"),
        (WON, "curve --game GAME", "balance curve does not apply"),
        (TEAMS, "curve --game GAME", "in this game seats win as teams"),
    ],
)
def test_commands_that_compare_rivals_or_seats_refuse(methods, command, says, tmp_path, cli):
    game = write(tmp_path, methods, "(2, 3)")
    assert says in cli(command.replace("GAME", game), status=1).output


def test_ten_players(tmp_path):
    """The tables and the page have ten seats."""
    game = write(tmp_path, SCORES, "(10,)")
    path = play(tmp_path / "run", game=game, players=[10], strategies=["random"], games=100)
    shares = balance.open_run(path).seat_shares()
    assert shares["seat"].tolist() == list(range(10)) and set(shares["fair"]) == {10}
    assert "10th" in report_text(path, tmp_path / "page")
