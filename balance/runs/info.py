"""The content of `run.json` besides the plan, and the identity of a run: a hash of all that decides its games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from balance.experiments.experiment import WITHOUT_EFFECT
from balance.foundation.errors import BalanceError
from balance.foundation.files import exists, read_json
from balance.foundation.toml import Settings, validate

_DECISIVE = (
    "game", "source_hash", "bot_hashes", "variants", "strategies", "lineups", "adapted", "points", "members",
)  # fmt: skip


def identify(info: Mapping[str, Any]) -> str:
    """Return a SHA-256 of the rules, players, seeds and sources of a run by its `run.json`; an extension keeps it."""
    kept = {key: info[key] for key in _DECISIVE if key in info}
    kept["experiment"] = _without_lengths(info["experiment"])
    plain = json.loads(json.dumps(kept))  # keys are sorted as texts, as in the file
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _without_lengths(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an experiment without the number of games and the keys that do not affect games."""
    kept = {key: experiment[key] for key in experiment if key not in (*WITHOUT_EFFECT, "games")}
    kept["tiers"] = [
        {key: tier[key] for key in tier if key != "games"} for tier in kept.get("tiers", [])
    ]
    kept["stop"] = {**kept["stop"], "ceiling": None} if kept.get("stop") else None
    return kept


SCHEMA_VERSION = 4
_MOST_BYTES = 100_000_000  # a sweep keeps hundreds of rule sets


class _Info(Settings):
    """The keys of `run.json` that are read here; `balance.experiments.saved_plan` reads those of the plan."""

    model_config = ConfigDict(extra="ignore")

    game: str
    status: Literal["running", "finished", "interrupted", "failed"]
    package_version: str
    source_hash: str
    bot_hashes: dict[str, str]
    started: str
    rows: dict[str, Annotated[int, Field(ge=0)]]
    parts_hash: str | None = None

    @model_validator(mode="after")
    def _counted(self) -> _Info:
        if self.status == "finished" and "games" not in self.rows:
            raise ValueError("rows.games: a finished run needs this key")
        if self.status == "finished" and self.parts_hash is None:
            raise ValueError(
                "parts_hash: a finished run needs this key; a run from a version without it must be played again"
            )
        return self


def read_info(run: Path) -> dict[str, Any]:
    """Return the checked content of a run's `run.json`."""
    path = run / "run.json"
    if not exists(path):
        raise BalanceError(f"{run} is not a run folder (it has no run.json)")
    info = read_json(path, _MOST_BYTES)
    version = info.get("schema_version")
    if type(version) is not int:
        raise BalanceError(f"{path}: schema_version: must be a whole number")
    if version != SCHEMA_VERSION:
        raise BalanceError(
            f"{run} was written with schema version {version} by version "
            f"{info.get('package_version')} of this package, which now reads version {SCHEMA_VERSION}; "
            f"play the experiment again, or read it with that version"
        )
    validate(_Info, info, str(path))
    return info
