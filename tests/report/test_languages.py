"""Pages in other languages: no text of a report or a replay is left in English, and data stay the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.pseudo import PseudoLanguage, names_of, texts_of, unmarked
from support.runs import play

from balance.foundation.language import using
from balance.report import write_report
from balance.report.replay.opening import open_replay
from balance.report.replay.page import write_replay
from balance.runs.folder import RunFolder

RUNS = {
    "na-grunwald": ([2, 3], ["base", "krzyzacy-hard"]),
    "polska": ([2, 4], ["base", "five-dice"]),
    "grody": ([2], ["base", "one-warrior-each"]),
    "korona-piastow": ([2, 4], ["base", "no-levy"]),
}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(game, marks=[pytest.mark.slow] if game != "na-grunwald" else []) for game in RUNS
    ],
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Return a run of each game with tiers, targets, a trace and luck, so that a page has all its sections."""
    players, variants = RUNS[request.param]
    path = play(
        tmp_path_factory.mktemp("languages") / "run",
        game=request.param,
        players=players,
        variants=variants,
        strategies=[],
        tiers=[
            {"name": "strong", "strategies": ["champion", "random"], "games": 24, "luck": 4},
            {"name": "weak", "strategies": ["random"], "games": 24},
        ],
        games=None,
        log="trace",
        targets=[{"measure": "rounds", "min": 1, "max": 1000}],
    )
    return RunFolder.open_finished(path)


def report_of(run: RunFolder, language: object, out: Path) -> Path:
    """Write the report in a language, and return its folder."""
    with using(language):
        write_report([run], out)
    return out


def test_every_text_of_a_report_is_a_message(run, tmp_path):
    page = report_of(run, PseudoLanguage(), tmp_path) / "index.html"
    assert unmarked(texts_of(page.read_text("utf-8")), names_of(run)) == []


def test_every_text_of_a_replay_is_a_message(run, tmp_path):
    with using(PseudoLanguage()):
        (tmp_path / "scratch").mkdir()
        replay = open_replay(run.path, 0, tmp_path / "scratch")
        page = write_replay(replay, tmp_path / "game.html").read_text("utf-8")
    assert unmarked(texts_of(page), names_of(run)) == []


def test_tables_and_columns_are_the_same_in_polish(run, tmp_path):
    english, polish = (report_of(run, code, tmp_path / code) for code in ("en", "pl"))
    names = sorted(path.name for path in (english / "tables").iterdir())
    assert names == sorted(path.name for path in (polish / "tables").iterdir())
    for name in names:
        assert (polish / "tables" / name).read_bytes() == (english / "tables" / name).read_bytes(), name


def numbers_in(text: str) -> list[str]:
    """Return all numbers of a text in order, written with a decimal point and without separators."""
    text = re.sub(r"(?<=\d)\xa0(?=\d{3})", "", text)
    return sorted(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d)", ".", text)))


def test_a_polish_report_has_the_numbers_of_the_english_one(run, tmp_path):
    """Each headline and table cell has the same numbers, whatever the order of its words."""
    pages = {}
    for code in ("en", "pl"):
        text = (report_of(run, code, tmp_path / code) / "report.md").read_text("utf-8")
        text = re.sub(r"(?<=\d),(?=\d{3})", "", text) if code == "en" else text
        pages[code] = [numbers_in(line) for line in text.splitlines() if line.startswith("|")]
    assert pages["en"] == pages["pl"]


def test_a_page_names_its_language(run, tmp_path):
    assert '<html lang="pl">' in (report_of(run, "pl", tmp_path) / "index.html").read_text("utf-8")
