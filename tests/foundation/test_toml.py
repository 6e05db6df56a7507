"""Names and paths in TOML files and on the command line."""

import pytest

from balance.foundation.toml import is_path, read_toml


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("base", False),
        ("mine.toml", True),
        ("decks/mine", True),
        ("decks\\mine", True),
        ("C:\\games\\mine.toml", True),
        ("krzyzacy.bonus.4=2", False),
    ],
)
def test_what_is_a_path(name, path):
    """Either kind of slash makes a path on every system; a dot alone does not."""
    assert is_path(name) is path


def test_a_file_may_begin_with_a_mark(tmp_path):
    (tmp_path / "mine.toml").write_text('\ufeffextends = "base"\n', encoding="utf-8")
    assert read_toml(tmp_path / "mine.toml") == {"extends": "base"}
