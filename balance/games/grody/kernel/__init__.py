"""Compiled rules of Grody, one phase in each module."""

from balance.games.grody.kernel.actions import OUTCOMES, PARTS, choice_block
from balance.games.grody.kernel.board import look_at_land
from balance.games.grody.kernel.dealing import (
    MOST_COMPONENTS,
    checkpoint,
    conceal,
    count_components,
    determinize,
    give_component,
    is_secret,
    pack_rules,
    remove_component,
    setup,
)
from balance.games.grody.kernel.flow import apply, legal_actions
from balance.games.grody.kernel.scoring import write_result
from balance.games.grody.kernel.state import (
    CHANCE,
    COLUMN_NAMES,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
    SCRATCH,
    STATE,
)
