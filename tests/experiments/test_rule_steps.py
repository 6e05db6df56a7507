"""Single steps of the rules: each changes one key, by the least that makes sense, and can be played."""

import pytest

from balance.contract.game import find_games, get_game
from balance.experiments.planning import pack_for
from balance.experiments.rule_steps import DOWN, OTHER, UP, list_steps
from balance.experiments.variants import load_variant
from balance.foundation import toml
from balance.foundation.errors import BalanceError

NA_GRUNWALD = get_game("na-grunwald")


def flat(rules) -> dict[str, object]:
    """Return the values of a rule set by dotted key; a list is one value."""
    found: dict[str, object] = {}

    def walk(table, prefix):
        for key, value in table.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{key}.")
            else:
                found[f"{prefix}{key}"] = value

    walk(rules.model_dump(by_alias=True), "")
    return found


def steps(*patterns: str, players=(2, 3, 4)) -> list[tuple[str, str, int]]:
    """Return name, change and direction of the steps of Na Grunwald!."""
    found = list_steps(NA_GRUNWALD, "base", players, patterns)
    return [(step.variant.name, step.change, step.direction) for step in found]


def test_numbers_words_lists_and_tables_take_a_step():
    """9 rounds need more cards than there are, so only 7 is left; ranks lose the last one or gain the next."""
    assert steps("rounds") == [("rounds=7", "8 → 7", DOWN)]
    assert steps("start.ducats") == [("start.ducats=2", "3 → 2", DOWN), ("start.ducats=4", "3 → 4", UP)]
    assert steps("krzyzacy.bonus")[0] == ("krzyzacy.bonus -1", "2, 4, 6 → 1, 3, 5", DOWN)
    assert steps("hire.first_pays") == [("hire.first_pays=true", "false → true", OTHER)]
    assert steps("titles.quartermaster") == [("titles.quartermaster=off", "count → off", OTHER)]
    assert steps("awards.crown", players=[4]) == [
        ("awards.crown -1", "[1, 2] → [1]", DOWN), ("awards.crown +1", "[1, 2] → [1, 2, 3]", UP),
    ]  # fmt: skip
    assert [change for _, change, _ in steps("cards.crown.strengths")] == ["all -1", "all +1"]
    assert ("event_deck=none", "base → none", OTHER) in steps("event_deck")
    assert {name.split("=")[0] for name, *_ in steps("start.*")} == {
        "start.ducats", "start.provisions", "start.helpers",
    }  # fmt: skip


@pytest.mark.parametrize("name", find_games())
def test_a_step_changes_its_key_alone(name):
    """All steps of every game: the rules differ in this key, and no two steps are the same rules."""
    game = get_game(name)
    counts = [min(game.players), max(game.players)]
    base = load_variant(game, "base", None).rules
    found = list_steps(game, "base", counts)
    assert len(found) > 20
    before = flat(base)
    for step in found:
        after = flat(step.variant.rules)
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        tables = (step.key, step.key.rpartition(".")[0] or step.key)
        own = {key for key in changed if key.startswith(tables)}
        assert own, step.variant.name
        assert changed - own <= {"title", "description"}, step.variant.name
    packed = [pack_for(game, step.variant, counts) for step in found]
    assert len(set(packed)) == len(packed)


def test_a_large_number_goes_by_a_tenth():
    """50 percent of losses go to 45 and 55, not to 49 and 51."""
    found = list_steps(get_game("korona-piastow"), "base", [4], ["loser_loss"])
    assert [step.after for step in found] == [45, 55]


def test_only_the_player_counts_that_play_are_named():
    """The list of Korona Piastów has a number for each player count."""
    found = list_steps(get_game("korona-piastow"), "base", [4], ["crown_fiefs"])
    assert [step.change for step in found] == ["9 → 8", "9 → 10"]


def test_a_step_starts_from_the_variant(tmp_path):
    """Also if it is a file of the user's."""
    path = tmp_path / "mine.toml"
    path.write_text('extends = "base"\n[start]\nducats = 7\n', encoding="utf-8")
    found = list_steps(NA_GRUNWALD, str(path), [2], ["start.ducats"])
    assert [(step.before, step.after) for step in found] == [(7, 6), (7, 8)]


def test_a_pattern_without_a_key_is_refused():
    with pytest.raises(BalanceError, match=r"no rule key matches 'strat\.\*'"):
        steps("strat.*")


def test_files_of_the_start_are_read_once(monkeypatch):
    """More steps read no more files: neither the variant's own nor those that it names, such as a map."""
    game, read = get_game("korona-piastow"), []
    monkeypatch.setattr(toml, "read_toml", lambda path, real=toml.read_toml: read.append(path) or real(path))
    counts = []
    for patterns in (["start.denars"], ["start.*", "units.*"]):
        read.clear()
        assert list_steps(game, "one-line-each", [4], patterns)
        counts.append(len(read))
    assert counts[0] == counts[1]
