"""A draft of a game in plain Python: a commented file, its base rules, a variant, a profile and an experiment."""

from __future__ import annotations

from pathlib import Path

from balance.contract.own_games import FILE
from balance.experiments.command import run_words
from balance.experiments.drafts import Draft, check_name, class_of, make_templates
from balance.foundation.errors import BalanceError
from balance.foundation.files import create_file, make_folder, writing
from balance.foundation.language import tr

EXPERIMENT = "experiment.toml"
_FILES = {
    FILE: "game.py.jinja",
    "variants/base.toml": "game_base.toml.jinja",
    "variants/short.toml": "game_variant.toml.jinja",
    "profiles/careful.toml": "game_profile.toml.jinja",
    EXPERIMENT: "game_experiment.toml.jinja",
}
_GAMES = 500  # in each cell of the proposed run


def write_game(name: str, folder: Path) -> Draft:
    """Write the folder of a new game into a folder; never change one that exists."""
    check_name("game", name)
    path = folder / name
    if path.exists() or path.is_symlink():
        raise BalanceError(tr("{path} exists already; choose another name", path=path))
    told = {
        "title": name.replace("-", " ").capitalize(),
        "folder": name,
        "name_of_class": class_of(name),
    }
    with writing(path):
        for place in _FILES:
            make_folder((path / place).parent)
    templates = make_templates()
    for place, template in _FILES.items():
        create_file(path / place, templates.get_template(template).render(told).encode("utf-8"))
    strategies = ["careful", "random"]
    command = run_words(f"./{name}", (2, 3, 4), ["base", "short"], strategies, _GAMES)
    return Draft(path, [*command, "--log", "rounds", "--out", str(Path("runs") / name)])
