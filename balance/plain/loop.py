"""The loop of games in plain Python: it has the methods of the compiled one, and plays each game at a `Table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from balance.engine.buffers import Buffers, Rows
from balance.engine.loop import PLAIN, Simulator
from balance.engine.restricting import Classify, KnownCodes
from balance.plain.chance import derive
from balance.plain.replaying import give_in_games, judge_games, look_at_games
from balance.plain.search import PlainSearch, show_root
from balance.plain.table import Job, Played, Table, learned_player, read_jobs, write_games

if TYPE_CHECKING:
    from balance.contract.game import Game
    from balance.engine.giving import Watch
    from balance.engine.search.judging import JudgeBuffers
    from balance.engine.search.trying import LookBuffers


class PlainLoop(Simulator):
    """The loop of a game in plain Python, with the methods of the compiled one."""

    def __init__(self, game: Game, level: int = PLAIN, classify: Classify | None = None) -> None:
        self.game, self.records, self._level = game, game.records, level
        self._known, self._classify = KnownCodes(None), classify
        self.sample_each = None
        self._table: Table | None = None

    def is_compiled(self) -> bool:
        """Return True: there is nothing to compile."""
        return True

    def compile(self, rules: Any) -> None:
        """Do nothing."""

    def play_games(self, packed: Any, room: Buffers, jobs: Any, rows: Rows, limit: int) -> int:
        """Play `jobs` and write their rows; return how many were played before the trace was full.

        The first game is watched: its lists and states are checked after each call.
        """
        episode = room.episode[0]
        episode["tracing"], episode["keep_rounds"] = len(rows.trace) > 0, len(rows.rounds) > 0
        episode["trace_used"] = episode["trace_full"] = 0
        table = Table(self.game, packed, room, self._classify)
        played: list[Played] = []
        for job in read_jobs(jobs):
            table.deal(job, watched=not played)
            table.play_on(limit, -1)
            if not table.write_trace(room, rows.trace):
                break
            played.append(table.result())
        write_games(rows, 0, played, self.game.sides.first_seats(packed.players))
        return len(played)

    def begin(self, packed: Any, room: Buffers, job: Any) -> None:
        """Seat the strategies and deal a game."""
        episode, own = room.episode[0], Job._make(job[name].tolist() for name in Job._fields)
        episode["game_id"] = own.game_id
        for seat in range(packed.players):
            episode["streams"][seat] = derive(own.seed, seat)
        self._table = Table(self.game, packed, room, self._classify)
        self._table.deal(own)
        self._show(room)

    def play_on(self, packed: Any, room: Buffers, trace: Any, limit: int, answer: int) -> int:
        """Play until a Python bot must choose; return its number of options, 0 at the end."""
        table = self._table
        assert table is not None, "begin a game first"
        options = table.play_on(limit, answer)
        self._show(room)
        if table.last_seat in table.searchers:
            show_root(table.searchers[table.last_seat], room.thinking.nodes, table.labels)
        if not options:
            table.write_trace(room, trace)
        return options

    def finish(self, packed: Any, room: Buffers, job: Any, rows: Rows, number: int) -> None:
        """Write the rows of the game as number `number`."""
        assert self._table is not None, "begin a game first"
        write_games(rows, number, [self._table.result()], self.game.sides.first_seats(packed.players))

    def judge_each(
        self, packed: Any, room: Buffers, jobs: Any, rows: Rows, bench: JudgeBuffers, judge: int, every: int, limit: int
    ) -> None:
        """Play `jobs`, and let searcher number `judge` judge one in `every` choices; `bench.used` is their number."""
        judge_games(self.game, packed, room, jobs, rows, bench, judge, every, limit)

    def look_each(
        self, packed: Any, room: Buffers, jobs: Any, rows: Rows, bench: LookBuffers, tried: int, every: int, limit: int
    ) -> int:
        """Play `jobs`, and note what is seen (`balance.engine.search.trying`); return how many were played."""
        return look_at_games(self.game, packed, room, jobs, rows, bench, tried, every, limit)

    def give_each(self, packed: Any, room: Buffers, jobs: Any, rows: Rows, kept: Any, watch: Watch, limit: int) -> int:
        """Play `jobs` as dealt and with gifts, which `watch` notes; return how many were played."""
        return give_in_games(self.game, packed, room, jobs, rows, watch, limit)

    def search(self, packed: Any, room: Buffers, number: int) -> int:
        """Return the code of the action that searcher `number` takes in `room.state`, and show its shortlist."""
        game: Any = self.game
        state = room.state[0]
        seat, position = int(state["seat"]), state["position"]
        streams = room.thinking.desk[0]["streams"]
        learned = learned_player(room, number, int(room.thinking.desk[0]["deal"]))
        searcher = PlainSearch(game.guarded, packed.players, room, number, int(streams[seat]), learned)
        actions = game.guarded.actions(position)
        pick = searcher.choose(position, actions, seat)
        show_root(searcher, room.thinking.nodes, game.labels)
        return int(game.labels.code(actions[pick]))

    def _show(self, room: Buffers) -> None:
        """Show the position in the records, for bots that choose outside the loop."""
        table = self._table
        assert table is not None
        state, episode = room.state[0], room.episode[0]
        state["players"], state["position"] = table.players, table.position
        state["seat"], state["round_number"] = table.position.seat, table.round
        state["over"] = table.over
        episode["decisions"], episode["choices"] = table.decisions, table.choices
