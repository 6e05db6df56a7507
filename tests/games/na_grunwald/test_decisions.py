"""Decisions and labels: DEC, and a test for every rule of the page."""

import re
from pathlib import Path

import numpy as np
from scipy import stats
from support.na_grunwald import GAME, Scene, event_deck, war
from support.runs import play, read_rows

from balance.engine.stepper import Stepper, walk
from balance.experiments.variants import load_variant

ROOT = Path(__file__).resolve().parents[3]


def test_single_options_are_logged_without_being_asked():
    """DEC-1: they are logged, not asked; `hire` and `buy` are not logged for players who cannot pay."""
    rules = load_variant(GAME, "base", Path()).rules
    asked: list[int] = []
    steps = list(walk(Stepper.deal(GAME, rules, 4, 5), lambda _, options: asked.append(len(options)) or 0))
    assert min(asked) >= 2
    assert any(len(step.options) == 1 for step in steps)
    broke = event_deck(effect="buy", price=50, bundle={"ducats": 1})
    scene = Scene(2, {"event_deck": broke}).to_round(3)
    assert not any("buy" in said for said in scene.said)


def test_random_is_uniform_over_labels(tmp_path):
    """DEC-2: over labels, not over fields."""
    run = play(tmp_path / "run", players=[2], games=6000, log="trace", trace=6000)
    trace = read_rows(run, "trace")
    first = trace[trace["kind"] == "place"].groupby("game_id").head(1)
    counts = first["label"].value_counts()
    assert len(counts) == first["options"].iloc[0]
    assert stats.chisquare(counts).pvalue > 1e-4


def test_asked_order():
    """DEC-3: clockwise from the starting player; starving begins with the starter of a ninth round."""
    scene = Scene(3, war()).to_round(2)
    assert scene.seat == 1
    scene.take(*["place krzyzacy officer"] * 3).pass_all()
    seats = []
    while scene.asked("fight"):
        seats.append(scene.seat)
        scene.take("fight peasant")
    assert seats == [1, 2, 0]


def test_labels_are_those_of_the_rule_page():
    """Section 7: the vocabulary, word for word."""
    place = r"place (krzyzacy|crown|ducats|helpers) (officer|helpers [1-9])"
    staked = r"place (provisions|mercenaries) (officer|helpers [1-9]) \d+"
    knight = r"(crown|mercenary) [1-9]"
    grammar = {
        "place": f"pass|{place}|{staked}",
        "fight": f"fight (peasant|{knight})",
        "plunder": f"give (provision|hand {knight}|camp {knight}|captive [1-9])",
        "hire": "hire (yes|no)",
        "buy": "buy (yes|no)",
        "bid": r"bid (pass|\d+)",
        "send": f"send (none|{knight})",
        "enter": f"enter (none|{knight})",
        "starve": f"starve {knight}",
        "chance": r"reveal (event [a-z0-9_]+|(crown|mercenaries|krzyzacy|provisions) \d+ \d+"
        r"|ducats \d+ \d+ \d+)",
        "outcome": r"(award|offer|empty|skirmish|captive|settled|auction|contest)( -?\w+)+",
    }
    rng = np.random.default_rng(3)
    seen = set()
    rules = load_variant(GAME, "base", Path()).rules
    for seed in range(80):
        stepper = Stepper.deal(GAME, rules, 2 + seed % 3, seed)
        for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
            seen.add(step.kind)
            for label in step.options or [step.label]:
                assert re.fullmatch(grammar[step.kind], label), label
    assert seen == set(grammar)


def test_every_rule_has_a_test_that_names_it():
    """Each number of the rule pages is in a test of this game."""
    pages = [ROOT / "docs" / "rules" / f"na-grunwald{part}.md" for part in ("", "-events")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    numbers = set(re.findall(r"\b(?:SET|RND|PLC|RES|KRZ|CRN|PRV|DUC|MRC|HLP|END|DEC)-\d+", text))
    effects = set(re.findall(r"\| (EVT-[a-z]+) \|", text))
    assert len(numbers) >= 40
    assert len(effects) == 13
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = set(re.findall(r"[A-Z]{3}-(?:\d+|[a-z]+)", tests))
    for low, high in re.findall(r"([A-Z]{3}-\d+) to [A-Z]{3}-(\d+)", tests):
        stem, first = low.split("-")
        named |= {f"{stem}-{n}" for n in range(int(first), int(high) + 1)}
    assert numbers | effects <= named, sorted((numbers | effects) - named)
