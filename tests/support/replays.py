"""The data of a replay's page, as its script reads it."""

import json
from pathlib import Path
from typing import Any


def read_replay(page: Path) -> dict[str, Any]:
    """Return the data of a page, with every panel as the whole list of its pieces."""
    text = page.read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    for game in data["games"]:
        for i, panel in enumerate(game["panels"]):
            if isinstance(panel, dict):
                whole = list(game["panels"][panel["like"]])
                for place, piece in panel["but"].items():
                    whole[int(place)] = piece
                game["panels"][i] = whole
    return data
