"""The five modules of a game (files or packages): their required names, and checks of records and bounds.

A game's package contains `rules`, `kernel`, `heuristics`, `display` and `analytics`; each may import those before it.
`balance.contract.game.Game` loads each module when it is first needed and checks that no name is missing;
`balance.testing` checks the behaviour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from balance.contract.analytics import Choice, Measure
from balance.contract.records import (
    GAME_COLUMNS,
    MAX_SEATS,
    MOST_PARTS,
    RESERVED,
    ROUND_COLUMNS,
    SEAT_COLUMNS,
    SHARED_SOURCES,
    TRACE_COLUMNS,
    Columns,
    Fields,
    fields_of,
    log_type,
    state_type,
)
from balance.contract.view import Panel
from balance.foundation.toml import Settings


def find_faults(
    players: Sequence[int],
    kernel: KernelModule,
    heuristics: HeuristicsModule,
    analytics: AnalyticsModule,
    needs_features: bool = True,
) -> list[str]:
    """Return all faults of a game's player counts, record fields and bounds, in words."""
    faults = _players(players) + _records(kernel, heuristics)
    if needs_features and not heuristics.FEATURES:
        faults.append("FEATURES is empty: a profile needs something to weigh")
    if not faults:
        faults = _history(kernel.LOG, max(players))
    return faults + _columns(kernel, analytics)


def _players(counts: Sequence[int]) -> list[str]:
    if not counts or min(counts) < 1 or max(counts) > MAX_SEATS:
        return [f"players must be 1 to {MAX_SEATS}, got {counts}"]
    return []


def _records(kernel: KernelModule, heuristics: HeuristicsModule) -> list[str]:
    log = log_type(Columns(), 1, 1, 1)
    flags = np.dtype([(name, kind) for name, kind in fields_of(log) if kind.kind != "V"])
    faults = _chance(kernel.CHANCE)
    faults += _compare("STATE", kernel.STATE, state_type([], kernel.CHANCE), "state_type")
    faults += _compare("LOG", kernel.LOG, flags, "log_type")
    names = [field[0] for field in (*kernel.SCRATCH, *heuristics.SCRATCH)]
    faults += [f"SCRATCH has {name} twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    both = set(heuristics.FEATURES) & set(heuristics.SETTINGS)
    faults += [f"{name} is both a feature and a setting" for name in sorted(both)]
    faults += _parts(kernel)
    if kernel.MOST_ACTIONS < 1:
        faults.append(f"MOST_ACTIONS must be at least 1, got {kernel.MOST_ACTIONS}")
    return faults + _all_or_none(QUICKER, kernel, heuristics) + _all_or_none(NETWORK, heuristics)


def _parts(kernel: KernelModule) -> list[str]:
    """Return the faults of the names of outcomes and parts."""
    outcomes: Mapping[str, Sequence[str]] = getattr(kernel, "OUTCOMES", {})
    names = getattr(kernel, "PARTS", {})
    faults = _taken("PARTS", names, TRACE_COLUMNS)
    for outcome, parts in outcomes.items():
        if len(parts) > MOST_PARTS:
            faults.append(f"OUTCOMES: {outcome} has {len(parts)} parts, more than {MOST_PARTS}")
        faults += [f"OUTCOMES: {outcome}: PARTS lacks {part}" for part in parts if part not in names]
        if not outcome or " " in outcome:
            faults.append(f"OUTCOMES: a name is one word, not {outcome!r}")
    return faults


def _all_or_none(names: Sequence[str], *modules: Any) -> list[str]:
    """Return a fault if only some of these names are defined."""
    missing = [name for name in names if not any(hasattr(module, name) for module in modules)]
    if len(missing) in (0, len(names)):
        return []
    return [f"{', '.join(names)}: define all or none; {', '.join(missing)} is missing"]


def _chance(names: Sequence[str]) -> list[str]:
    """Return the faults of the names of the sources of chance."""
    faults = [f"CHANCE has {name}, which every game has" for name in SHARED_SOURCES if name in names]
    return faults + [f"CHANCE has {name} twice" for name in dict.fromkeys(names) if names.count(name) > 1]


def _compare(what: str, record: np.dtype, shared: np.dtype, maker: str) -> list[str]:
    """Return the fields of `shared` that a record lacks or has with another type."""
    return [
        f"{what} lacks {name} ({shared[name]}): make it with {maker}"
        for name in shared.names or ()
        if name not in (record.names or ()) or record[name] != shared[name]
    ]


def _history(log: np.dtype, players: int) -> list[str]:
    """Return the faults of the log's fields for rounds and the trace."""
    names = log.names or ()
    if not {"history", "entries"} <= set(names) or len(log["history"].shape) != 2:
        return ["LOG lacks history or entries: make it with log_type"]
    rows = log["history"]
    faults = []
    if rows.shape[1] < players:
        faults.append(f"LOG has space for {rows.shape[1]} seats, fewer than {players}")
    columns = set(rows.base.names or ())
    if "score" not in columns:
        faults.append("LOG: the record of a round lacks score")
    return faults + _taken("LOG: the record of a round", columns, ROUND_COLUMNS)


def _columns(kernel: KernelModule, analytics: AnalyticsModule) -> list[str]:
    """Return the faults of the game's columns: names that every table has already, score parts that are no columns."""
    named = {field[0] for field in kernel.COLUMNS.seat}
    if unsaid := [name for name, _, *meaning in kernel.COLUMNS.round if not meaning and name not in named]:
        return [f"COLUMNS.round: {name} needs a meaning, as seats have no such column" for name in unsaid]
    meanings = kernel.COLUMNS.meanings
    games, seats = meanings["games"], meanings["seats"]
    of_games = (*GAME_COLUMNS, *RESERVED)
    faults = _taken("COLUMNS.game", games, of_games)
    faults += _taken("COLUMNS.seat", seats, (*SEAT_COLUMNS, *of_games))
    return faults + [
        f"SCORE_PARTS: COLUMNS.seat lacks {column}" for column, _ in analytics.SCORE_PARTS if column not in seats
    ]


def _taken(what: str, own: Iterable[str], shared: Iterable[str]) -> list[str]:
    return [f"{what} has {name}, which every game has" for name in sorted(set(own) & set(shared))]


Compiled = Callable[..., Any]


class RulesModule(Protocol):
    """The rule set as checked data: every number and switch that a designer may change.

    All but the model has defaults, see `balance.contract.rule_tables.with_defaults`.
    """

    Rules: type[Settings]
    """The model of a whole rule set; has ``title`` and ``description``."""
    PATH_KEYS: Mapping[str, str]
    """Keys of a variant file that may name another file, and the game's folder with the shipped files."""
    ROWS: Mapping[str, str]
    """Names of the rows of lists: the beginning of a dotted key to a plural, e.g. "cards"."""

    def load_rules(self, data: Mapping[str, Any], where: str, folder: Path) -> Any:
        """Check a merged rule set; paths in it are relative to `folder`."""

    def list_reconstructions(self, rules: Any) -> list[str]:
        """Return one line for each table that is a reconstruction, with its source."""


class KernelModule(Protocol):
    """The compiled rules. The functions take records, never arrays of records, and keep none between calls.

    - ``setup(rules, state, log, scratch)`` deals a game, drawing every chance outcome from its stream in
      ``state.chance``, and continues to the first decision; `state` and `log` hold the initial values of their fields
    - ``legal_actions(rules, state, scratch, codes)`` writes the legal actions of ``state.seat`` to
      `codes` and returns their number
    - ``apply(rules, state, log, scratch, code)`` carries out an action and continues to the next decision
    - ``conceal(rules, state, scratch)`` removes, in place, what the seat to choose can't see: unseen cards are put in a
      fixed order, secret choices are taken back, streams of chance are set to 0 (`records.forget_chance`); the rest
      reveals nothing of it
    - ``determinize(rules, state, scratch, streams, index)`` deals the hidden information again, in place, drawing only
      from ``streams[index]`` (uint64), streams of chance included (`records.redraw_chance`): for searches, and to test
      that no bot sees hidden information
    - ``write_result(rules, state, log, scratch, game, seats)`` fills every seat's ``score`` and ``rank``, and those of
      the game's own columns that are computed at the end; the rows hold what was counted in ``log.game``, ``log.seats``

    A game with many actions plays faster without a list of them. It then also defines:

    - ``count_actions(rules, state, scratch)``, which returns the number of legal actions
    - ``nth_action(rules, state, scratch, n)``, which returns action number `n`, from 0, of those that `legal_actions`
      would list. It is called for the same position right after `count_actions` and may read its notes in `scratch`.

    ``scratch.codes`` and ``scratch.values`` are buffers for the actions of a decision and their values.

    A searcher is stronger with three optional functions (see docs/searchers.md):
    ``checkpoint(rules, state)`` counts the rounds or turns after which a playout may stop;
    ``is_secret(rules, state)`` says whether the options or the choice of the seat to choose are hidden from others, so
    that a tree of public decisions ends there;
    ``action_group(code)`` returns one number for all actions that differ only in an amount.

    The optional ``choice_block(code)`` returns a number from 0 on for actions that people choose together, such as
    units placed one by one, and -1 for all others. Consecutive choices of one seat with the same number count once in
    the column ``choice_blocks``, from which a game's length is estimated.

    Chance outcomes are recorded with `record_chance` of `balance.contract.records`, and what the rules make of a
    decision (who wins a field, the sums of a skirmish) with `record_outcome`. Both write nothing unless the log asks
    for it (``log.keep_chance``, ``log.keep_outcomes``), so a search may apply actions without clearing the log. A
    caller that asks sets ``log.entry_count`` to 0 before each `apply`. Optional: ``OUTCOMES``, the game's outcomes in
    the order of their numbers, name to the names of its parts; ``PARTS``, all parts of outcomes, actions and chance
    outcomes, with their meanings. Each part is a column of the trace.
    """

    CHANCE: Sequence[str]
    """The game's sources of chance, named as on the rule page, in the order of their streams: the loop seeds
    ``state.chance[i]`` before `setup`, and ``CHANCE[i]`` draws only from that stream."""
    STATE: np.dtype
    """Made by `balance.contract.records.state_type`."""
    LOG: np.dtype
    """Made by `balance.contract.records.log_type`."""
    SCRATCH: Fields
    """Fields of the scratch record that the rules use."""
    COLUMNS: Columns
    """The game's own columns, counted in the log, with their meanings."""
    MOST_ACTIONS: int
    """An upper bound of the legal actions in any decision."""
    setup: Compiled
    legal_actions: Compiled
    apply: Compiled
    conceal: Compiled
    determinize: Compiled
    write_result: Compiled

    def pack_rules(self, rules: Any, players: int) -> Any:
        """Return the rule set at one player count as a record for the compiled rules."""


class HeuristicsModule(Protocol):
    """The features that bots weigh.

    ``evaluate(rules, state, scratch, weights, codes, count, values)`` (compiled) fills ``values[:count]`` with the
    value for ``state.seat`` of each action in ``codes[:count]``. It reads nothing that this seat may not know. `codes`
    contains all actions of `legal_actions`, in its order.

    ``best_action(rules, state, scratch, weights, count)`` is required along with `count_actions` and called right after
    it: it returns the first of the `count` actions with the highest value.

    Optional, for searchers: ``POSITION``, names of the features of a position with their meanings;
    ``estimate(rules, state, scratch)`` (compiled) fills ``scratch.position[seat, feature]`` with them and
    returns the progress of the game, from 0 to 1; ``score_now(rules, state, scratch)`` (compiled) fills
    ``scratch.scores[seat]`` with the score of each seat if the game ended now.

    Optional, for networks (see docs/networks.md), all or none: ``CONTEXT`` and ``ACTION``, names of the features of a
    position and of an action with their meanings; ``HEADS``, the kinds of decision;
    ``context(rules, state, scratch)`` (compiled) fills ``scratch.context``, which is zero before, with the features of
    the position as ``state.seat`` sees it, and returns the number of the kind of decision;
    ``describe_action(rules, state, scratch, code, row)`` (compiled, called after it) fills ``row``, which is zero
    before, from index ``len(balance.contract.records.SHORTLIST_FEATURES)`` on. Features are of the order of 1 and use
    nothing that the seat may not know.
    """

    FEATURES: Mapping[str, str]
    """Name of each feature to its meaning."""
    SETTINGS: Mapping[str, tuple[float, str]]
    """Numbers of taste that a profile may change: name to default and meaning. The compiled record of
    weights has a float for each feature and each setting."""
    SCRATCH: Fields
    """Fields of the scratch record in addition to those of the rules."""
    evaluate: Compiled


class DisplayModule(Protocol):
    """Labels of codes, observations of a seat, and a game as text and panels.

    ``ACTIONS``, a `balance.contract.actions.ActionTable`, makes `write_label`, `say` and ``parts_of`` of a table, and
    words actions and chance outcomes in replays, with the panel that each is about.

    Optional, for replays (see `balance.contract.view`): ``name_round(rules, observation)`` returns a word for the round
    to show next to its number, such as its event;
    ``OUTCOME_TEXTS`` words the outcomes: name to a text with the parts in braces or a function of rules and move, or to
    a pair of this and the title of a panel; an outcome with an empty text is not told;
    ``SIGNS`` lists the signs that `show` draws (each a `balance.contract.view.Mark` or an SVG element), with their
    meanings, for the page's key.

    Optional, for environments (see docs/envs.md): ``list_actions(rules, players)`` yields the code of every action that
    can be legal under a rule set, each once; `balance.envs` numbers actions by their labels in this order.

    Optional, for tables: ``WORDS`` maps the game's own numeric columns, and parts of actions and outcomes, to the words
    to write instead, or to a function that finds these words in the rule set; ``parts_of(code, rules)`` returns the
    parts of an action or chance outcome as numbers, by the names in the kernel's ``PARTS``.
    """

    def write_label(self, code: int, rules: Any) -> str:
        """Return the label of an action or chance outcome, as on the rule page."""

    def kind_name(self, code: int) -> str:
        """Return the kind of a decision; ``chance`` for chance."""

    def observe(self, rules: Any, state: Any, seat: int) -> Any:
        """Return what a seat may see. It can be pickled, because Python bots run in their own processes."""

    def conserved(self, rules: Any, state: Any) -> Mapping[str, Any]:
        """Return quantities that stay constant during a game, by name, e.g. the number of cards."""

    def say(self, label: str, who: str) -> str:
        """Return a label as a sentence about a player, "" for chance."""

    def summarise(self, observation: Any, names: list[str]) -> list[str]:
        """Return one line for each player with what the player has."""

    def show(self, rules: Any, observation: Any, names: list[str]) -> list[Panel]:
        """Return the position as panels."""


class AnalyticsModule(Protocol):
    """The measures of this game alone.

    The game's own report sections are modules in a package ``sections`` of this module (see
    `balance.report.section.SectionWriter`). Optional: ``TIE_BREAK``, the name of the tie-breaker and the columns of the
    seats table that sum to it; ``CLOSENESS``, a `balance.contract.analytics.Closeness`, if the margin between the
    scores does not show how close a game was; ``BOX_MINUTES``, the shortest and the longest time on the box, with which
    the report compares the length; ``STYLES``, a `Style` for each named profile; ``OPTIONS``, a list of `OptionSet` for
    the section about options that no seat uses; ``FACTION`` and ``list_factions`` (see
    `balance.contract.game.faction_column`); ``RESTRICTIONS``, options that a player may have to do without, name
    to `balance.contract.restrictions.Restriction`; ``COLUMNS``, the meanings of the game's own columns: table
    (``games``, ``seats``, ``rounds``) to column to meaning.
    """

    SCORE_PARTS: Sequence[tuple[str, str]]
    """Columns of the seats table that sum to the score, with their labels; empty if there are none."""
    MEASURES: Sequence[Measure]
    CHOICES: Sequence[Choice]
    SECONDS_PER_CHOICE: tuple[float, float]
    """The shortest and the longest average time that people take for a choice. The length of a game is judged over this
    whole range. The assumption is independent of ``BOX_MINUTES``."""


NETWORK = ("CONTEXT", "ACTION", "HEADS", "context", "describe_action")
"""What a game with features for networks defines in its heuristics, all or none."""
QUICKER = ("count_actions", "nth_action", "best_action")
"""Functions that make a game faster, all three or none: see `KernelModule`, `HeuristicsModule`."""
MODULES: dict[str, type] = {
    "rules": RulesModule,
    "kernel": KernelModule,
    "heuristics": HeuristicsModule,
    "display": DisplayModule,
    "analytics": AnalyticsModule,
}


def missing_names(name: str, module: Any) -> list[str]:
    """Return the names that the contract requires of the module `name` and `module` does not have."""
    protocol = MODULES[name]
    wanted = [*protocol.__annotations__, *(name for name in vars(protocol) if not name.startswith("_"))]
    return [each for each in dict.fromkeys(wanted) if not hasattr(module, each)]
