"""Compiled rules of Grody, one phase in each module."""

from balance.games.grody.kernel.actions import OUTCOMES, PARTS, choice_block
from balance.games.grody.kernel.board import look_at_land
from balance.games.grody.kernel.dealing import MOST_COMPONENTS, count_components, give_component, remove_component
from balance.games.grody.kernel.flow import apply, checkpoint, legal_actions, setup
from balance.games.grody.kernel.hidden import conceal, determinize, is_secret
from balance.games.grody.kernel.scoring import write_result
from balance.games.grody.kernel.state import CHANCE, COLUMNS, LOG, MOST_ACTIONS, SCRATCH, STATE, pack_rules
