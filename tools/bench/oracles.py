"""Speed of the plain-Python oracles compared with the compiled loop. Choices are random."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from support.oracles import grody, korona_piastow, na_grunwald, polska

from balance.contract.game import Game, get_game
from bench.playing import KORONA, NA_GRUNWALD, POLSKA, Measure, alternate, bare_loop, plan_of, ratio_of
from bench.record import Figure
from bench.sizes import Sizes

GRODY = get_game("grody")
COMPILED = "compiled loop / this"


def na_grunwald_speed(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of the oracle of Na Grunwald!."""
    compiled = bare_loop(NA_GRUNWALD, "random", 4, sizes.random)
    measures = [compiled, na_grunwald_oracle(sizes.oracle_seconds)]
    fast, slow = alternate(measures, sizes.pairs, warm=False)
    name = "plain-Python oracle, random, 4 players"
    yield Figure(name, statistics.median(slow), "games/s", ratio_of(fast, slow), COMPILED)


def polska_speeds(sizes: Sizes) -> Iterator[Figure]:
    """Yield games and turns a second of Polska; random games go to the limit of turns."""
    limit = plan_of(POLSKA, "random", 4, 1).variants[0].rules.turn_limit
    games = bare_loop(POLSKA, "random", 4, sizes.polska_random)
    profile = bare_loop(POLSKA, "marker-runner", 4, sizes.marker_runner)
    games()  # compiles
    measures: list[Measure] = [lambda: limit * games(), polska_oracle(sizes.oracle_seconds)]
    fast, slow = alternate(measures, sizes.pairs, warm=False)
    name, turns = "polska, random, 4 players, one worker", statistics.median(fast)
    yield Figure(name, turns / limit, "games/s")
    yield Figure(name, turns, "turns/s")
    yield Figure("its plain-Python oracle", statistics.median(slow), "turns/s", ratio_of(fast, slow), COMPILED)
    (found,) = alternate([profile], sizes.repeats)
    yield Figure("polska, marker-runner, 4 players, one worker", statistics.median(found), "games/s")


def grody_speeds(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of Grody, and of its oracle."""
    compiled = bare_loop(GRODY, "random", 2, sizes.grody_random)
    profile = bare_loop(GRODY, "champion", 2, sizes.grody_champion)
    compiled()  # compiles
    fast, slow = alternate([compiled, grody_oracle(sizes.oracle_seconds)], sizes.pairs, warm=False)
    yield Figure("grody, random, 2 players, one worker", statistics.median(fast), "games/s")
    ratio = (ratio_of(fast, slow), COMPILED)
    yield Figure("grody, its plain-Python oracle", statistics.median(slow), "games/s", *ratio)
    (found,) = alternate([profile], sizes.repeats)
    yield Figure("grody, champion, 2 players, one worker", statistics.median(found), "games/s")


def korona_speeds(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of Korona Piastów, and of its oracle."""
    compiled = bare_loop(KORONA, "random", 4, sizes.korona_random)
    profile = bare_loop(KORONA, "champion", 4, sizes.korona_champion)
    compiled()  # compiles
    fast, slow = alternate([compiled, korona_oracle(sizes.oracle_seconds)], sizes.pairs, warm=False)
    yield Figure("korona-piastow, random, 4 players, one worker", statistics.median(fast), "games/s")
    ratio = (ratio_of(fast, slow), COMPILED)
    yield Figure("korona-piastow, its plain-Python oracle", statistics.median(slow), "games/s", *ratio)
    (found,) = alternate([profile], sizes.repeats)
    name = "korona-piastow, champion, 4 players, one worker"
    yield Figure(name, statistics.median(found), "games/s")


def na_grunwald_oracle(seconds: float) -> Measure:
    """Measures games a second, chance included."""

    def play(plain: dict[str, Any], rng: random.Random) -> int:
        _, asking = na_grunwald.play(plain, 4)
        decks = Decks(plain, rng)
        _play_out(asking, decks.turn_up, rng)
        return 1

    return _measure(NA_GRUNWALD, 4, seconds, play)


def polska_oracle(seconds: float) -> Measure:
    """Measures turns a second, chance included."""

    def play(plain: dict[str, Any], rng: random.Random) -> int:
        game, asking = polska.play(plain, 4)
        _play_out(asking, lambda question: _luck(game, question, rng), rng)
        return int(game.turns)

    return _measure(POLSKA, 4, seconds, play)


def grody_oracle(seconds: float) -> Measure:
    """Measures games a second, chance included."""

    def play(plain: dict[str, Any], rng: random.Random) -> int:
        game, asking = grody.play(plain, 2)
        _play_out(asking, lambda question: _fate(game, question, rng), rng)
        return 1

    return _measure(GRODY, 2, seconds, play)


def korona_oracle(seconds: float) -> Measure:
    """Measures games a second, chance included: every label of a chance outcome is equally likely."""

    def play(plain: dict[str, Any], rng: random.Random) -> int:
        _, asking = korona_piastow.play(plain, 4)
        _play_out(asking, lambda question: rng.choice(question.labels), rng)
        return 1

    return _measure(KORONA, 4, seconds, play)


def _measure(game: Game, players: int, seconds: float, play: Callable[[dict[str, Any], random.Random], int]) -> Measure:
    """Measure games (or turns) a second of `play`, which plays one game with the oracle and returns its count."""
    plain = plan_of(game, "random", players, 1).variants[0].rules.model_dump(by_alias=True)

    def measure() -> float:
        rng = random.Random(1)
        played, started = 0, time.perf_counter()
        while time.perf_counter() - started < seconds:
            played += play(plain, rng)
        return played / (time.perf_counter() - started)

    return measure


def _play_out(asking: Any, chance: Any, rng: random.Random) -> None:
    """Answer an oracle's questions until its game is over."""
    question = next(asking)
    try:
        while True:
            answer = chance(question) if question.seat < 0 else rng.choice(question.labels)
            question = asking.send(answer)
    except StopIteration:
        pass


class Decks:
    """Shuffled decks from which the oracle of Na Grunwald! draws."""

    def __init__(self, rules: dict[str, Any], rng: random.Random) -> None:
        cards = rules["cards"]
        self._decks = {
            name: rng.sample(cards[name]["strengths"], len(cards[name]["strengths"]))
            for name in ("crown", "mercenaries", "krzyzacy")
        }
        for name in ("provisions", "ducats"):
            self._decks[name] = rng.sample(cards[name]["values"], len(cards[name]["values"]))
        events = [card["id"] for card in rules["event_deck"]["cards"] for _ in range(card["copies"])]
        self._decks["event"] = rng.sample(events, len(events))

    def turn_up(self, question: na_grunwald.Question) -> str:
        """Return the answer to a question that the decks must answer."""
        name = question.labels[0].split()[1]
        deck = self._decks[name]
        if name == "event":
            return f"reveal event {deck.pop()}"
        if name in ("provisions", "ducats"):
            values = deck.pop()
            shown = values + [0] * ((2 if name == "provisions" else 3) - len(values))
        else:
            shown = [deck.pop(), deck.pop()]
        return f"reveal {name} {' '.join(map(str, shown))}"


def _luck(game: polska.Game, question: polska.Question, rng: random.Random) -> str:
    """Return the label of a chance outcome in Polska."""
    prefix = question.labels[0]
    if prefix == "reshuffle":
        return prefix
    if prefix == "roll ":
        return prefix + " ".join(map(str, sorted(rng.randint(1, 6) for _ in range(7))))
    if prefix == "marker ":
        return prefix + rng.choice(sorted(game.aside))
    return prefix + rng.choice(list(game.pile.elements()))


def _fate(game: grody.Game, question: grody.Question, rng: random.Random) -> str:
    """Return the label of a chance outcome in Grody: cards and terrains in proportion to their numbers."""
    words = question.labels[0].split()
    if words[0] == "roll":
        return f"{question.labels[0]} {' '.join(str(rng.randint(1, 6)) for _ in range(question.dice))}"
    if words[0] == "reshuffle":
        return question.labels[0]
    deck = game.pile if words[0] == "draw" else game.terrains
    return rng.choices(question.labels, [deck[label.split()[-1]] for label in question.labels])[0]
