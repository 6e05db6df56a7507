"""The components of Polska: its cards."""

from __future__ import annotations

from balance.contract.component import Component
from balance.games.polska.display.names import written
from balance.games.polska.rules.components import list_faces
from balance.games.polska.rules.ruleset import Rules

_FAMILIES = {"grey": "grey cards", "blue": "blue cards", "city": "city cards"}


def list_components(rules: Rules) -> list[Component]:
    """The different cards by number; a grey card with the event of its year on the track."""
    events = {field.year: written(field.name) for field in rules.track.fields}
    found = []
    for kind, value in list_faces(rules.cards):
        name = f"{kind} {written(value) if isinstance(value, str) else value}" if value else kind
        if kind == "grey" and value in events:
            name += f", {events[value]}"
        found.append(Component(name, _FAMILIES.get(kind, "other cards")))
    return found
