"""Decks as tables for a spreadsheet: the cards of a deck file as CSV, and a deck file from CSV or a workbook.

A row is a card and a column a key, such as ``n`` or ``bundle.n``. A deck that has lists and numbers instead of
cards, such as that of Polska, has a row for each entry of a list and each number: ``kind``, ``value``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pandas as pd

from balance.contract.game import Game
from balance.contract.rule_tables import Sourced, load_component
from balance.experiments.drafts import deck_of
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_file, create_file
from balance.foundation.language import tr
from balance.foundation.spreadsheets import MARK, read_number, read_table
from balance.foundation.text import read_text_cell, write_csv
from balance.foundation.toml import list_leaves, validate, write_key, write_value

_CARDS = "cards"
_HEAD = ("name", "source", "reconstruction")  # keys of a deck that are no cards
_ID = "id"
_KIND, _VALUE = "kind", "value"
_TRUTHS = {"TRUE": True, "FALSE": False, "PRAWDA": True, "FAŁSZ": False}
_COMMA = re.compile(r"[-+]?\d+,\d+")
Row = dict[str, Any]


def deck_to_csv(game: Game, name: str, folder: Path, separator: str = ",") -> str:
    """Return a deck, by shipped name or path, as CSV that spreadsheets read as UTF-8."""
    deck = load_deck(game, name, folder)
    if _CARDS in deck:
        rows = [{write_key(path): _cell(value) for path, value in list_leaves(card)} for card in deck[_CARDS]]
    else:
        rows = [
            {_KIND: kind, _VALUE: value}
            for kind, values in deck.items()
            if kind not in _HEAD
            for value in (values if isinstance(values, list) else [values])
        ]
    table = pd.DataFrame(rows, columns=None if rows else [_ID], dtype=object)
    return MARK + write_csv(table, separator)


def load_deck(game: Game, name: str, folder: Path) -> dict[str, Any]:
    """Return the keys that a deck sets, with the entries of all decks that it extends."""
    key, shelf = deck_of(game)
    model = _model(game, key)
    found = load_component(model, game.folder / shelf, key.replace("_", " "), name, name, folder)
    return found.model_dump(by_alias=True, exclude_defaults=True)


def _model(game: Game, key: str) -> type[Sourced]:
    model = game.rules.Rules.model_fields[key].annotation
    assert isinstance(model, type) and issubclass(model, Sourced)
    return model


def _cell(value: Any) -> Any:
    """Return a value for a cell; lists are written as in TOML."""
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else write_value(value)


def deck_from_csv(game: Game, table: Path, out: Path) -> list[str]:
    """Write a deck file with the cards of a table, checked as a deck of the game; never overwrite a file.

    The source of the data is the table (CSV or .xlsx). It is marked as a reconstruction if the base deck is one.

    Returns
    -------
    list of str
        Notes on what was not read, or read with a doubt.
    """
    check_file(out, new=True)
    key, _ = deck_of(game)
    model = _model(game, key)
    read = read_table(table)
    if not read.header:
        raise BalanceError(tr("{where}: it has no header line", where=table))
    named = [(line, dict(zip(read.header, map(str.strip, row), strict=False))) for line, row in read.rows]
    rules = load_variant(game, "base", game.folder).rules
    base = load_deck(game, str(getattr(rules, key).name), game.folder)
    data = {"source": table.name, "reconstruction": bool(base.get("reconstruction"))}
    data |= (
        _read_cards(model, read.header, named, str(table)) if _CARDS in base else _read_lists(base, named, str(table))
    )
    validate(model, {"name": out.stem, **data}, str(table))
    create_file(out, "".join(_write_deck(data)).encode("utf-8"))
    empty = [] if named else [tr("the table has no rows, so the deck has no cards")]
    return [*read.notes, *empty]


def _read_cards(
    model: type[Sourced], names: Sequence[str], rows: Sequence[tuple[int, Row]], where: str
) -> dict[str, Any]:
    """Return the cards; an empty cell is no key."""
    (card,) = get_args(model.model_fields[_CARDS].annotation)[:1]
    schema = card.model_json_schema(by_alias=True)
    if _ID not in names:
        raise BalanceError(
            tr("{where}: no column is called id (there are: {columns})", where=where, columns=", ".join(names))
        )
    if both := [name for name in names if any(other.startswith(f"{name}.") for other in names)]:
        raise BalanceError(
            tr("{where}: {name} can't be a column next to columns of its parts; remove one", where=where, name=both[0])
        )
    cards = []
    for line, row in rows:
        found: dict[str, Any] = {}
        place = tr("{where}, line {line}", where=where, line=line)
        for name, text in row.items():
            if text:
                path, table = name.split("."), found
                for part in path[:-1]:
                    table = table.setdefault(part, {})
                table[path[-1]] = read_cell(text, _is_text(schema, path), place)
        cards.append(found)
    return {_CARDS: cards}


def _is_text(schema: Mapping[str, Any], path: Sequence[str]) -> bool:
    """Return whether a key of a card is text, by the schema of its model."""
    node: Any = schema
    for name in path:
        kinds = [node, *node.get("anyOf", ())]
        kinds = [schema["$defs"][kind["$ref"].rpartition("/")[2]] if "$ref" in kind else kind for kind in kinds]
        node = next((kind["properties"][name] for kind in kinds if name in kind.get("properties", ())), {})
    return any(
        kind.get("type") == "string" or any(isinstance(each, str) for each in kind.get("enum", ()))
        for kind in [node, *node.get("anyOf", ())]
    )


def read_cell(text: str, is_text: bool, where: str) -> Any:
    """Return text, or the number, list or truth that it writes, also as spreadsheets in Polish write them."""
    if is_text:
        return read_text_cell(text)
    if text.upper() in _TRUTHS:
        return _TRUTHS[text.upper()]
    if _COMMA.fullmatch(text):
        try:
            value: Any = read_number(text)
        except ValueError as error:
            raise BalanceError(f"{where}: {error}") from None
    else:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):  # also a number with thousands of digits
            if any(mark in text for mark in "[]{}"):
                raise BalanceError(
                    tr("{where}: {text!r} is not a list such as [1, 2]", where=where, text=text)
                ) from None
            return text  # the check of the deck says what it should be
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read_lists(base: Mapping[str, Any], rows: Sequence[tuple[int, Row]], where: str) -> dict[str, Any]:
    """Return lists and numbers from rows of ``kind`` and ``value``."""
    found: dict[str, Any] = {}
    for line, row in rows:
        if not row.keys() >= {_KIND, _VALUE}:
            raise BalanceError(
                tr("{where}: expected the columns {one} and {other}", where=where, one=_KIND, other=_VALUE)
            )
        kind, place = row[_KIND], tr("{where}, line {line}", where=where, line=line)
        value = read_cell(row[_VALUE], False, place)
        if isinstance(base.get(kind), list):
            found.setdefault(kind, []).append(value)
        elif kind in found:
            raise BalanceError(tr("{where}: {kind} is a number and may stand once", where=place, kind=kind))
        else:
            found[kind] = value
    return found


def _write_deck(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a deck file."""
    for name, value in data.items():
        if name != _CARDS or not value:
            yield f"{name} = {write_value(value)}\n"
    for card in data.get(_CARDS, ()):
        yield f"\n[[{_CARDS}]]\n"
        for name, value in card.items():
            yield f"{write_key([name])} = {write_value(value)}\n"
