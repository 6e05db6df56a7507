"""Tables on the terminal and as CSV."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table

from balance.errors import BalanceError
from balance.stats.intervals import LEVEL

_COLOURS = {"higher": "green", "lower": "red", "same": "dim", "undecided": "yellow"}
_WIDTH = 110  # where there is no terminal to fit


def print_comparison(table: pd.DataFrame, baseline: str) -> None:
    """Print a table of `balance.compare.compare_variants`, a block for each player count and variant."""
    console = Console(soft_wrap=False)
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    for (players, variant), block in table.groupby(["players", "variant"], sort=False):
        pairs, decks = int(block["n"].max()), int(block["decks"].max())
        title = (
            f"{players} players: {variant} against {baseline} (n up to {pairs:,} pairs, {decks:,} decks)"
        )
        shown = Table(title=title, title_justify="left", title_style="bold", pad_edge=False)
        shown.add_column("measure")
        for column in (baseline, "effect", f"{100 * LEVEL:.0f} % interval", "p (Holm)"):
            shown.add_column(column, justify="right")
        shown.add_column("verdict")
        for row in block.itertuples():
            p = "< 0.001" if row.p < 0.001 else f"{row.p:.3f}"
            shown.add_row(
                row.measure,
                f"{row.baseline:.2f}",
                f"{row.effect:+.2f}",
                f"{row.low:+.2f} to {row.high:+.2f}",
                p,
                f"[{_COLOURS[row.verdict]}]{row.verdict}[/]",
            )
        console.print(shown)
    console.print(
        f"{len(table)} comparisons, p-values corrected together by Holm's method. "
        "same: the whole interval lies within 1 point (seats) or 3 points (strategies). "
        f"Pairing on the same games was worth {table['gain'].median():.1f} times as many games (median)."
    )


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table to a CSV file.

    Raises
    ------
    BalanceError
        The file can't be written.
    """
    try:
        table.to_csv(path, index=False)
    except OSError as error:
        raise BalanceError(f"cannot write {path}: {error.strerror or error}") from error
