"""The names that `balance.engine.loop.join` binds in the functions of the engine, for readers and checkers.

A name without its underscore is the copy of a function for one game.
"""

from typing import Any

from balance.contract.defaults import action_group as action_group
from balance.contract.defaults import checkpoint as checkpoint
from balance.contract.defaults import choice_block as choice_block
from balance.contract.defaults import estimate as estimate
from balance.contract.defaults import is_secret as is_secret
from balance.contract.defaults import score_now as score_now
from balance.engine.environments import _advance, _describe_options, _describe_position, _end_game, _list_options
from balance.engine.giving import _give_once
from balance.engine.loop import (
    _begin,
    _best_action,
    _choose,
    _count_actions,
    _draw_action,
    _finish,
    _nth_action,
    _play_on,
    _weigh_actions,
)
from balance.engine.networks import (
    _ask_network,
    _ask_network_free,
    _describe,
    _follow_network,
    _list_best,
    _network_of,
    _score,
    _score_best,
)
from balance.engine.restricting import _choose_restricted, _weigh_free
from balance.engine.sampling import _judge_position, _sample_choice
from balance.engine.search.ismcts import _descend, _expand, _is_here, _judge, _play_out, _search
from balance.engine.search.ismcts import _share_chances as _share_chances
from balance.engine.search.judging import _judge_one, _median_action, _weigh
from balance.engine.search.trying import _try_once, _try_to_end

# The compiled functions of a game: see `balance.contract.modules.KernelModule`, `HeuristicsModule`, and
# `balance.contract.analytics.ComponentKernel`.
def apply(rules: Any, state: Any, log: Any, scratch: Any, code: Any) -> Any: ...
def conceal(rules: Any, state: Any, scratch: Any) -> Any: ...
def count_components(rules: Any, state: Any, log: Any, counts: Any) -> Any: ...
def determinize(rules: Any, state: Any, scratch: Any, streams: Any, index: Any) -> Any: ...
def give_component(rules: Any, state: Any, log: Any, component: Any, seat: Any) -> Any: ...
def legal_actions(rules: Any, state: Any, scratch: Any, codes: Any) -> Any: ...
def setup(rules: Any, state: Any, log: Any, scratch: Any) -> Any: ...
def write_result(rules: Any, state: Any, log: Any, scratch: Any, game: Any, seats: Any) -> Any: ...
def context(rules: Any, state: Any, scratch: Any) -> Any: ...
def describe_action(rules: Any, state: Any, scratch: Any, code: Any, row: Any) -> Any: ...
def evaluate(rules: Any, state: Any, scratch: Any, weights: Any, codes: Any, count: Any, values: Any) -> Any: ...

advance = _advance
ask_network = _ask_network
ask_network_free = _ask_network_free
begin = _begin
best_action = _best_action
choose = _choose
choose_restricted = _choose_restricted
count_actions = _count_actions
descend = _descend
describe = _describe
describe_options = _describe_options
describe_position = _describe_position
draw_action = _draw_action
end_game = _end_game
expand = _expand
finish = _finish
follow_network = _follow_network
give_once = _give_once
is_here = _is_here
judge = _judge
judge_one = _judge_one
judge_position = _judge_position
list_best = _list_best
list_options = _list_options
median_action = _median_action
network_of = _network_of
nth_action = _nth_action
play_on = _play_on
play_out = _play_out
sample_choice = _sample_choice
score = _score
score_best = _score_best
search = _search
try_once = _try_once
try_to_end = _try_to_end
weigh = _weigh
weigh_actions = _weigh_actions
weigh_free = _weigh_free
