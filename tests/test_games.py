"""Games are plug-ins: found by scanning, whole, and unknown to the rest of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import balance
from balance.games import find_games
from balance.variants import load_variant

PACKAGE = Path(balance.__file__).parent
GAMES = find_games()

CONTRACT = {
    "kernel": ["setup", "legal_actions", "apply", "evaluate", "write_result", "STATE", "WEIGHTS"],
    "rules": ["load_rules", "Rules", "list_reconstructions", "game_columns", "PATH_KEYS"],
    "packing": ["pack_rules"],
    "features": ["FEATURES"],
    "labels": ["write_label", "kind_name"],
    "observation": ["observe", "redeal_hidden"],
    "story": ["say", "summarise", "show"],
    "measures": ["SCORE_PARTS", "MEASURES", "CHOICES", "SECONDS_PER_CHOICE"],
    "questions": ["questions"],
    "report": ["write_sections"],
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_whole(name):
    """Everything that the package asks of a game is there."""
    game = GAMES[name]
    for module, names in CONTRACT.items():
        for wanted in names:
            assert hasattr(game.module(module), wanted), f"{name}: {module}.{wanted}"
    fields = ("players", "round_number", "seat", "over", "news", "news_count", "keep_rounds", "history")
    assert set(fields) <= set(game.record_types().state.names)
    assert game.record_types().weights.names == tuple(game.module("features").FEATURES)
    assert "base" in game.shipped("variants")
    assert game.shipped("profiles")


@pytest.mark.parametrize("name", GAMES)
def test_shipped_variants_load_and_survive_run_json(name):
    """A rule set written to `run.json` and read back is the same rule set."""
    game = GAMES[name]
    rules = game.module("rules").Rules
    for variant in game.shipped("variants"):
        loaded = load_variant(game, variant, Path()).rules
        assert rules.model_validate(loaded.model_dump(by_alias=True)) == loaded
        assert loaded.title and loaded.description


def test_nothing_outside_a_game_knows_it():
    """No word of a game's own in the shared modules; help texts may show a game in an example."""
    words = re.compile(r"krzyzacy|krzyżacy|ducat|mercenar|quartermaster|provision|na_grunwald", re.I)
    for path in PACKAGE.rglob("*.py"):
        if path.parent.parent.name == "games" or path.name == "cli.py":
            continue
        found = words.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found}"


def test_a_variant_works_by_path_from_any_folder(tmp_path, monkeypatch):
    """It extends shipped ones by name and others by path; its deck is relative to itself."""
    game = GAMES["na-grunwald"]
    deck = (game.folder / "decks" / "calm.toml").read_text(encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mydeck.toml").write_text(deck, encoding="utf-8")
    (tmp_path / "sub" / "parent.toml").write_text('extends = "hire-dear"\nevent_deck = "mydeck.toml"\n')
    (tmp_path / "child.toml").write_text('extends = "sub/parent.toml"\ntie_rule = "last-placed"\n')
    monkeypatch.chdir("/")
    loaded = load_variant(game, str(tmp_path / "child.toml"), Path()).rules
    assert loaded.event_deck.name == "mydeck"
    assert loaded.tie_rule == "last-placed"
    assert loaded.hire.first_pays
    assert loaded.start.ducats == 3
