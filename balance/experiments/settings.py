"""Settings of studies and trainings: each is declared once, and the command line makes an option of it.

Every start of a command reads this module, so it imports nothing slow.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import Any

REQUIRED = MISSING


@dataclass(frozen=True)
class Option:
    """How the command line names a setting, and what it accepts."""

    help: str
    limits: tuple[Any, Any] | None = None  # of a number: the least, and the most or None
    above: bool = False  # whether a number must be larger than the least
    flag: str = ""  # by default the name of the field
    metavar: str | None = None
    repeated: bool = False  # whether each value has an option of its own; otherwise commas separate them


def option(default: Any, text: str, *limits: float, **more: Any) -> Any:
    """Return a field with an option; one limit is the least. `REQUIRED` as default: it must be given."""
    span = (limits[0], limits[1] if len(limits) > 1 else None) if limits else None
    return field(default=default, metadata={"option": Option(text, span, **more)})


def seed_option(default: int | None, of: str) -> Any:
    """Return a field with the option for a seed, with the limits that an experiment has."""
    return option(default, f"Seed of {of}.", 0, 2**63 - 1)


@dataclass(frozen=True)
class RulesPlayed:
    """A variant of a game, and who plays it."""

    game: str
    variant: str
    # Empty: all counts of the game or, against a line-up, the count that it fits.
    players: tuple[int, ...]
