"""The rule set of Na Grunwald!: every number and switch that a designer can change, with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from balance.contract.rule_tables import Sourced, by_seat, name_reconstructions, resolve_components
from balance.foundation.toml import Settings, validate
from balance.games.na_grunwald.rules.decks import EventDeck
from balance.games.na_grunwald.rules.parts import (
    Awards,
    Cards,
    Hire,
    Krzyzacy,
    Pawns,
    Scoring,
    Start,
    Titles,
)
from balance.games.na_grunwald.rules.vocabulary import PLAYERS

PATH_KEYS = {"event_deck": "decks"}  # keys that may name a file, and the folder of the shipped files
ROWS = {"event_deck.cards": "cards"}  # what the rows of a list are called
FOLDER = Path(__file__).parents[1]


class Rules(Settings):
    """A complete rule set; the keys of a variant file."""

    title: str
    description: str
    rounds: int = Field(
        ge=1, le=12, description="number of rounds; the card tables need enough cards (section 2)"
    )
    tie_rule: Literal["first-placed", "last-placed"] = Field(
        description="who wins a tie on a field (RES-2)"
    )
    start: Start
    pawns: Pawns
    krzyzacy: Krzyzacy
    awards: Awards
    hire: Hire
    scoring: Scoring
    titles: Titles
    cards: Cards
    event_deck: EventDeck = Field(description="the event cards, from round 2 on (RND-1)")

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        cards = self.cards
        rounds_of_war = max(0, self.rounds - self.krzyzacy.first_round + 1)
        _check_stacks("cards.crown", cards.crown.strengths, self.rounds)
        _check_stacks("cards.mercenaries", cards.mercenaries.strengths, self.rounds)
        _check_stacks("cards.krzyzacy", cards.krzyzacy.strengths, rounds_of_war)
        for name, table in (("provisions", cards.provisions), ("ducats", cards.ducats)):
            if len(table.values) < self.rounds:
                raise ValueError(
                    f"cards.{name}: {len(table.values)} cards are too few for {self.rounds} rounds"
                )
        if any(len(card) > 2 for card in cards.provisions.values):
            raise ValueError("cards.provisions: a card shows one or two values")
        if any(len(card) != 3 for card in cards.ducats.values):
            raise ValueError("cards.ducats: a card shows three values")
        if 0 < self.event_deck.size < self.rounds - 1:
            raise ValueError(
                f"event_deck {self.event_deck.name!r}: {self.event_deck.size} cards are too "
                f"few, {self.rounds} rounds need {self.rounds - 1} (or none at all)"
            )
        return self

    @model_validator(mode="after")
    def _awards_fit(self) -> Rules:
        self.awards.check_cards_differ(
            {
                "crown": {2},
                "provisions": {len(card) for card in self.cards.provisions.values},
                "ducats": {len(card) for card in self.cards.ducats.values},
                "mercenaries": {2},
            }
        )
        return self

    @model_validator(mode="after")
    def _helpers_fit(self) -> Rules:
        most = max(max(by_seat(self.start.helpers, players)) for players in PLAYERS)
        if most > self.pawns.most_helpers:
            raise ValueError(
                f"start.helpers is {most}, more than pawns.most_helpers ({self.pawns.most_helpers})"
            )
        if isinstance(self.hire.price, list) and len(self.hire.price) < self.pawns.most_helpers:
            raise ValueError(
                f"hire.price needs a price for 0 to {self.pawns.most_helpers - 1} helpers owned, "
                f"got {len(self.hire.price)} prices"
            )
        return self


def _check_stacks(name: str, strengths: list[int], rounds: int) -> None:
    """Raise ValueError if a table does not give two equal stacks with enough cards for `rounds` rounds."""
    if len(strengths) % 2 or len(strengths) < 2 * rounds:
        raise ValueError(
            f"{name}: {len(strengths)} cards are the wrong size, two equal stacks for "
            f"{rounds} rounds need an even number of at least {2 * rounds}"
        )


def load_rules(data: Mapping[str, Any], where: str, folder: Path) -> Rules:
    """Return the checked rules of a merged rule set; its event deck is a shipped name, or a path from `folder`."""
    resolved = resolve_components(Rules, PATH_KEYS, FOLDER, data, where, folder)
    return validate(Rules, resolved, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for each card table or event deck that is a reconstruction, with its source."""
    tables: dict[str, Sourced] = {
        f"cards.{name}": getattr(rules.cards, name) for name in type(rules.cards).model_fields
    }
    return name_reconstructions({**tables, f"event deck {rules.event_deck.name!r}": rules.event_deck})


def game_columns(rules: Rules) -> dict[str, str]:
    """Return the columns of the games table that are constant for a rule set."""
    return {"events_deck": rules.event_deck.name}
