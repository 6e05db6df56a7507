"""Games in plain Python are played, logged and resumed as compiled ones."""

from pathlib import Path

import pytest
from support.own_game import line_of, write
from support.runs import digest, parts_of, play, resume

import balance
from balance.contract.game import get_game
from balance.contract.restrictions import Restriction
from balance.engine.stepper import Stepper, walk_labels
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.experiments.strategies import load_strategy
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.report.replay import open_replay
from balance.runs.folder import RunFolder
from balance.runs.jobs import make_loop
from balance.runs.workers import Threads
from balance.studies.game_checks import check_game
from balance.studies.playing import play_plan
from balance.testing.digest import play_some


@pytest.fixture(scope="module")
def duel(tmp_path_factory) -> Path:
    """Return the folder of the draft."""
    return write(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def run(duel, tmp_path_factory) -> Path:
    """Return a run with every table."""
    keys = {"players": [2, 3], "variants": ["base", "short"], "games": 60, "luck": 12, "log": "trace"}
    return play(tmp_path_factory.mktemp("runs") / "run", game=str(duel), strategies=["careful", "random"], **keys)


def test_the_trace_is_the_game(duel):
    """The loop and the stepper play the same game from the same deal, chance included."""
    path = write(
        duel.parent, ("chance.shuffle(deck)", 'chance.shuffle(deck)\n        chance.note("dealt")'), name="noted"
    )
    game = get_game(str(path))
    played = play_some(game, 3, 4)
    for number in range(4):
        trace = played.trace_of(number)
        stepper = Stepper.deal(game, played.rules, 3, int(played.deal_seeds[number]))
        labels = [stepper.write(row["code"]) for row in trace if row["seat"] >= 0]
        walked = [(step.round, step.seat, step.label, len(step.options)) for step in walk_labels(stepper, labels)]
        assert walked == [(row["round"], row["seat"], stepper.write(row["code"]), row["options"]) for row in trace]
        assert walked[0] == (1, -1, "dealt", 0)
        _, seats = stepper.result()
        own = played.rows.seats[number * 3 : number * 3 + 3]
        assert (seats.score == own.score).all() and (seats["rank"] == own["rank"]).all()


def test_a_replay_has_the_scores_after_each_round(run, tmp_path):
    """They are those of the rounds table."""
    rounds = balance.open_run(run).query("SELECT * FROM rounds ORDER BY round, seat")
    for number in (0, 1, 2):
        own = rounds[rounds.game_id == number]
        scores = own.pivot(index="round", columns="seat", values="score").to_numpy().tolist()
        assert open_replay(run, number, tmp_path).scores == scores
        assert any(scores[0])


def test_a_replay_of_a_truncated_game_ends_with_its_last_scores(duel, tmp_path):
    """The round that was broken off counts as the others do."""
    keys = {"game": str(duel), "players": [2], "strategies": ["random"], "decision_limit": 9}
    run = play(tmp_path / "run", games=2, trace=2, **keys)
    scores = open_replay(run, 0, tmp_path).scores
    assert len(scores) == 5 and sum(scores[-1]) == 4


def test_rows_are_those_of_the_rules(run):
    """Every round gives a point; the last round's scores are the final ones; ranks and win shares follow."""
    found = balance.open_run(run)
    totals = found.query(
        "SELECT g.rounds, g.variant, sum(s.score) AS points, sum(win_share) AS won, max(rank) AS worst "
        "FROM games g JOIN seats s USING (game_id) GROUP BY ALL"
    )
    assert (totals.points % totals.rounds == 0).all()
    assert set(found.games().rounds) == {4, 7}
    last = found.query(
        "SELECT r.score - s.score AS off FROM rounds r JOIN games g ON r.game_id = g.game_id "
        "AND r.round = g.rounds JOIN seats s ON s.game_id = r.game_id AND s.seat = r.seat"
    )
    assert (last.off == 0).all() and len(last) == len(found.seats())
    assert found.query("SELECT count(*) AS n FROM luck").n[0] > 0
    shares = found.query("SELECT sum(win_share) AS won FROM seats GROUP BY game_id").won
    assert shares.round(6).eq(1).all()


@pytest.mark.slow
def test_processes_write_the_same_files(run, duel, tmp_path):
    """Two processes play what one thread plays; after a kill a resumed run has the same bytes."""
    keys = {"players": [2, 3], "variants": ["base", "short"], "games": 60, "luck": 12, "log": "trace"}
    other = play(tmp_path / "two", 2, game=str(duel), strategies=["careful", "random"], **keys)
    assert digest(other) == digest(run)
    whole = digest(other)
    part = parts_of(other)[1]
    for table in part.files:
        (other / table / f"{part.stem}.parquet").unlink()
    resume(other, 2)
    assert digest(other) == whole


@pytest.mark.slow
def test_an_exception_in_a_process_is_one_line(tmp_path):
    """The line names the file, the line and the seeds; the run can be read of as unfinished."""
    change = ("state.round += 1", "state.round += 6 // (6 - state.round) > 0")
    path = write(tmp_path, change)
    with pytest.raises(BalanceError) as caught:
        play(tmp_path / "run", 2, game=str(path), players=[2], strategies=["random"], games=600)
    text = str(caught.value)
    assert text.startswith(f"{line_of(path, '6 // (6')}: ZeroDivisionError")
    assert "deal seed" in text and "in apply('play" in text and "\n" not in text
    assert RunFolder.open(tmp_path / "run").info["status"] == "failed"


@pytest.mark.slow
def test_a_process_that_ends_is_reported(tmp_path):
    """Code that ends its process leaves a run that can be resumed."""
    path = write(tmp_path, ("state.round += 1", "__import__('os')._exit(3)"))
    plan = make_plan(
        make_experiment({"game": str(path), "players": [2], "strategies": ["random"], "games": 2000}), Path(), "test"
    )
    threads = Threads(2)
    for number in range(2):  # the second time with new processes
        with pytest.raises(BalanceError, match=r"a process that played has ended.*resume with"):
            play_plan(plan, tmp_path / str(number), threads)
    threads.close()


def test_a_run_watches_its_first_game(tmp_path):
    """A list that changes the state is refused, not played."""
    path = write(tmp_path, ("        return [f", "        state.points[0] += 1\n        return [f"))
    with pytest.raises(BalanceError, match=r"actions\(\) changes the state"):
        play(tmp_path / "run", game=str(path), players=[2], strategies=["random"])


def test_an_endless_game_is_truncated(tmp_path, cli):
    """The last line of the run counts truncated games."""
    path = write(tmp_path, ("return not any(state.hands)", "return False"), ("hands[winner]", "hands[winner] or True"),
                 ("for card in sorted(set(state.hands[state.seat]))", "for card in (1, 2)"),
                 ("        state.hands[state.seat].remove(card)\n", ""), name="endless")  # fmt: skip
    (tmp_path / "e.toml").write_text(
        f'game = "{path}"\nplayers = [2]\nstrategies = ["random"]\ngames = 4\ndecision_limit = 300\n'
    )
    printed = cli("run --workers 1 --out", tmp_path / "run", tmp_path / "e.toml", status=0).output
    assert "all 4 games truncated at the limit of 300 decisions" in " ".join(printed.split())


def test_a_python_bot_sees_plain_data(duel, tmp_path):
    """Hidden cards are "?"; the observation needs no code of the game."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Last:\n"
        "    def choose(self, observation, actions):\n"
        "        others = [h for s, h in enumerate(observation.hands) if s != observation.viewer]\n"
        "        assert all(card == '?' for hand in others for card in hand)\n"
        "        assert type(observation).__name__ == 'Thing' and observation.kind == 'play'\n"
        "        return len(actions) - 1\n"
    )
    played = play(
        tmp_path / "run", game=str(duel), players=[2], strategies=["random", f"{bot}:Last"], games=12, log="trace"
    )
    steps = balance.open_run(played).query("SELECT * FROM trace JOIN seats USING (game_id, seat)")
    assert len(steps[steps.strategy == "Last"]) > 20


@pytest.mark.slow
def test_a_simulator_continues_from_what_the_seat_knows(duel, tmp_path):
    """Its copies have the legal actions and own cards; what is hidden differs from copy to copy."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Ahead:\n"
        "    def choose(self, observation, actions, simulator):\n"
        "        copies = [simulator.deal() for _ in range(4)]\n"
        "        assert all(each.options() == actions for each in copies)\n"
        "        seat = observation.viewer\n"
        "        hands = [each.state['position'].hands for each in copies]\n"
        "        assert all(hand[seat] == observation.hands[seat] for hand in hands)\n"
        "        assert len({str(hand[1 - seat]) for hand in hands}) > 1 or len(hands[0][1 - seat]) < 3\n"
        "        copies[0].options()\n"
        "        copies[0].take(0)\n"
        "        return len(actions) - 1\n"
    )
    keys = {"game": str(duel), "players": [2], "games": 6, "log": "trace"}
    runs = [play(tmp_path / name, strategies=["random", f"{bot}:Ahead"], **keys) for name in ("one", "two")]
    one, two = (balance.open_run(run).query("SELECT * FROM seats ORDER BY ALL") for run in runs)
    assert one.equals(two)


def test_a_temperature_draws_other_actions(duel, tmp_path):
    """A profile at a high temperature plays almost at random, and differently from the greedy one."""
    hot = (duel / "profiles" / "careful.toml").read_text().replace("[weights]", "temperature = 100\n[weights]")
    (tmp_path / "hot.toml").write_text(hot)
    keys = {"game": str(duel), "players": [2], "games": 40, "log": "trace"}
    plays = {
        name: balance.open_run(play(tmp_path / str(n), strategies=[name], **keys)).query("SELECT label FROM trace")
        for n, name in enumerate(["careful", str(tmp_path / "hot.toml")])
    }
    cold, warm = (each.label.tolist() for each in plays.values())
    assert cold != warm


def test_a_restricted_seat_avoids_an_action(duel):
    """It plays the action only when nothing else is legal, or as often as it may."""
    game = get_game(str(duel))
    rules = load_variant(game, "base", Path()).rules
    high = Restriction(title="high cards", patterns=["play 1?"], at_most=1)
    strategies = [load_strategy(game, "random", Path()).without("high", high)]
    played = _labels(game, rules, strategies)
    for labels in played:
        seen = 0
        for label, options in labels:
            free = [each for each in options if len(each) < 7]
            if label not in free and free and len(free) < len(options):
                seen += 1
        assert seen <= 1
    assert any(label not in ("play 1", "play 2") for labels in played for label, _ in labels)


def _labels(game, rules, strategies):
    """Return label and options of every decision of a seat, of each seat of 20 games."""
    from balance.contract.records import blank
    from balance.engine.buffers import JOB

    loop, room, packed = make_loop(game, rules, 2, strategies)
    jobs = blank(20, JOB)
    jobs.game_id[:] = jobs.deal_seed[:] = jobs.seed[:] = range(20)
    rows = loop.rows(20, 2, False, 2000)
    assert loop.play_games(packed, room, jobs, rows, 1000) == 20
    found = []
    for number in range(20):
        trace = rows.trace[rows.trace.game_id == number]
        trace = trace[: int(rows.games.decisions[number])]
        stepper = Stepper.deal(game, rules, 2, number)
        own = {0: [], 1: []}
        for row in trace:
            options, label = stepper.options(), stepper.write(int(row["code"]))
            own[stepper.seat].append((label, options))
            stepper.take(options.index(label))
        found += list(own.values())
    return found


OUTCOMES = """    OUTCOMES = {"won": ("player", "card")}
    PARTS = {"player": "Seat.", "card": "The winning card."}
    OUTCOME_TEXTS = {"won": "{player} wins with {card}"}

    def features("""
WON = "            state.points[winner] += state.rules.prize\n"


def test_outcomes_are_rows_of_the_trace_and_sentences(tmp_path):
    """Their parts are columns; the stepper and the loop record the same."""
    call = f'            chance.outcome("won", player=winner, card=max(state.table))\n{WON}'
    path = write(tmp_path, ("    def features(", OUTCOMES), (WON, call))
    run = play(tmp_path / "run", game=str(path), players=[2], strategies=["random"], games=6, log="trace")
    found = balance.open_run(run).query("SELECT * FROM trace WHERE kind = 'outcome'")
    assert len(found) == 6 * 7 and set(found.outcome) == {"won"}
    assert found.label[0] == f"won {found.player[0]} {found.card[0]}"
    points = found.groupby(["game_id", "player"]).size()
    scores = balance.open_run(run).seats().set_index(["game_id", "seat"]).score
    assert all(scores[key] == count for key, count in points.items())


def test_a_wrong_outcome_is_a_fault(tmp_path):
    """The name and the parts are those of OUTCOMES."""
    for call, says in (
        ("chance.outcome('lost')", "OUTCOMES has no 'lost'"),
        ("chance.outcome('won', card=1)", "the parts of 'won' are player, card, not card"),
    ):
        path = write(
            tmp_path, ("    def features(", OUTCOMES), (WON, f"            {call}\n{WON}"), name=f"g{len(says)}"
        )
        found = check_game(get_game(str(path)), [2], ["base"], range(1))
        assert says in found.failures[0] and "game.py:" in found.failures[0]


def test_a_column_that_every_game_has_is_refused(tmp_path):
    """Own columns and parts need names of their own."""
    own = """    COLUMNS = {"score": "Twice."}

    def columns(self, state, seat):
        return {}

    def features("""
    path = write(tmp_path, ("    def features(", own))
    with pytest.raises(BalanceError, match="COLUMNS has score, which every game has"):
        play(tmp_path / "run", game=str(path), players=[2])
