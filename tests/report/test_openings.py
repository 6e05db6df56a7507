"""First moves in words."""

import pytest

from balance.report.sections.openings import without_player


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("It: mark 8", "mark 8"),
        ("It places infantry", "places infantry"),
        ("It kładzie piechotę", "kładzie piechotę"),
        ("Item 3 is bought", "Item 3 is bought"),
        ("marks 8", "marks 8"),
    ],
)
def test_a_first_move_is_written_without_its_player(sentence, words):
    """In the sentences of every game; those of plain games have a colon."""
    assert without_player(sentence) == words
