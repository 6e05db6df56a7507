"""Compiled rules of Polska, one phase in each module."""

from balance.games.polska.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.polska.kernel.dealing import MOST_COMPONENTS, count_components, give_component
from balance.games.polska.kernel.flow import apply, checkpoint, legal_actions, setup
from balance.games.polska.kernel.hidden import conceal, determinize, is_secret
from balance.games.polska.kernel.scoring import write_result
from balance.games.polska.kernel.state import CHANCE, COLUMNS, LOG, MOST_ACTIONS, SCRATCH, STATE, pack_rules
