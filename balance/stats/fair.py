"""What is fair."""

from __future__ import annotations

from typing import Any


def fair_share(players: Any) -> Any:
    """The share of wins, in percent, of a seat where all are alike; for arrays too."""
    return 100 / players
