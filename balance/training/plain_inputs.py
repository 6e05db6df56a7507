"""Find what a learned player of a game in plain Python sees, from random games: the schema of `balance.plain.inputs`.

No feature is written. Columns that never change are left out, and so are all but the first of equal ones.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.language import trn
from balance.foundation.streams import derive_many
from balance.plain.chance import Chance
from balance.plain.faults import check_actions
from balance.plain.hidden import attributes_of
from balance.plain.inputs import (
    ABSENT,
    BAGS,
    COMPARED,
    ROWS,
    SIMPLE,
    Inputs,
    Node,
    Reader,
    compare,
    count_parts,
    count_things,
    freeze,
    is_record,
    key_of,
    parts_of,
    split_label,
    table_key,
    word_of,
)
from balance.plain.interface import sees_all

GAMES = 300  # random games that are looked at
KEPT = 4_000  # of their decisions, from which the schema is found
MOST_LABELS = 16_000  # of the actions of these decisions
# Of the kept decisions: those whose actions are tried, and those that are compared with the position.
_LOOKED_AHEAD, _MATCHED = 1_000, 600
_MOST_CHOICES, MOST_OPTIONS = 30_000, 4_000_000  # of all games together: choices, and their actions
_LONGEST = 2_000  # decisions of a game
_MOST_OPTIONS_AHEAD = 20  # actions of a decision, if each is tried
# Of a list that is read by position: if its length is fixed; if it varies.
_MOST_PLACES, _FIRST_PLACES = 64, 6
_MOST_WORDS, _MOST_LABELS = 64, 256
_MOST_STEPS, _MOST_EQUAL = 24, 16  # of a number: steps, and values that it may equal
_MOST_ALIKE = 8  # things alike in a bag that are counted
_DEEPEST = 6
_MOST_MATCHES = 16
_MOST_CONTEXT, _MOST_ACTION = 1_500, 1_500  # columns
_LEAST = 4  # decisions in which a column is 1, and in which it is 0
_MOST_POSITIONS, _MOST_ROWS = 8_000, 20_000  # of a table of positions and actions
_MOST_NEW = 0.1  # share of the last third of the decisions whose position is new, if a table is made


@dataclass
class Decision:
    """A decision of a random game."""

    position: Any  # a copy of the state
    view: Any
    seat: int
    actions: list[str]


class _Games:
    """What random games show."""

    def __init__(self, players: int, is_open: bool) -> None:
        self.players, self.is_open = players, is_open  # whether all seats see everything
        self.decisions: list[Decision] = []
        self.is_determined = True  # no action draws chance
        self.games = self.choices = self.options = self.most_options = 0
        self.is_new: list[bool] = []  # of each choice, whether its position is the first of its kind
        self._known: dict[Any, tuple[Any, list[str]]] = {}  # positions by what the seat sees, frozen
        self._labels: dict[str, str] = {}  # each once: a board has thousands in each decision

    @property
    def looks_ahead(self) -> bool:
        """Whether the player may look at the position after each action."""
        return self.is_open and self.is_determined and self.most_options <= _MOST_OPTIONS_AHEAD

    @property
    def has_few(self) -> bool:
        """Whether the game seems to have few positions."""
        last = self.is_new[len(self.is_new) * 2 // 3 :]
        return bool(last) and sum(last) <= _MOST_NEW * len(last)

    @property
    def may_have_few(self) -> bool:
        """Whether more games may show that the game has few positions."""
        last = self.is_new[len(self.is_new) // 2 :]
        return bool(last) and not self.has_few and sum(last) <= len(last) / 2

    def look(self, author: Any, state: Any, actions: list[str], rng: np.random.Generator) -> None:
        """Look at a choice."""
        self.choices += 1
        self.options += len(actions)
        self.most_options = max(self.most_options, len(actions))
        position = author.clone(state)
        view = position if self.is_open else author.seen(author.clone(state), state.seat)
        place = state.seat, freeze(view)
        self.is_new.append(place not in self._known)
        labels = [self._labels.setdefault(each, each) for each in actions]
        if self.is_new[-1] and len(self._known) <= _MOST_POSITIONS:
            self._known[place] = position, labels
        share = min(1.0, 2 * KEPT * (self.games + 1) / (GAMES * self.choices))
        if len(self.decisions) < KEPT and rng.random() < share:
            self.decisions.append(Decision(position, view, state.seat, labels))

    def table(self, author: Any) -> str:
        """Return the keys of all positions and actions if a game has few of them, as text; empty if it has many."""
        if not self.has_few or len(self._known) > _MOST_POSITIONS:
            return ""
        keys = set()
        for (seat, frozen), (state, actions) in self._known.items():
            for action in actions:
                if not self.looks_ahead:
                    keys.add(table_key(seat, frozen, action))
                    continue
                then = author.clone(state)
                author.apply(then, action, Chance(0))
                keys.add(table_key(seat, freeze(then), ""))
        rows = np.array(sorted(keys), "<u8")
        return b64encode(rows.tobytes()).decode() if len(rows) <= _MOST_ROWS else ""


class NoChoiceError(BalanceError):
    """A game has no choices at a player count."""


def find_inputs(game: Game, rules: Any, players: int) -> dict[str, Any]:
    """Return the schema of a game at a player count; always the same for the same game and rules.

    `NoChoiceError` if nothing can be learned.
    """
    author = game.guarded  # type: ignore[attr-defined]
    seen = play_at_random(author, rules, players)
    decisions = seen.decisions
    if not decisions:
        raise NoChoiceError(
            trn(
                "{game}: random games of {n} player have no choices, so there is nothing to learn",
                "{game}: random games of {n} players have no choices, so there is nothing to learn",
                players, game=game.title,
            )
        )  # fmt: skip
    looks_ahead = seen.looks_ahead
    views = [(each.view, each.seat) for each in decisions]
    options = spread_options(decisions, MOST_LABELS)
    labels = [(split_label(label), 0) for _, label in options]
    weighed = options if author.FEATURES else []
    features = [(_numbers(author.features(each.position, label)), 0) for each, label in weighed]
    position, action, own = (infer(samples, players) for samples in (views, labels, features))
    schema: dict[str, Any] = {
        "position": position,
        "position_kept": _kept(position, players, views, _MOST_CONTEXT),
        "action": action,
        "action_kept": _kept(action, players, labels, _MOST_ACTION),
        "features": own,
        "features_kept": _kept(own, players, features, _MOST_ACTION),
        "open": seen.is_open,
        "looks_ahead": looks_ahead,
    }
    schema["after_kept"] = _kept_ahead(author, schema, decisions, players) if looks_ahead else []
    schema["matches"] = _find_matches(schema, decisions, players)
    schema["table"] = seen.table(author)
    Inputs(schema, players)
    return schema


def _numbers(features: Mapping[str, float]) -> dict[str, Any]:
    return {name: float(value) for name, value in features.items()}


def spread_evenly(things: list[Any], most: int) -> list[Any]:
    """Return at most this number of things, evenly spread."""
    return things[:: -(-len(things) // most)] if things else things


def spread_options(decisions: Sequence[Decision], most: int) -> list[tuple[Decision, str]]:
    """Return at most this number of actions with their decisions, evenly spread."""
    step = max(1, -(-sum(len(each.actions) for each in decisions) // most))
    found, before = list[tuple[Decision, str]](), 0
    for each in decisions:
        found += [(each, label) for label in each.actions[-before % step :: step]]
        before += len(each.actions)
    return found


def random_game(
    author: Any, rules: Any, players: int, number: int, rng: np.random.Generator
) -> Iterator[tuple[Any, list[str], bool]]:
    """Play a game at random: yield each state, its actions, and whether the action before it drew from chance.

    The last state has no actions: the game is over, or has had `_LONGEST` decisions.
    """
    chance, has_drawn = Chance(int(derive_many(0, players, number)[0])), False
    state = author.setup(rules, players, chance)
    for _ in range(_LONGEST):
        if author.over(state):
            break
        actions = author.actions(state)
        check_actions(author, actions)
        yield state, actions, has_drawn
        before = chance.word
        author.apply(state, actions[int(rng.integers(len(actions)))], chance)
        has_drawn = chance.word != before
    yield state, [], has_drawn


def play_at_random(author: Any, rules: Any, players: int) -> _Games:
    """Play random games until there are enough positions and actions."""
    seen = _Games(players, sees_all(author))
    rng = np.random.default_rng([players, 1])
    while seen.games < GAMES or seen.may_have_few:
        for state, actions, has_drawn in random_game(author, rules, players, seen.games, rng):
            seen.is_determined = seen.is_determined and not has_drawn
            if len(actions) > 1:
                seen.look(author, state, actions, rng)
        seen.games += 1
        if seen.choices >= _MOST_CHOICES or seen.options >= MOST_OPTIONS:
            break
    return seen


Sample = tuple[Any, int]
"""A value, and the seat that sees it."""


def infer(samples: Sequence[Sample], players: int, depth: int = 0, most_words: int = _MOST_WORDS) -> Node:
    """Return the node that reads these values."""
    kinds: defaultdict[str, list[Sample]] = defaultdict(list)
    for value, seat in samples:
        kinds[_kind(value)].append((value, seat))
    found: list[Node] = []
    if depth < _DEEPEST:
        for kind, make in (("keys", _infer_keys), ("row", _infer_row), ("bag", _infer_bag)):
            if kind in kinds:
                found.append(make(kinds[kind], players, depth))
    if "value" in kinds:
        found += _infer_values([value for value, _ in kinds["value"]], players, most_words)
    return found[0] if len(found) == 1 else {"is": "all", "of": found}


def _kind(value: Any) -> str:
    if value.__class__ in SIMPLE:
        return "value"
    if isinstance(value, ROWS):
        return "row"
    if isinstance(value, BAGS):
        return "bag"
    return "keys" if isinstance(value, Mapping) or is_record(value) else "value"


def _infer_keys(samples: Sequence[Sample], players: int, depth: int) -> Node:
    """Return the node of dicts and objects: each entry with a simple key."""
    entries: defaultdict[Any, list[Sample]] = defaultdict(list)
    is_worded = False
    for value, seat in samples:
        for key, each in (value if isinstance(value, Mapping) else attributes_of(value)).items():
            if not isinstance(each, BaseModel):
                entries[key_of(key)].append((each, seat))
                is_worded |= not isinstance(key, (str, int))
    common = sorted(entries, key=lambda key: (-len(entries[key]), str(key)))[:_MOST_WORDS]
    of = []
    for key in sorted(common, key=str):
        most = _MOST_LABELS if key == "label" else _MOST_WORDS
        of.append([key, infer(entries[key], players, depth + 1, most)])
    return {"is": "keys", "of": of, **({"worded": True} if is_worded else {})}


def _infer_row(samples: Sequence[Sample], players: int, depth: int) -> Node:
    """Return the node of lists: by seat, by position, or as a bag."""
    lengths = {len(value) for value, _ in samples}
    if lengths == {players}:
        shifted = [[(value[(seat + n) % players], seat) for value, seat in samples] for n in range(players)]
        return {"is": "seats", "of": [infer(each, players, depth + 1) for each in shifted]}
    longest = max(lengths)
    is_fixed = len(lengths) == 1 and longest <= _MOST_PLACES
    places = longest if is_fixed or longest <= _FIRST_PLACES else 0
    of: list[Node] = [
        infer([(value[n], seat) for value, seat in samples if len(value) > n], players, depth + 1)
        for n in range(places)
    ]
    found: list[Node] = [{"is": "places", "of": of}] if of else []
    inner = [(value[-1], seat) for value, seat in samples if len(value)]
    if not is_fixed and inner and longest > 1:
        found.append({"is": "last", "of": infer(inner, players, depth + 1)})
    if not is_fixed or all(_kind(each) == "value" for value, _ in samples[:50] for each in value):
        found.append(_infer_bag(samples, players, depth))
    return found[0] if len(found) == 1 else {"is": "all", "of": found}


def _infer_bag(samples: Sequence[Sample], players: int, depth: int) -> Node:
    """Return the node of things whose order does not matter."""
    counts, parts = _Counts(), [_Counts() for _ in range(4)]
    lengths, largest, smallest = [], [], []
    for value, _ in samples:
        own = count_things(value)
        counts.add(own)
        lengths.append(len(value))
        numbers = [each for each in own if isinstance(each, (int, float))]
        if numbers:
            largest.append(max(numbers))
            smallest.append(min(numbers))
        for n, each in enumerate(parts):
            each.add(count_parts(own, n))
    return {
        "is": "bag",
        "words": counts.words(),
        "length": _steps(lengths),
        "parts": [words for each in parts if (words := each.words())],
        "extremes": [_steps(largest), _steps(smallest)] if largest else [],
    }


class _Counts:
    """How many things alike there are at most, and in how many bags."""

    def __init__(self) -> None:
        self._most: Counter[Any] = Counter()
        self._bags: Counter[Any] = Counter()

    def add(self, counts: Mapping[Any, int]) -> None:
        for word, count in counts.items():
            self._most[word] = max(self._most[word], min(count, _MOST_ALIKE))
            self._bags[word] += 1

    def words(self) -> list[list[Any]]:
        """Return the commonest words with the most of each."""
        common = sorted(self._bags, key=lambda word: (-self._bags[word], repr(word)))[:_MOST_WORDS]
        return [[word, self._most[word]] for word in sorted(common, key=repr)]


def _infer_values(values: Sequence[Any], players: int, most_words: int) -> list[Node]:
    """Return the nodes of single values: numbers and words, and seats if all numbers could be seats."""
    words = [word_of(each) for each in values]
    node: Node = {"is": "value", **_steps([each for each in words if not isinstance(each, str)])}
    texts = [each for each in words if isinstance(each, str)]
    node["words"] = [*_common(texts, most_words), *node["words"]]
    parts = [_parts_node([parts[n] for parts in map(parts_of, texts) if len(parts) > n]) for n in range(4)]
    if own := [each for each in parts if each]:
        node["parts"] = own
    numbers = {each for each in values if each.__class__ is int}
    if numbers and numbers <= set(range(-1, players)) and max(numbers) >= 1:
        return [node, {"is": "who"}]
    return [node]


def _parts_node(parts: Sequence[Any]) -> Node:
    if len(set(parts)) < 2:
        return {}
    node = _steps([each for each in parts if not isinstance(each, str)])
    return {**node, "words": [*_common([each for each in parts if isinstance(each, str)], _MOST_WORDS), *node["words"]]}


def _common(texts: Sequence[str], most: int) -> list[str]:
    counts = Counter(texts)
    return sorted(sorted(counts, key=lambda text: (-counts[text], text))[:most])


def _steps(numbers: Sequence[float]) -> Node:
    """Return the steps of a number, and the values that it may equal if they are few."""
    values = sorted(set(numbers))
    steps = values[1:]
    if len(steps) > _MOST_STEPS:
        places = np.linspace(0, 1, _MOST_STEPS + 2)[1:-1]
        steps = sorted({float(each) for each in np.quantile(numbers, places, method="nearest")})
    return {"steps": steps, "words": values if 2 < len(values) <= _MOST_EQUAL else []}


def _kept(node: Node, players: int, samples: Sequence[Sample], most: int) -> list[int]:
    """Return the columns that change, without those that are equal to an earlier one."""
    reader = Reader(node, players)
    return _varied([reader.read(value, seat)[0] for value, seat in samples], len(reader.names), most)


def _varied(rows: Sequence[Sequence[int]], columns: int, most: int) -> list[int]:
    table = np.zeros((columns, max(1, len(rows))), bool)
    for number, row in enumerate(rows):
        table[list(row), number] = True
    ones = table.sum(axis=1)
    least = min(_LEAST, max(1, len(rows) // 50))
    first: dict[bytes, int] = {}
    for column in np.flatnonzero((ones >= least) & (ones <= len(rows) - least)).tolist():
        first.setdefault(np.packbits(table[column]).tobytes(), column)
    spread = np.minimum(ones, len(rows) - ones)
    return sorted(sorted(first.values(), key=lambda column: (-spread[column], column))[:most])


def _kept_ahead(author: Any, schema: Node, decisions: Sequence[Decision], players: int) -> list[int]:
    """Return the columns of positions after an action that change."""
    samples = []
    for each in decisions[:_LOOKED_AHEAD]:
        for action in each.actions:
            then = author.clone(each.position)
            author.apply(then, action, Chance(0))
            samples.append((then, each.seat))
    return _kept(schema["position"], players, samples, _MOST_ACTION)


def _find_matches(schema: Node, decisions: Sequence[Decision], players: int) -> list[Any]:
    """Return the comparisons of actions with the position that tell actions of a decision apart, best first."""
    action = Reader(schema["action"], players, schema["action_kept"])
    position = Reader(schema["position"], players, schema["position_kept"])
    matched = spread_evenly(list(decisions), _MATCHED)
    shown = [position.read(each.view, each.seat)[1] for each in matched]
    distinct = dict.fromkeys(label for each in matched for label in each.actions)
    labels = {label: action.read(split_label(label), 0)[1] for label in distinct}
    pairs: list[tuple[float, int, int, list[tuple[str, int]]]] = []
    seen: set[bytes] = set()
    for a, slot in enumerate(action.slots):
        if slot.is_bag or slot.name in ("label", "kind"):
            continue
        words = [_distinct([labels[label][a] for label in each.actions]) for each in matched]
        for p in range(len(position.slots)):
            levels = _levels_of(words, [each[p] for each in shown], seen)
            if levels:
                pairs.append((-sum(spread for spread, _, _ in levels), a, p, [each[1:] for each in levels]))
    return [[a, p, levels] for _, a, p, levels in sorted(pairs)[:_MOST_MATCHES]]


def _distinct(values: Sequence[Any]) -> tuple[list[Any], np.ndarray]:
    """Return the values without repetition, and the place of each in them."""
    places: dict[Any, int] = {}
    at = [places.setdefault(each, len(places)) for each in values]
    return list(places), np.array(at)


def _levels_of(
    words: Sequence[tuple[list[Any], np.ndarray]], shown: Sequence[Any], seen: set[bytes]
) -> list[tuple[float, str, int]]:
    """Return what of a comparison varies within decisions: how much, what is compared, the least count.

    `words` has the distinct words of the actions of each decision, and the place of each action's word in them.
    """
    found, spreads = [], defaultdict[tuple[str, int], list[tuple[list[bool], np.ndarray]]](list)
    for (distinct, at), other in zip(words, shown, strict=True):
        if other is ABSENT:
            continue
        compared = [compare(own, other) if own is not ABSENT else {} for own in distinct]
        for what in COMPARED:
            counts = [each.get(what, 0) for each in compared]
            for least in range(1, 4 if isinstance(other, dict) else 2):
                spreads[what, least].append(([count >= least for count in counts], at))
    for (what, least), rows in spreads.items():
        spread = sum(0 < sum(row) < len(row) for row, _ in rows) / max(1, len(words))
        if spread <= 0.02:
            continue
        key = b"|".join(np.array(row)[at].tobytes() for row, at in rows)
        if key not in seen:
            seen.add(key)
            found.append((spread, what, least))
    return found
