"""A game in plain Python for tests: the draft of `balance new game`, with lines of its code replaced."""

from pathlib import Path

from balance.experiments.game_draft import write_game


def write(folder: Path, *changes: tuple[str, str], name: str = "duel") -> Path:
    """Write the draft of a game and return its folder; each change replaces one text of `game.py` by another."""
    path = write_game(name, folder).path
    text = (path / "game.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (path / "game.py").write_text(text, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> str:
    """Return the place of the first line of `game.py` with a text, as in an error."""
    lines = (path / "game.py").read_text(encoding="utf-8").splitlines()
    return f"{path / 'game.py'}:{next(n for n, line in enumerate(lines, 1) if text in line)}"
