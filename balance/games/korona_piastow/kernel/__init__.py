"""Compiled rules of Korona Piastów, one phase in each module."""

from balance.games.korona_piastow.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.korona_piastow.kernel.dealing import (
    MOST_COMPONENTS,
    count_components,
    give_component,
    remove_component,
)
from balance.games.korona_piastow.kernel.flow import apply, checkpoint, legal_actions, setup
from balance.games.korona_piastow.kernel.hidden import conceal, determinize, is_secret
from balance.games.korona_piastow.kernel.rounds import look_at_realm
from balance.games.korona_piastow.kernel.scoring import write_result
from balance.games.korona_piastow.kernel.state import CHANCE, COLUMNS, LOG, MOST_ACTIONS, SCRATCH, STATE, pack_rules
