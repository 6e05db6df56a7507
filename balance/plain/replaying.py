"""Games in plain Python that are played again: a searcher judges decisions, or components are given to seats.

The same games as those of `balance.engine.search.judging` and `balance.engine.giving`, with the same results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.engine.buffers import Buffers, Rows
from balance.engine.giving import GIFT_STREAM, Watch
from balance.engine.search.judging import JUDGE_STREAM, JudgeBuffers
from balance.plain.chance import Chance, derive
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


def _judge(
    searcher: PlainSearch, position: Any, actions: list[str], made: str, playouts: int, decision: Any
) -> None:  # fmt: skip
    """Fill what a decision was worth: the best action, the second best and the one that was made."""
    seat = position.seat
    best = actions[searcher.choose(position, actions, seat)]
    second = searcher.second_best(best)
    worth = searcher.weigh(position, [each for each in {made, best, second} if each], playouts)
    decision["agreed"], decision["lost"] = made == best, np.mean(worth[best] - worth[made])
    gap = worth[best] - worth[second] if second else np.array([np.nan, np.nan])
    decision["gap"], decision["gap_error"] = gap.mean(), gap.std(ddof=1) / np.sqrt(len(gap))


def give_in_games(
    game: Any, packed: Any, room: Buffers, jobs: Any, rows: Rows, watch: Watch, limit: int
) -> int:  # fmt: skip
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
