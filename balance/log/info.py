"""What `run.json` says of a run beside its plan, read and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from balance.errors import BalanceError
from balance.files import exists, read_json
from balance.settings import Settings, validate

SCHEMA_VERSION = 4
_MOST_BYTES = 100_000_000  # a sweep keeps hundreds of rule sets


class _Info(Settings):
    """The keys that something reads; those of the plan are `balance.plan.restore`'s."""

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
            raise ValueError("rows.games: this key is required of a finished run")
        if self.status == "finished" and self.parts_hash is None:
            raise ValueError(
                "parts_hash: this key is required of a finished run; one that was played before there was such a key "
                "must be played again"
            )
        return self


def read_info(run: Path) -> dict[str, Any]:
    """The content of a run's `run.json`.

    Raises
    ------
    BalanceError
        There is no run, it is of another schema version, or a key is missing or wrong.
    """
    path = run / "run.json"
    if not exists(path):
        raise BalanceError(f"{run} holds no run (there is no run.json in it)")
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
