"""Games are plug-ins: found by scanning, complete, and unknown to the rest of the package."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import balance
from balance.contract import game as game_module
from balance.contract.game import Game, find_games
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

PACKAGE = Path(balance.__file__).parent
GAMES = find_games()


def broken(**changes: object) -> Game:
    """Return Na Grunwald! with some parts replaced by modules that lack names or have too many."""
    game = dataclasses.replace(GAMES["na-grunwald"], name="broken")
    for part, module in changes.items():
        game.__dict__[part] = module
    return game


def altered(part: object, **values: object) -> SimpleNamespace:
    """Return a part with other values."""
    return SimpleNamespace(**{**{n: getattr(part, n) for n in dir(part) if n[0] != "_"}, **values})


def without(part: object, *names: str) -> SimpleNamespace:
    """Return a part without some names."""
    kept = altered(part)
    for name in names:
        delattr(kept, name)
    return kept


KERNEL, HEURISTICS = GAMES["na-grunwald"].kernel, GAMES["na-grunwald"].heuristics


def with_columns(**fields: list) -> SimpleNamespace:
    """Return the kernel with other columns in one table."""
    return altered(KERNEL, COLUMNS=KERNEL.COLUMNS._replace(**fields))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kernel": altered(KERNEL, STATE=np.dtype([("seat", "i4")]))}, "STATE lacks players"),
        ({"kernel": altered(KERNEL, LOG=np.dtype([("starved", "i4")]))}, "LOG lacks keep_rounds"),
        ({"kernel": altered(KERNEL, MOST_ACTIONS=0)}, "MOST_ACTIONS must be at least 1, got 0"),
        ({"kernel": with_columns(game=[("margin", "f4", "Lead.")])}, "margin, which every game"),
        ({"kernel": with_columns(round=[("mood", "i1")])}, "COLUMNS.round: mood needs a meaning"),
        ({"kernel": with_columns(round=[], seat=[("luck", "f4", "Luck.")])}, "lacks crown_strength"),
        ({"kernel": altered(KERNEL, CHANCE=("dice", "dice"))}, "CHANCE has dice twice"),
        ({"kernel": altered(KERNEL, CHANCE=("bots",))}, "CHANCE has bots, which every game has"),
        ({"kernel": altered(KERNEL, CHANCE=("dice",))}, "STATE lacks chance (('<u8', (1,)))"),
        ({"heuristics": altered(HEURISTICS, SCRATCH=KERNEL.SCRATCH)}, "SCRATCH has order twice"),
        ({"heuristics": altered(HEURISTICS, FEATURES={})}, "FEATURES is empty"),
        ({"heuristics": without(HEURISTICS, "best_action")}, "define all or none; best_action is missing"),
    ],
)
def test_a_game_that_breaks_the_contract_is_named_with_its_fault(changes, words):
    """The fault is named before a game is played, when its records are first needed."""
    with pytest.raises(BalanceError, match=f"game broken: .*{re.escape(words)}"):
        _ = broken(**changes).records


def test_too_many_seats_are_refused():
    """The records of a run have room for ten."""
    game = dataclasses.replace(GAMES["polska"], name="crowd", players=(2, 11))
    with pytest.raises(BalanceError, match=r"game crowd: players must be 1 to 10, got \(2, 11\)"):
        _ = game.records


def test_what_a_part_lacks_is_named(tmp_path, monkeypatch):
    """A missing part is named, and a part without a name of the contract."""
    package = tmp_path / "halfgame"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text("ROWS = {}\n")
    monkeypatch.syspath_prepend(tmp_path)
    game = Game("half", "Half", (2,), "halfgame", "")
    with pytest.raises(BalanceError, match=r"game half: there is no halfgame\.kernel"):
        _ = game.kernel
    with pytest.raises(BalanceError, match=r"halfgame\.rules lacks Rules"):
        _ = game.rules


def test_games_from_elsewhere_that_cannot_be_played(tmp_path, monkeypatch, cli):
    """Their fault is named; the games that ship still play and keep their names."""
    info = tmp_path / "strange-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: strange\nVersion: 1\n")
    lines = ["[balance.games]", "broken = strange_broken:GAME", "number = strange_number:GAME"]
    lines += ["polska = strange_clash:GAME"]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "strange_broken.py").write_text("raise OSError('no disk')\n")
    (tmp_path / "strange_number.py").write_text("GAME = 7\n")
    clash = "from balance.contract.game import Game\nGAME = Game('polska', 'Mine', (2,), __name__, '')\n"
    (tmp_path / "strange_clash.py").write_text(clash)
    monkeypatch.syspath_prepend(tmp_path)
    game_module.find_installed.cache_clear()
    try:
        listed = cli("games", status=0)
        assert "broken can't be played: OSError: no disk" in listed.stderr
        assert "number can't be played: strange_number:GAME is a int, not a Game" in listed.stderr
        assert "the name 'polska' is taken" in listed.stderr
        assert "Polska. Gra z historią" in listed.stdout
        with pytest.raises(BalanceError, match="game broken: OSError: no disk"):
            game_module.get_game("broken")
    finally:
        game_module.find_installed.cache_clear()


def test_listing_games_compiles_nothing():
    """`balance games` stays fast: it imports neither Numba nor pandas."""
    code = "import sys; from balance.contract.game import find_games; find_games(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numba", "pandas", "pyarrow", "duckdb", "matplotlib"} & set(done.stdout.split())


def test_nothing_outside_a_game_knows_it():
    """Shared modules contain no word of one game; help texts may use a game as an example."""
    words = re.compile(r"krzyzacy|krzyżacy|ducat|mercenar|quartermaster|provision|na_grunwald", re.I)
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in ("games", "cli"):
            continue
        found = words.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found}"


def test_a_variant_works_by_path_from_any_folder(tmp_path, monkeypatch):
    """It extends shipped variants by name and others by path; its deck is relative to the variant."""
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
