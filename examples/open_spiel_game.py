"""Load a tiny variant of a game in OpenSpiel, and measure exactly how far strategies can be exploited.

    pip install open_spiel
    python open_spiel_game.py --variant tiny-grunwald.toml random champion
    balance exploit --game na-grunwald --players 2 --variant tiny-grunwald.toml random

OpenSpiel's exact solvers visit all games that can be played. `Tree` lists them once: chance draws the deal at the root,
and all other nodes are decisions. So it needs a small variant, in which nothing is drawn after the deal.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.policy import Policy, UniformRandomPolicy

from balance.contract.game import Game, get_game
from balance.engine.stepper import Stepper
from balance.envs import spaces_of
from balance.experiments.strategies import Strategy, load_strategies, pack_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

PLAYERS = 2
VARIANT = str(Path(__file__).with_name("tiny-grunwald.toml"))
LIMIT, MOST_DEALS = 300_000, 3_000  # nodes and deals of a tree
EXTRA_DEALS = 20  # draws, per deal found, without a new deal


class Shared:
    """An object that OpenSpiel does not copy, as it does all others of a state for each step."""

    def __deepcopy__(self, memo: object) -> Shared:
        return self


@dataclass
class Node(Shared):
    """A position of a game; never changed once the tree is grown.

    Attributes
    ----------
    seat : int
        The seat to choose; at the end `pyspiel.PlayerId.TERMINAL`, at the deal `pyspiel.PlayerId.CHANCE`.
    information : str
        Name of the information set: all that the seat has seen and done at its own decisions.
    children : dict of int to Node
        By number of the action; at the deal by number of the deal.
    returns : list of float
        At the end, each seat's win share above a fair share.
    """

    seat: int
    information: str = ""
    children: dict[int, Node] = field(default_factory=dict)
    returns: list[float] = field(default_factory=list)


class Tree(Shared):
    """All games of a variant with two players. Decisions with a single action are skipped.

    Attributes
    ----------
    root : Node
    nodes, depth : int
        Number of nodes, and most decisions of a game.
    positions : dict of str to record
        A state of each information set.
    action_names : list of str
    """

    def __init__(self, game: str, variant: str) -> None:
        self.game = get_game(game)
        self._rules = load_variant(self.game, variant, Path()).rules
        spaces = spaces_of(game, variant, PLAYERS)
        self.action_names, self._numbers = spaces.action_names, spaces.numbers
        self.nodes, self.depth = 1, 0
        self.positions: dict[str, Any] = {}
        deals = [self._grow(deal, ("", ""), 1) for deal in find_deals(self.game, self._rules)]
        self.root = Node(pyspiel.PlayerId.CHANCE, children=dict(enumerate(deals)))

    def _grow(self, stepper: Stepper, seen: tuple[str, ...], depth: int) -> Node:
        """Return the node of a position with all that follow; `seen` names what each seat has seen and done."""
        labels = skip_forced(stepper)
        self.nodes, self.depth = self.nodes + 1, max(self.depth, depth)
        if self.nodes > LIMIT:
            raise BalanceError(f"the tree has more than {LIMIT:,} nodes; choose a variant with fewer rounds")
        if not labels:
            return Node(pyspiel.PlayerId.TERMINAL, returns=find_returns(stepper))
        seat = stepper.seat
        node = Node(seat, name_set(seen[seat].encode(), stepper.known()))
        self.positions.setdefault(node.information, stepper.state.copy())
        for index, label in enumerate(labels):
            own = name_set(node.information.encode(), label.encode())
            after = tuple(own if each == seat else seen[each] for each in range(PLAYERS))
            node.children[self._numbers[label]] = self._grow(take(stepper, index), after, depth + 1)
        return node

    def choose(self, strategy: Strategy) -> dict[str, int]:
        """Return the action of a profile in each information set."""
        if strategy.kind != "profile" or strategy.restriction or strategy.profile.temperature:
            raise BalanceError(f"{strategy.name}: name random, or a profile that makes no mistakes")
        weights = pack_strategies(self.game, [strategy], PLAYERS)[1][0]
        choices, stepper = {}, Stepper(self.game, self._rules, PLAYERS)
        for information, stepper.state in self.positions.items():
            best = int(np.argmax(stepper.evaluate(weights)))
            choices[information] = self._numbers[stepper.options()[best]]
        return choices


def find_deals(game: Game, rules: Any) -> list[Stepper]:
    """Return each deal once; shuffled decks make them equally likely."""
    deals: dict[bytes, Stepper] = {}
    seed = last = 0
    while seed - last <= EXTRA_DEALS * len(deals):
        stepper = Stepper.deal(game, rules, PLAYERS, seed)
        stepper.state.chance[:] = 0
        if deals.setdefault(stepper.state.tobytes(), stepper) is stepper:
            last = seed
        if len(deals) > MOST_DEALS:
            raise BalanceError(f"there are more than {MOST_DEALS:,} deals; choose a variant with fewer cards")
        seed += 1
    return list(deals.values())


def skip_forced(stepper: Stepper) -> list[str]:
    """Take single actions, and return the labels at the next decision; none if the game ends before."""
    while not stepper.over:
        labels = stepper.options()
        if len(labels) > 1:
            return labels
        carry_out(stepper, 0)
    return []


def carry_out(stepper: Stepper, index: int) -> None:
    """Carry out an action; it may not draw from the streams of chance, all 0 since the deal."""
    stepper.take(index)
    if stepper.state.chance.any():
        raise BalanceError(f"{stepper.game.name} draws after the deal; choose a variant that does not")


def take(stepper: Stepper, index: int) -> Stepper:
    """Return the position after one of the actions."""
    after = stepper.copy()
    after.options()
    carry_out(after, index)
    return after


def find_returns(stepper: Stepper) -> list[float]:
    """Return each seat's win share above a fair share; they sum to 0."""
    first = stepper.result()[1].rank == 1
    return [float(share) for share in first / first.sum() - 1 / PLAYERS]


def name_set(*parts: bytes) -> str:
    """Return a short name of what a seat has seen and done."""
    return blake2b(b"".join(parts), digest_size=12).hexdigest()


TYPE = pyspiel.GameType(
    short_name="balance", long_name="Balance",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS, min_num_players=PLAYERS,
    provides_information_state_string=True, provides_information_state_tensor=False,
    provides_observation_string=False, provides_observation_tensor=False,
    parameter_specification={"game": "na-grunwald", "variant": VARIANT},
)  # fmt: skip


class TreeGame(pyspiel.Game):
    """The tree as a game of OpenSpiel: `pyspiel.load_game("balance", {"game": ..., "variant": ...})`."""

    def __init__(self, params: dict[str, str]) -> None:
        asked = {**TYPE.parameter_specification, **params}
        self.tree = Tree(asked["game"], asked["variant"])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.tree.action_names),
            max_chance_outcomes=len(self.tree.root.children),
            num_players=PLAYERS, min_utility=-0.5, max_utility=0.5, utility_sum=0.0,
            max_game_length=self.tree.depth,
        )  # fmt: skip
        super().__init__(TYPE, info, params)

    def new_initial_state(self) -> TreeState:
        """Return the root."""
        return TreeState(self, self.tree)


class TreeState(pyspiel.State):
    """A place in the tree."""

    def __init__(self, game: TreeGame, tree: Tree) -> None:
        super().__init__(game)
        self.tree, self.node = tree, tree.root

    def current_player(self) -> int:
        """Return the seat to choose, or that chance decides, or that the game is over."""
        return self.node.seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.node.children)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals with their probabilities."""
        return [(deal, 1 / len(self.node.children)) for deal in self.node.children]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.children[action]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.tree.action_names[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self.node.children

    def returns(self) -> list[float]:
        """Return each seat's win share above a fair share, 0 before the end."""
        return self.node.returns or [0.0] * PLAYERS

    def information_state_string(self, player: int | None = None) -> str:
        """Return the name of the information set of the seat to choose."""
        return self.node.information

    def __str__(self) -> str:
        return str(self.history())


pyspiel.register_game(TYPE, TreeGame)


class Profile(Policy):
    """A profile as a policy of OpenSpiel."""

    def __init__(self, game: TreeGame, strategy: Strategy) -> None:
        super().__init__(game, list(range(PLAYERS)))
        self.choices = game.tree.choose(strategy)

    def action_probabilities(self, state: TreeState, player_id: int | None = None) -> dict[int, float]:
        """Return the action that the profile takes, with probability 1."""
        return {self.choices[state.node.information]: 1.0}


def make_policy(game: TreeGame, name: str) -> Policy:
    """Return a strategy of ours as a policy of OpenSpiel."""
    (strategy,) = load_strategies(game.tree.game, [name], Path())
    return UniformRandomPolicy(game) if strategy.kind == "random" else Profile(game, strategy)


def find_gain(game: TreeGame, policy: Policy) -> float:
    """Return the gain of an exact best response, the mean over both seats, in points above a fair share."""
    root = game.new_initial_state()
    values = [BestResponsePolicy(game, seat, policy, root).value(root) for seat in range(PLAYERS)]
    return float(100 * np.mean(values))


def measure(name: str, variant: str, strategies: list[str], iterations: int) -> None:
    """Print the size of the tree, and how far strategies and the solution of CFR+ can be exploited."""
    game = pyspiel.load_game("balance", {"game": name, "variant": variant})
    tree, sets = game.tree, len(game.tree.positions)
    print(f"{len(tree.root.children)} deals, {tree.nodes:,} nodes, {sets:,} information sets")
    policies = {each: make_policy(game, each) for each in strategies}
    if iterations:
        solver = CFRPlusSolver(game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        policies[f"CFR+, {iterations} iterations"] = solver.average_policy()
    for each, policy in policies.items():
        gain = find_gain(game, policy)
        print(f"{each}: an exact best response gains {gain:.2f} points above a fair share")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("strategies", nargs="+", metavar="STRATEGY", help="random, or a profile")
    parser.add_argument("--game", default="na-grunwald")
    parser.add_argument("--variant", default=VARIANT)
    parser.add_argument("--cfr", type=int, default=0, metavar="N", help="solve the game with N iterations of CFR+")
    asked = parser.parse_args()
    try:
        measure(asked.game, asked.variant, asked.strategies, asked.cfr)
    except BalanceError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
