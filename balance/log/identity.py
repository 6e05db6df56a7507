"""What a run is known by: a hash of everything in `run.json` that decides its games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from balance.plan.pooling import OF_NO_ACCOUNT

_DECISIVE = (
    "game",
    "source_hash",
    "bot_hashes",
    "variants",
    "strategies",
    "lineups",
    "adapted",
    "points",
    "members",
)


def identify(info: Mapping[str, Any]) -> str:
    """Return a SHA-256 of the rules, players, seeds and sources of a run; an extension keeps it.

    Parameters
    ----------
    info : mapping
        The content of `run.json`.
    """
    kept = {key: info[key] for key in _DECISIVE if key in info}
    kept["experiment"] = _without_lengths(info["experiment"])
    plain = json.loads(json.dumps(kept))  # keys are sorted as texts, as in the file
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _without_lengths(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an experiment without the number of games and the keys that decide no game."""
    kept = {key: experiment[key] for key in experiment if key not in (*OF_NO_ACCOUNT, "games")}
    kept["tiers"] = [
        {key: tier[key] for key in tier if key != "games"} for tier in kept.get("tiers", [])
    ]
    kept["stop"] = {**kept["stop"], "ceiling": None} if kept.get("stop") else None
    return kept
