"""Ways of playing Korona Piastów that have a profile each, and what it leads the others in."""

from __future__ import annotations

from balance.contract.style import Style

_ORDERS = {"orders_given": 1.0}

STYLES = {
    "builder": Style("number of buildings finished for each order that it gives", {"built": 1}, _ORDERS),
    "conqueror": Style(
        "claims paid for each invasion, so against rulers and foreign lands",
        {"claims": 1},
        {"invasions": 1},
    ),
    "gatherer": Style(
        "share of its invasions that it wins, as of land that nobody holds", {"won": 1}, {"invasions": 1}
    ),
    "quester": Style("number of quests for each order that it gives", {"quests": 1}, _ORDERS),
    "recruiter": Style(
        "number of units mustered for each order that it gives", {"mustered": 1}, _ORDERS
    ),
}
