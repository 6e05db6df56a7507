"""What a run's folder says of itself: `run.json` (all but the plan), and `parts.jsonl`, a line for every part.

The process that plays a run appends a line with checksums for each finished part; files without a line are not read. A
line that a killed process left unfinished is ignored, and its part is played again. Every line has the identity of its
run, a hash of all that decides its games. `run.json` of a finished run has a hash of the lines of all parts. So files
of another run are noticed. A table that a command adds to the run also has a line.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field, model_validator

from balance.contract.own_games import MissingGameError
from balance.experiments.experiment import WITHOUT_EFFECT
from balance.foundation import __version__
from balance.foundation.errors import BalanceError, DamagedRunError
from balance.foundation.files import append_line, exists, read_bytes, read_json, replace_file
from balance.foundation.language import tr
from balance.foundation.toml import Settings, validate

_DECISIVE = ("game", "source_hash", "bot_hashes", "variants", "strategies", "lineups", "adapted", "points", "members")


def identify(info: Mapping[str, Any]) -> str:
    """Return a SHA-256 of the rules, players, seeds and sources of a run by its `run.json`; an extension keeps it."""
    kept = {key: info[key] for key in _DECISIVE if key in info}
    kept["experiment"] = _without_lengths(info["experiment"])
    plain = json.loads(json.dumps(kept))  # keys are sorted as texts, as in the file
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _without_lengths(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an experiment without the number of games and the keys that do not affect games."""
    kept = {key: experiment[key] for key in experiment if key not in (*WITHOUT_EFFECT, "games")}
    kept["tiers"] = [{key: tier[key] for key in tier if key != "games"} for tier in kept.get("tiers", [])]
    kept["stop"] = {**kept["stop"], "ceiling": None} if kept.get("stop") else None
    return kept


SCHEMA_VERSION = 4
PEOPLE = "people"
"""The tier of games that people played (see `balance.people.folder`), which no run can have."""
_MOST_INFO = 100_000_000  # bytes; a sweep keeps hundreds of rule sets


class _Info(Settings):
    """The keys of `run.json` that are read here; `balance.experiments.saved_plan` reads those of the plan."""

    model_config = ConfigDict(extra="ignore")

    game: str
    status: Literal["running", "finished", "interrupted", "failed"]
    package_version: str
    source_hash: str
    bot_hashes: dict[str, str]
    started: str
    rows: dict[str, Annotated[int, Field(ge=0)]]
    parts_hash: str | None = None

    @model_validator(mode="after")
    def _counted(self) -> _Info:
        if self.status == "finished" and "games" not in self.rows:
            raise ValueError(tr("rows.games: a finished run needs this key"))
        if self.status == "finished" and self.parts_hash is None:
            raise ValueError(
                tr("parts_hash: a finished run needs this key; a run from a version without it must be played again")
            )
        return self


def read_info(run: Path) -> dict[str, Any]:
    """Return the checked content of a run's `run.json`."""
    path = run / "run.json"
    if not exists(path):
        raise BalanceError(tr("{run} is not a run folder (it has no run.json)", run=run))
    info = read_json(path, _MOST_INFO)
    if info.get("tier") == PEOPLE:
        raise BalanceError(
            tr(
                "{run} holds games of people; compare them with a run: {command}",
                run=run,
                command=f"balance report RUN --people {run} --out DIR",
            )
        )
    version = info.get("schema_version")
    if type(version) is not int:
        raise BalanceError(tr("{path}: schema_version: must be a whole number", path=path))
    if version != SCHEMA_VERSION:
        raise BalanceError(
            tr(
                "{run} was written with schema version {schema} by version {package} of this package, which now reads "
                "version {now}; play the experiment again, or read it with that version",
                run=run,
                schema=version,
                package=info.get("package_version"),
                now=SCHEMA_VERSION,
            )
        )
    with version_named(run, info):
        validate(_Info, info, str(path))
    return info


@contextmanager
def version_named(run: Path, info: Mapping[str, Any]) -> Iterator[None]:
    """Say in an error inside the block that another version of the package wrote the run, if one did."""
    try:
        yield
    except MissingGameError:
        raise  # any version asks for its game
    except BalanceError as error:
        written = info.get("package_version")
        if not isinstance(written, str) or written == __version__:
            raise
        raise type(error)(
            tr(
                "{run} was written by version {package} of this package, which version {now} can't read ({error}); "
                "play the experiment again, or read it with that version",
                run=run,
                package=written,
                now=__version__,
                error=error,
            )
        ) from error.__cause__


NAME = "parts.jsonl"
_MOST_BYTES = 1_000_000_000
TABLES = ("games", "seats", "rounds", "trace", "luck")
ADDED = {
    "chances": "balance chances",
    "components": "balance components",
    "decisions": "balance decisions",
    "duels": "balance run --resume",
}
"""Tables that are added to a run, with the commands that add them, before the run's path."""
_STEM = re.compile(r"cell(\d{3,9})-(\d{9,18})")


class FileFacts(NamedTuple):
    """Size, rows and checksum of a file."""

    rows: int
    bytes: int
    sha256: str


class WrittenPart(NamedTuple):
    """A written part: games `first`..`last`-1 of a cell, its files by table, and the time a worker took."""

    stem: str
    files: Mapping[str, FileFacts]
    seconds: float

    @property
    def cell(self) -> int:
        """Number of the cell."""
        return int(self.stem[4:].split("-")[0])

    @property
    def first(self) -> int:
        """The first game."""
        return int(self.stem.split("-")[1])

    @property
    def games(self) -> int:
        """Number of games."""
        return self.files["games"].rows

    @property
    def last(self) -> int:
        """The game after the last one."""
        return self.first + self.games


class Bond(NamedTuple):
    """The bond between a list of parts and its run."""

    identity: str  # of the run, see `identify`
    # Of the list, from `run.json` of a finished run; None: the list may still grow.
    parts_hash: str | None = None


class AddedTable(NamedTuple):
    """A table that was added to the run, one of `ADDED`."""

    name: str
    facts: FileFacts


class Listed(NamedTuple):
    """The content of a list: parts in the order of their names, and added tables.

    An added table is listed twice while its new file replaces the old one.
    """

    parts: Sequence[WrittenPart]
    added: Sequence[AddedTable] = ()


def part_path(run: Path, table: str, stem: str) -> Path:
    """Return the path of a part's file for one table."""
    return run / table / f"{stem}.parquet"


def added_path(run: Path, name: str) -> Path:
    """Return the path of a table that a command adds to the run."""
    return run / f"{name}.parquet"


def is_stem(name: str) -> bool:
    """Return whether a part could have this name."""
    return _STEM.fullmatch(name) is not None


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_line(entry: WrittenPart | AddedTable, identity: str) -> str:
    if isinstance(entry, AddedTable):
        return json.dumps({"table": entry.name, "file": entry.facts._asdict(), "run": identity})
    files = {table: facts._asdict() for table, facts in entry.files.items()}
    return json.dumps({"part": entry.stem, "seconds": entry.seconds, "files": files, "run": identity})


def _read_facts(data: Any) -> FileFacts:
    facts = FileFacts(**data)
    if type(facts.rows) is not int or type(facts.bytes) is not int or type(facts.sha256) is not str:
        raise ValueError("a fact of another type")
    return facts


def _read_line(line: bytes) -> tuple[str, WrittenPart | AddedTable]:
    """Return the identity of the run that wrote a line, and the part or table of the line."""
    data: Any = json.loads(line)
    if "table" in data:
        if data["table"] not in ADDED:
            raise ValueError("no such table")
        return data["run"], AddedTable(data["table"], _read_facts(data["file"]))
    files = {table: _read_facts(facts) for table, facts in data["files"].items()}
    if type(data["seconds"]) not in (int, float) or not 0 <= data["seconds"] < math.inf:
        raise ValueError("no time")
    if not is_stem(data["part"]) or not {"games", "seats"} <= set(files) <= set(TABLES):
        raise ValueError("no such part")
    return data["run"], WrittenPart(data["part"], files, data["seconds"])


def append_entry(run: Path, entry: WrittenPart | AddedTable, identity: str) -> None:
    """Append a part or an added table to the list."""
    append_line(run / NAME, _write_line(entry, identity))


def _order(parts: Iterable[WrittenPart]) -> list[WrittenPart]:
    return sorted(parts, key=lambda part: part.stem)


def write_manifest(run: Path, listed: Listed, identity: str) -> None:
    """Write the whole list again, in the order of the parts' names."""
    entries: list[WrittenPart | AddedTable] = [*_order(listed.parts), *listed.added]
    lines = [_write_line(entry, identity) for entry in entries]
    replace_file(run / NAME, "".join(f"{line}\n" for line in lines).encode())


def hash_parts(parts: Iterable[WrittenPart], identity: str) -> str:
    """Return a SHA-256 of the lines of all parts, in the order of their names."""
    digest = hashlib.sha256()
    for part in _order(parts):
        digest.update(f"{_write_line(part, identity)}\n".encode())
    return digest.hexdigest()


def read_manifest(run: Path, bond: Bond, skip_damaged: bool = False) -> Listed:
    """Return the listed parts and tables, after checking that they belong to the run.

    With `skip_damaged`, what a resumed run plays again is ignored: a missing list, lines that can't be read, and lines
    that differ from those of the finished run.
    """
    parts: dict[str, WrittenPart] = {}
    added: list[AddedTable] = []
    for number, line in enumerate(_read_lines(run, skip_damaged), 1):
        try:
            identity, entry = _read_line(line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            if skip_damaged:
                continue
            raise DamagedRunError(
                tr(
                    "{file}: line {line} is damaged; play its part again with: {command}",
                    file=run / NAME,
                    line=number,
                    command=f"balance run --resume {run}",
                )
            ) from None
        if identity != bond.identity:
            raise DamagedRunError(
                tr(
                    "{file}: line {line} belongs to another run than {run}; restore the files of this run, or remove "
                    "the folder and play the experiment again",
                    file=run / NAME,
                    line=number,
                    run=run / "run.json",
                )
            )
        if isinstance(entry, WrittenPart):
            parts[entry.stem] = entry
        else:
            added.append(entry)
    if not skip_damaged and bond.parts_hash not in (None, hash_parts(parts.values(), bond.identity)):
        raise DamagedRunError(
            tr(
                "{file} is not the list of the finished run {run}; if the run is being extended, wait until it is "
                "finished, otherwise play the missing parts with: {command}",
                file=run / NAME,
                run=run,
                command=f"balance run --resume {run}",
            )
        )
    return Listed(_order(parts.values()), added)


def _read_lines(run: Path, skip_damaged: bool) -> list[bytes]:
    path = run / NAME
    try:
        return read_bytes(path, _MOST_BYTES).split(b"\n")[:-1]  # a line without an end was being written
    except BalanceError as error:
        if skip_damaged:
            return []
        raise DamagedRunError(
            tr(
                "{error}, the list of the run's parts; play its parts again with: {command}",
                error=error,
                command=f"balance run --resume {run}",
            )
        ) from None
