"""What a trained file says of where it comes from."""

from __future__ import annotations

from datetime import date
from typing import Any

from balance.settings import write_value


def head_lines(title: str, description: str, told: dict[str, Any], **keys: str) -> list[str]:
    """The first lines of a TOML file: what it is, and a table ``[training]`` with today's date."""
    return [
        *(
            f"{key} = {write_value(value)}"
            for key, value in {"title": title, "description": description, **keys}.items()
        ),
        "",
        "[training]",
        *(f"{key} = {write_value(value)}" for key, value in told.items()),
        f'date = "{date.today()}"',
        "",
    ]
