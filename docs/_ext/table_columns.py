"""The directive `table-columns shared|own`: columns of the Parquet tables, with type and meaning, from their writer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from balance.contract.game import Game, find_games
from balance.contract.records import blank, fields_of
from balance.engine.buffers import TRACE, Rows
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.runs.rows import COLUMNS, RowWriter

SHIPPED = "balance.games."


def written_tables(game: Game) -> dict[str, pa.Schema]:
    """Return the schema of every table of a run of this game, as its writer makes it from blank rows."""
    players = min(game.players)
    keys = {"game": game.name, "players": [players], "strategies": ["random"], "games": 1, "log": "trace"}
    plan = make_plan(make_experiment(keys), Path(), "reference")
    history = dict(fields_of(game.kernel.LOG))["history"].subdtype
    assert history is not None
    rows = Rows(
        blank(1, game.records.game_row),
        blank(players, game.records.seat_row),
        blank((1, 1, players), np.dtype(history[0])),
        blank(1, TRACE),
    )
    writer = RowWriter(plan, plan.cells[0])
    tables = writer.tables(rows, np.zeros((1, players), np.int16), 1, 0)
    return {name: table.schema for name, table in {**tables, "luck": writer.luck("bots", rows)}.items()}


def type_name(kind: pa.DataType) -> str:
    """Return the type of a column as readers of the files see it: the value type of a dictionary."""
    return str(kind.value_type if pa.types.is_dictionary(kind) else kind)


def section_of(table: str, schema: pa.Schema, meanings: Mapping[str, str], level: int) -> str:
    """Return a table under a heading, as Markdown.

    Raises
    ------
    KeyError
        `meanings` describes a column that the table does not have.
    """
    rows = [f"| `{name}` | {type_name(schema.field(name).type)} | {said} |" for name, said in meanings.items()]
    head = [f"{'#' * level} `{table}`", "", "| column | type | meaning |", "|---|---|---|"]
    return "\n".join([*head, *rows, "", ""])


def sections_of(game: Game, meanings: Mapping[str, Mapping[str, str]], level: int) -> str:
    """Return the tables that `meanings` describes, as Markdown."""
    schemas = written_tables(game)
    return "".join(section_of(name, schemas[name], said, level) for name, said in meanings.items())


class TableColumns(SphinxDirective):
    """The directive; its argument is ``shared`` (columns of all games) or ``own`` (columns of each shipped game)."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        games = [game for game in find_games().values() if game.package.startswith(SHIPPED)]
        if self.arguments[0] == "shared":
            text = sections_of(games[0], COLUMNS, 2)
        else:
            text = "".join(
                f"## What {game.title} adds\n\n{sections_of(game, game.column_meanings, 3)}" for game in games
            )
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("table-columns", TableColumns)
    return {"parallel_read_safe": True}
