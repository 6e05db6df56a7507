"""The rules of each variant as differences from base, and the reconstructed data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.experiments.variants import OF_ITSELF, hash_rules
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.model import Section, Table
from balance.report.words import write_reconstruction

ORDER = 20
FEW_ENTRIES = 6  # of a list of tables; if more entries differ, the lists count as different


def write(context: ReportContext, answers: Answers) -> Section:
    """Write each variant as its differences from base, and the reconstructed data."""
    base = context.plan.base.model_dump(by_alias=True)
    rows_of = context.plan.game.rules.ROWS
    rows, notes = [], []
    for variant in context.plan.variants:
        notes.append(f"{variant.name}: {tr(variant.rules.description)}")
        own = variant.rules.model_dump(by_alias=True)
        for key, there, here in find_differences(base, own):
            if key not in OF_ITSELF:
                rows.append((variant.name, key, _brief(key, there, rows_of), _brief(key, here, rows_of)))
    difference = pd.DataFrame(rows, columns=["variant", N_("rule"), "base", N_("here")])
    tables = [Table("rules", tr("What each variant changes."), difference, named=["base"])] if rows else []
    text = []
    reconstructions = [(name, line) for name, lines in context.run.info["reconstructions"].items() for line in lines]
    if reconstructions:
        text.append(tr("Some data are reconstructions and not from the published game. They are listed below."))
        frame = pd.DataFrame(reconstructions, columns=["variant", N_("reconstruction")])
        frame = frame.groupby("reconstruction", sort=False)["variant"].agg(several).reset_index()
        shown = frame.assign(reconstruction=frame["reconstruction"].map(write_reconstruction))
        tables.append(Table("reconstructions", tr("Data that are reconstructions."), shown, raw=frame))
    text += _trained_for(context)
    notes = notes if len(notes) <= 12 else [*notes[:12], tr("and {n} more", n=len(notes) - 12)]
    return Section("rules", tr("Rules"), text, notes=notes, tables=tables, rest=True)


def _trained_for(context: ReportContext) -> list[str]:
    """Return a note on profiles and networks that play by rules other than those that they were trained for."""
    tier, hashes = context.plan.tier, {v.name: hash_rules(v.rules) for v in context.plan.variants}
    if tier.adapt:
        return [
            tr(
                "Profiles and networks were trained for each variant before they played it. Each effect depends on one "
                "training run, and the intervals do not include the variation between training runs."
            )
        ]
    found: dict[tuple[str, ...], list[str]] = {}
    for strategy in tier.strategies:
        trained = strategy.profile or strategy.network
        training = trained.training if trained else {}
        strange = [name for name, rules in hashes.items() if rules != training.get("rules", rules)]
        if strange:
            of_networks = [part for key, part in training.items() if key.startswith("network_")]
            home = listed(sorted({str(part["variant"]) for part in of_networks or [training]}))
            if home in strange:
                home = tr("{variant} (an earlier version of it)", variant=home)
            found.setdefault((home, several(strange)), []).append(strategy.name)
    return [
        tr(
            "Trained for {home}, so they may play {strange} worse than players who know these rules: {names}. With "
            "adapt = true in the experiment, profiles and networks are trained for each variant first.",
            home=home,
            strange=strange,
            names=", ".join(names),
        )
        for (home, strange), names in found.items()
    ]


def find_differences(there: Any, here: Any, key: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the dotted keys whose values differ, with both values; a missing value is None.

    A single value on one side is compared with the value for each player count on the other. For a list of tables,
    yield each differing entry by its name, if they are few.
    """
    entries = _by_name(there), _by_name(here)
    changed = [name for name in entries[0] | entries[1] if entries[0].get(name) != entries[1].get(name)]
    if all(entries) and 0 < len(changed) <= FEW_ENTRIES:
        for name in changed:
            one, other = (named.get(name) for named in entries)
            inside = f"{key}.{name}"
            yield from find_differences(one, other, inside) if one and other else [(inside, one, other)]
    elif isinstance(there, Mapping) or isinstance(here, Mapping):
        names = [str(name) for each in (there, here) if isinstance(each, Mapping) for name in each]
        for name in dict.fromkeys(names):
            one, other = (each.get(name) if isinstance(each, Mapping) else each for each in (there, here))
            yield from find_differences(one, other, f"{key}.{name}" if key else name)
    elif there != here:
        yield key, there, here


def _by_name(entries: Any) -> dict[str, Any]:
    """Return the entries of a list of tables by their first values; empty for other values or ambiguous names."""
    if not (isinstance(entries, list) and all(isinstance(entry, Mapping) for entry in entries)):
        return {}
    named = {_in_words(next(iter(entry.values()), "")): entry for entry in entries}
    return named if len(named) == len(entries) else {}


def _in_words(value: Any) -> str:
    """Return a value in words, without Python's brackets and quotes; None values are left out."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_in_words(part)}" for name, part in value.items() if part is not None)
    return "-".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def several(names: Sequence[str]) -> str:
    """Return the variants for a cell; only their number if they are many."""
    return ", ".join(names) if len(names) <= 6 else trn("{n} variant", "{n} variants", len(names))


def _brief(key: str, value: Any, rows_of: Mapping[str, str]) -> str:
    """Return a value for a cell; for a list of tables, their number and the game's word for them."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        starts = [start for start in rows_of if f"{key}.".startswith(f"{start}.")]
        things = rows_of[max(starts, key=len)] if starts else N_("rows")
        return f"{len(value)} {tr(things)}"
    if isinstance(value, Mapping):
        return _in_words(value)
    return "-" if value is None else str(value)
