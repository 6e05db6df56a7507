"""The five modules of a game (files or packages), and the names that each must have.

A game's package holds `rules`, `kernel`, `heuristics`, `display` and `analytics`; imports go from the
last to the first. `balance.contract.game.Game` loads each when it is first needed and checks that
nothing is lacking; `balance.testing` checks what each must do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from balance.contract.measure import Choice, Measure
from balance.contract.panel import Panel
from balance.contract.records import Fields
from balance.settings import Settings

Compiled = Callable[..., Any]


class RulesModule(Protocol):
    """The rule set as checked data: every number and switch that a designer may turn."""

    Rules: type[Settings]
    """The model of a whole rule set; has ``title`` and ``description``."""
    PATH_KEYS: Mapping[str, str]
    """Keys of a variant file that may name another file, and the game's folder where those lie that ship."""
    ROWS: Mapping[str, str]
    """What the rows of a list are called: the beginning of a dotted key to a plural, e.g. "cards"."""

    def load_rules(self, data: Mapping[str, Any], where: str, folder: Path) -> Any:
        """Check a merged rule set; what it names is looked up relative to `folder`."""

    def list_reconstructions(self, rules: Any) -> list[str]:
        """One line for each table that is a reconstruction, with its source."""

    def game_columns(self, rules: Any) -> dict[str, str]:
        """Columns of the games table that a rule set fixes."""


class KernelModule(Protocol):
    """The compiled rules. Records are passed, never arrays of them; none is kept between calls.

    - ``setup(rules, state, log, scratch)`` deals a game, every chance from its stream in
      ``state.chance``, and plays on to the first decision
    - ``legal_actions(rules, state, scratch, codes)`` writes the legal actions of ``state.seat`` to
      `codes` and returns how many
    - ``apply(rules, state, log, scratch, code)`` carries one out and plays on to the next decision
    - ``conceal(rules, state, scratch)`` forgets, in place, what the seat to choose can't see: unseen
      cards in one order, secret choices taken back, streams of chance at 0; what is left says nothing of it
    - ``redeal(rules, state, scratch, streams, index)`` deals all that anew, in place, drawing from
      ``streams[index]`` (uint64) alone: for searches, and to test that nobody peeks
    - ``write_result(rules, state, log, scratch, game, seats)`` fills the game's own columns and every
      seat's ``score`` and ``rank``

    A game with many actions is played faster if it can do without their list, and brings beside:

    - ``count_actions(rules, state, scratch)`` returns how many actions are legal
    - ``nth_action(rules, state, scratch, n)`` returns the one that `legal_actions` lists as number `n`,
      from 0; asked of the same position right after `count_actions`, whose notes it may read in
      `scratch`

    ``scratch.codes`` and ``scratch.values`` are room for the actions of a decision and their values.

    A searcher looks better with three more, each optional (see docs/searchers.md):
    ``checkpoint(rules, state)`` counts what a playout may stop after, rounds or turns;
    ``is_secret(rules, state)`` says whether what the seat to choose may do, or does, is hidden from others,
    so that a tree of what all can see ends there;
    ``alike(code)`` is one number for all actions that differ in an amount alone.

    ``choice_block(code)``, optional, is one number from 0 on for actions that people choose together, such as units
    that are placed one by one, and -1 for all others. Choices in a row of one seat with the same number count once in
    the column ``choice_blocks``, from which a game's length is estimated.

    Chance outcomes are told with `balance.contract.news.announce`, which writes nothing unless the
    log asks for them (``log.keep_news``), so that a search may apply actions without clearing them;
    who asks empties ``log.news_count`` before `setup` and before each `apply`.
    """

    CHANCE: Sequence[str]
    """The game's sources of chance, as the rule page calls them, in the order of their streams: the loop
    seeds ``state.chance[i]`` before `setup`, and ``CHANCE[i]`` draws from it and from no other."""
    STATE: np.dtype
    """Made by `balance.contract.records.state_type`."""
    LOG: np.dtype
    """Made by `balance.contract.records.log_type`."""
    SCRATCH: Fields
    """Fields of the scratch record that the rules work in."""
    GAME_COLUMNS: np.dtype
    SEAT_COLUMNS: np.dtype
    MOST_ACTIONS: int
    """An upper bound of the legal actions in any decision."""
    setup: Compiled
    legal_actions: Compiled
    apply: Compiled
    conceal: Compiled
    redeal: Compiled
    write_result: Compiled

    def pack_rules(self, rules: Any, players: int) -> Any:
        """The rule set at one player count as the record that the compiled rules read."""


class HeuristicsModule(Protocol):
    """What bots weigh.

    ``evaluate(rules, state, scratch, weights, codes, count, values)`` (compiled) fills
    ``values[:count]`` with the value of each action of ``codes[:count]`` to ``state.seat``; it reads
    nothing that this seat may not know. `codes` holds what `legal_actions` lists, all of it in its order.

    ``best_action(rules, state, scratch, weights, count)`` comes with `count_actions` and is asked right
    after it, too: it returns the first of the `count` actions whose value is highest.

    Optional, for searchers: ``POSITION``, names of the features of a position with their meanings;
    ``estimate(rules, state, scratch)`` (compiled) fills ``scratch.position[seat, feature]`` with them and
    returns how far the game is, from 0 to 1; ``score_now(rules, state, scratch)`` (compiled) fills
    ``scratch.scores[seat]`` with what each would score if the game ended now.
    """

    FEATURES: Mapping[str, str]
    """Name of each feature to what it means."""
    SETTINGS: Mapping[str, tuple[float, str]]
    """Numbers of taste that a profile may change: name to default and meaning. The compiled record of
    weights has a float for each feature and each setting."""
    SCRATCH: Fields
    """Fields of the scratch record beside the rules' own."""
    evaluate: Compiled


class DisplayModule(Protocol):
    """Codes as labels, a position as a seat sees it, a game in words and panels.

    Optional, for replays (see `balance.contract.telling`): ``tell(rules, move)`` returns a list of `Told`: the move
    itself, then what the rules made of it, such as who won a field, each with the position as it is then;
    ``name_round(rules, observation)`` is a word for the round beside its number, such as its event; ``SIGNS`` lists
    the signs (`balance.contract.panel.Mark`) that `show` draws, each with what it means, for the key of the page.

    Optional, for tables: ``WORDS`` maps columns of the game's own that hold numbers to the words that stand there,
    or to a function that finds those in the rule set.
    """

    def write_label(self, code: int, rules: Any) -> str:
        """The label of an action or chance outcome, as the rule page writes it."""

    def kind_name(self, code: int) -> str:
        """The kind of a decision; ``chance`` for chance."""

    def observe(self, rules: Any, state: Any, seat: int) -> Any:
        """What a seat may see; it can be pickled, for bots in Python are shown it in processes of their own."""

    def conserved(self, rules: Any, state: Any) -> Mapping[str, Any]:
        """Name to a value that stays the same all game long, e.g. how many cards there are."""

    def say(self, label: str, who: str) -> str:
        """A label as a sentence about a player, "" for chance."""

    def summarise(self, observation: Any, names: list[str]) -> list[str]:
        """What every player has, a line each."""

    def show(self, rules: Any, observation: Any, names: list[str]) -> list[Panel]:
        """The position as panels."""


class AnalyticsModule(Protocol):
    """What is measured of this game alone.

    Sections of its own for the report are modules in a package ``sections`` of this part (see
    `balance.report.section.SectionWriter`). Optional: ``TIE_BREAK``, what decides between equal scores, and the
    columns of the seats table that sum to it; ``CLOSENESS``, a `balance.contract.measure.Closeness`, where the margin
    between the scores does not show how close a game was; ``BOX_MINUTES``, the shortest and the longest time that its
    box promises: then the report says whether its length fits; ``COLUMNS``, what the game's own columns mean: table
    (``games``, ``seats``, ``rounds``) to column to meaning.
    """

    SCORE_PARTS: Sequence[tuple[str, str]]
    """Columns of the seats table that sum to the score, with their labels; empty if there are none."""
    MEASURES: Sequence[Measure]
    CHOICES: Sequence[Choice]
    SECONDS_PER_CHOICE: tuple[float, float]
    """The shortest and the longest time that people may take for a choice on average. The length of a game is judged
    over this whole range. It is an assumption of its own, not chosen to fit ``BOX_MINUTES``."""


QUICKER = ("count_actions", "nth_action", "best_action")
"""What a game may bring to be played faster, all three or none: see `KernelModule`, `HeuristicsModule`."""
MODULES: dict[str, type] = {
    "rules": RulesModule,
    "kernel": KernelModule,
    "heuristics": HeuristicsModule,
    "display": DisplayModule,
    "analytics": AnalyticsModule,
}


def lacking(name: str, module: Any) -> list[str]:
    """Names that the contract wants of the module `name` of a game and `module` does not have."""
    protocol = MODULES[name]
    wanted = [*protocol.__annotations__, *(name for name in vars(protocol) if not name.startswith("_"))]
    return [each for each in dict.fromkeys(wanted) if not hasattr(module, each)]
