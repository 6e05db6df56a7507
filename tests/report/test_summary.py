"""The summary for a publisher: half a page, no strategy's name, and the same facts as the page."""

import pytest
from support.runs import play

from balance.experiments.profiles import CHAMPION

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def summary(cli, tmp_path_factory):
    """Return the summary of a small run with two variants, as Markdown and HTML."""
    folder = tmp_path_factory.mktemp("summary")
    strategies = ["helpers-first", "treasurer", "quartermaster"]
    play(
        folder / "run", players=[4], variants=["base", "krzyzacy-hard"], strategies=strategies, games=600, log="rounds"
    )
    cli("report", folder / "run", "--out", folder / "out", "--summary", "--quiet", status=0)
    return [(folder / "out" / name).read_text(encoding="utf-8") for name in ("summary.md", "summary.html", "report.md")]


def test_a_summary_names_no_strategy(summary):
    """Its readers do not know them; it has half a page."""
    for text in summary[:2]:
        assert not [name for name in ("helpers-first", "treasurer", "quartermaster", CHAMPION) if name in text]
    assert len(summary[0].split()) < 400


def test_a_summary_says_what_was_tried_found_and_reconstructed(summary):
    """Variants with their descriptions, the problem that leads the page with interval and n, and guesses about data."""
    text, html, page = summary
    for title in ("What was tried", "What is fair", "What is not", "How sure this is", "Reconstructed data"):
        assert f"## {title}" in text and f"<h2>{title}</h2>" in html
    assert "Programs played 1,200 games of Na Grunwald! with 4 players." in text
    assert "krzyzacy-hard: The Krzyżacy bonus is 50 % larger" in text
    (problem,) = [line for line in text.splitlines() if "rovisions run out in" in line]
    assert problem.partition(" % of games")[0].rpartition(" ")[2] in page
    assert "n = 600" in problem
    assert "score" in text and "→" in text
