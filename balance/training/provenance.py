"""What a trained file says of where it comes from."""

from __future__ import annotations

import json
from datetime import date
from typing import Any


def head_lines(title: str, description: str, told: dict[str, Any], **keys: str) -> list[str]:
    """The first lines of a TOML file: what it is, and a table ``[training]`` with today's date."""
    return [
        *(
            f"{key} = {_toml(value)}"
            for key, value in {"title": title, "description": description, **keys}.items()
        ),
        "",
        "[training]",
        *(f"{key} = {_toml(value)}" for key, value in told.items()),
        f'date = "{date.today()}"',
        "",
    ]


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)  # as TOML writes texts, numbers and lists
