"""Games in plain Python that are played again: a searcher judges decisions, options are tried, or components given.

Judging and giving have the results of `balance.engine.search.judging` and `balance.engine.giving`; trying, as
`balance.engine.search.trying`, deals in its own way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.engine.buffers import Buffers, Rows
from balance.engine.giving import GIFT_STREAM, Watch
from balance.engine.search.judging import JUDGE_STREAM, JudgeBuffers
from balance.engine.search.trying import DEALS, LOOK_STREAM, OTHER, TAKEN, LookBuffers
from balance.plain.chance import Chance, derive
from balance.plain.results import read_scores
from balance.plain.search import PlainSearch
from balance.plain.table import Job, Played, Table, learned_player, read_jobs, write_games


def judge_games(
    game: Any, packed: Any, room: Buffers, jobs: Any, rows: Rows, bench: JudgeBuffers, judge: int,
    every: int, limit: int,
) -> None:  # fmt: skip
    """Play `jobs`, and let searcher number `judge` judge one in `every` choices, drawn at random."""
    table, used, played = _silent_table(game, packed, room), 0, []
    for number, job in enumerate(read_jobs(jobs)):
        table.deal(job)
        chance, first = Chance(derive(job.seed, JUDGE_STREAM)), used
        searcher = _searcher(game, packed, room, judge, job)
        while not table.over and table.decisions < limit:
            actions = table.list_actions()
            judged = len(actions) > 1 and chance.below(every) == 0 and used < len(bench.decisions)
            before: Any = table.author.clone(table.position) if judged else None
            decided = table.decisions
            table.play_on(decided + 1, -1)
            if judged:
                searcher.word = chance._next()
                decision = bench.decisions[used]
                decision["game"], decision["number"], decision["seat"] = number, decided, before.seat
                decision["code"] = table.labels.code(table.last_action)
                _judge(searcher, before, actions, table.last_action, bench.worth.shape[1], decision)
                used += 1
        bench.decisions["decisions"][first:used] = table.decisions
        played.append(table.result())
    write_games(rows, 0, played, game.sides.first_seats(packed.players))
    bench.used[0] = used


def _silent_table(game: Any, packed: Any, room: Buffers) -> Table:
    room.episode[0]["keep_rounds"] = room.episode[0]["tracing"] = 0
    return Table(game, packed, room, None)


def _searcher(game: Any, packed: Any, room: Buffers, number: int, job: Job) -> PlainSearch:
    learned = learned_player(room, number, job.deal_seed)
    return PlainSearch(game.guarded, packed.players, room, number, 0, learned)


def _judge(searcher: PlainSearch, position: Any, actions: list[str], made: str, playouts: int, decision: Any) -> None:
    """Fill what a decision was worth: the best action, the second best, the median one and the one that was made."""
    seat = position.seat
    best = actions[searcher.choose(position, actions, seat)]
    second, median = searcher.second_best(best), searcher.median_of(actions, best)
    worth = searcher.weigh(position, [each for each in {made, best, second, median} if each], playouts)
    decision["agreed"], decision["lost"] = made == best, np.mean(worth[best] - worth[made])
    for name, other in (("gap", second), ("spread", median)):
        behind = worth[best] - worth[other] if other else np.array([np.nan, np.nan])
        decision[name], decision[f"{name}_error"] = (behind.mean(), behind.std(ddof=1) / np.sqrt(len(behind)))


def look_at_games(
    game: Any, packed: Any, room: Buffers, jobs: Any, rows: Rows, bench: LookBuffers, tried: int, every: int, limit: int
) -> int:
    """Play `jobs`, note choices and positions after each round, and try options; return how many were played.

    See `balance.engine.search.trying`. It stops early if the buffers are full.
    """
    table, used, played = _silent_table(game, packed, room), bench.used[0], []
    for number, job in enumerate(read_jobs(jobs)):
        table.deal(job)
        chance, begun, passed = Chance(derive(job.seed, LOOK_STREAM)), -1, table.round
        while not table.over and table.decisions < limit:
            if _is_full(bench):
                return number
            seat, choices = table.position.seat, table.choices
            actions = table.list_actions() if number < tried else []
            if len(actions) > 1:
                first, begun = table.round != begun, table.round
                drawn = chance.below(every) == 0
                if first or drawn:
                    trial = bench.trials[used.trials]
                    trial["game"], trial["seat"], trial["first"] = number, seat, first
                    _try_once(table, actions, chance, trial, limit)
                    used.trials += 1
            table.play_on(table.decisions + 1, -1)
            if table.choices > choices and len(bench.choices):
                bench.choices[used.choices] = number, seat
                used.choices += 1
            if len(bench.positions) and not table.over and table.round > passed:
                passed, position = table.round, bench.positions[used.positions]
                position["game"] = number
                position["progress"], found = _describe_seats(table)
                position["position"][: len(found)] = found
                used.positions += 1
        played.append(table.result())
    write_games(rows, 0, played, game.sides.first_seats(packed.players))
    return len(played)


def _is_full(bench: LookBuffers) -> bool:
    """Return whether one of the buffers has no room for another entry."""
    used = bench.used[0]
    seen = (bench.choices, used.choices), (bench.positions, used.positions), (bench.trials, used.trials)
    return any(len(buffer) and number == len(buffer) for buffer, number in seen)


def _describe_seats(table: Table) -> tuple[float, Any]:
    """Return the progress and the features of every seat; scores are the feature of a game that names none."""
    if table.author.POSITION:
        return table.describe_seats()
    return 0.0, [[score] for score in read_scores(table.author, table.position, table.players)]


def _try_once(table: Table, actions: list[str], chance: Chance, trial: Any, limit: int) -> None:
    """Try the option that the bot takes and another one, drawn at random; the game continues unchanged."""
    saved = table.save()
    table.play_on(table.decisions + 1, -1)
    taken = table.last_action
    others = [each for each in actions if each != taken]
    options = {TAKEN: taken, OTHER: others[chance.below(len(others))]}
    for deal in range(DEALS):
        for option, action in options.items():
            table.load(saved)
            table.redeal(derive(chance.word, deal))
            table.take(action)
            while not table.over and table.round == saved.round and table.decisions < limit:
                table.play_on(table.decisions + 1, -1)
            _note_end(table, trial, deal, option)
    table.load(saved)


def _note_end(table: Table, trial: Any, deal: int, option: int) -> None:
    """Note the position at the end of a round, or the result."""
    trial["over"][deal, option], trial["step"][deal, option] = table.over, table.round
    if table.over:
        shares = [seat.place.win_share for seat in table.result().seats]
        trial["won"][deal, option][: table.players] = shares
        return
    trial["progress"][deal, option], found = _describe_seats(table)
    trial["position"][deal, option][: len(found)] = found


def give_in_games(game: Any, packed: Any, room: Buffers, jobs: Any, rows: Rows, watch: Watch, limit: int) -> int:
    """Play `jobs` as dealt, and once more with each component given to a seat at the start; return their number.

    It stops early if the gifts of another game might not fit.
    """
    table, played = _silent_table(game, packed, room), []
    names, used = list(game.author.COMPONENTS), 0
    for number, job in enumerate(read_jobs(jobs)):
        if used + len(names) > len(watch.gifts):
            break
        table.deal(job)
        table.play_on(limit, -1)
        dealt = table.result()
        played.append(dealt)
        lots = Chance(derive(job.seed, GIFT_STREAM))
        for component, name in enumerate(names):
            watch.sights["shown"][number, component] = 1
            seat = lots.below(packed.players)
            table.deal(job)
            if table.over or not table.give(seat, name):
                continue
            table.play_on(limit, -1)
            gift = watch.gifts[used]
            gift["game"], gift["component"], gift["seat"] = number, component, seat
            _compare(gift, dealt, table.result(), seat)
            used += 1
    write_games(rows, 0, played, game.sides.first_seats(packed.players))
    watch.used[0] = used
    return len(played)


def _compare(gift: Any, dealt: Played, given: Played, seat: int) -> None:
    """Fill what a gift changed."""
    gift["over"] = dealt.over and given.over
    before, after = ([each.place for each in game.seats] for game in (dealt, given))
    gift["changed"] = [each.rank == 1 for each in before] != [each.rank == 1 for each in after]
    gift["win_share"] = after[seat].win_share - before[seat].win_share
    gift["score"] = after[seat].score - before[seat].score
