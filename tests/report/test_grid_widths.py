"""The verdict grid of every game at every width: nothing is cut, broken or hidden behind its cell."""

import re

import pytest
from support.browser import needs_browser
from support.runs import play, report_text

from balance.foundation.catalogues import languages, using

pytestmark = pytest.mark.usefixtures("undrawn")

VARIANTS = {
    "na-grunwald": ["base", "krzyzacy-soft", "krzyzacy-hard"],
    "polska": ["base", "five-dice", "flat-markers"],
    "grody": ["base", "one-warrior-each", "three-for-second"],
    "korona-piastow": ["base", "no-levy", "two-of-a-kind"],
}
COUNTS = {"na-grunwald": [2, 3, 4], "polska": [2, 3, 4, 5, 6], "grody": [2], "korona-piastow": [2, 3, 4, 5, 6]}
QUICK = (("polska", "pl"), ("grody", "en"))
LOOK = """
  const parts = [...document.querySelectorAll('.grid th, .grid td, .grid td a, .grid td b, .grid td i, .grid td span')];
  const seen = parts.filter(each => each.checkVisibility());
  found.seen = seen.length;
  const isCut = (each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1;
  found.cut = seen.filter(isCut).map(each => each.textContent);
  found.out = seen.filter(each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.textContent);
  found.broken = [];  // words of a cell that start a new line inside
  for (const each of seen.filter(each => !each.children.length && each.closest('td')))
    for (const { 0: word, index } of each.textContent.matchAll(/[^\\s\\-–]+/g)) {
      const range = document.createRange();
      range.setStart(each.firstChild, index); range.setEnd(each.firstChild, index + word.length);
      if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) found.broken.push(word);
    }
  const cell = [...document.querySelectorAll('.grid tbody tr')][0];
  found.seats = cell.innerText.replace(/\\s+/g, ' ');
  found.counts = [...cell.querySelectorAll('.count')].filter(each => each.checkVisibility()).length;
"""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((game, code), marks=[] if (game, code) in QUICK else [pytest.mark.long])
        for game in VARIANTS
        for code in languages()
    ],
)
def page(request, tmp_path_factory):
    """Return the number of player counts, and the report of a small run with three variants."""
    game, code = request.param
    folder = tmp_path_factory.mktemp(game)
    counts = COUNTS[game]
    strategies = ["champion", "random"]
    path = play(
        folder / "run",
        game=game,
        players=counts,
        variants=VARIANTS[game],
        strategies=strategies,
        games=12,
        log="rounds",
    )
    with using(code):
        report_text(path, folder / "out")
    return len(counts), folder / "out" / "index.html"


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [400, pytest.param(800, marks=pytest.mark.long), 1300])
def test_no_word_and_no_digit_of_the_grid_is_cut(page, tab, width):
    """Seats have their names at every width; on a narrow page each player count is a row of its own."""
    counts, path = page
    found = tab.look(path, LOOK, width)
    assert found["seen"] > 20
    assert found["cut"] == found["out"] == found["broken"] == []
    assert re.search(r"[1-6](st|nd|rd|th|\.) ", found["seats"])
    are_rows = width < 1100 or 3 * counts > 12  # three variants
    assert found["counts"] == (counts if are_rows else 0)
