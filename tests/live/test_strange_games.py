"""Games that other people might write: the live page shows each, without a hole, and says what went wrong."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.own_game import STRANGE, write_strange

from balance.contract.game import get_game
from balance.foundation.progress import SILENCE
from balance.live.arms import ArmStore, Settings
from balance.live.draft import Draft
from balance.live.shown import ask_variants, render, show

NAMES = list(STRANGE)
SHORTENED = NAMES[NAMES.index("longer") : NAMES.index("endless") + 1]


def shown(folder, name):
    """Return what the page shows of 48 games of a strange game and of one that is a turn shorter, and its HTML."""
    game = get_game(str(write_strange(folder, name)))
    draft = Draft(game, "base")
    plan = Settings(game, "base", [game.players[0]], ["random"], 1, Path()).plan(draft.start)
    plan = replace(plan, experiment=plan.experiment.model_copy(update={"decision_limit": 60}))
    draft.change("turns", 1 if name == "one round" else 2)
    found = show(ask_variants(ArmStore(plan, 1, (48,)), draft.start, draft.variant, 0, SILENCE), 48)
    return found, render("results.html.jinja", shown=found, part="details")


@pytest.mark.parametrize("name", SHORTENED)
def test_every_game_has_a_page_without_a_hole(name, tmp_path, few_games):
    """Scores by round are shown where there are scores and rounds."""
    found, html = shown(tmp_path, name)
    assert not {"nan", "None", "inf"}.intersection(html.replace(">", " ").replace("<", " ").split())
    assert found.figures or name == "endless"
    assert not found.curves and "Score by round" not in html


def test_games_without_end_are_said_first(tmp_path, few_games):
    """Not even one ended, so there is no figure; the page says why."""
    found, html = shown(tmp_path, "endless")
    assert "48 of 48 games were broken off after 60 decisions" in found.notes[0]
    assert html.lstrip().startswith('<p class="warning">') and not found.figures


def test_a_page_says_that_all_games_are_tied(tmp_path, few_games):
    assert "every game ends in a draw" in shown(tmp_path, "tied")[0].notes[0]
