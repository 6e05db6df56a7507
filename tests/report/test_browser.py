"""The page of a report as a browser shows it."""

import pytest
from support.browser import LOOK, needs_browser

from balance.report.page import FEW, LONG

pytestmark = needs_browser


@pytest.mark.parametrize("script", ["console.warn('x')", "throw Error('x')"])
def test_what_stands_in_the_console_is_found(tab, tmp_path, script):
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body><script>{script}</script></body>")
    with pytest.raises(AssertionError, match="x"):
        tab.look(tmp_path / "page.html", LOOK, 400)


@pytest.mark.parametrize("width", [400, 1200])
def test_a_browser_shows_the_page(report, tab, width):
    """It has no horizontal scroll, no console message, and all pictures are decoded."""
    found = tab.look(report / "index.html", LOOK, width)
    assert found["width"] == width
    assert found["wide"] <= 0
    assert found["broken"] == 0


@pytest.mark.parametrize("width", [400, 1300])
def test_the_first_screen_is_one_screen(report, tab, width):
    """Answer and grid fit the window without scrolling, and no word is cut if there is room."""
    script = """
      const low = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
      found.answer = low('h1'); found.grid = low('table.grid'); found.height = innerHeight;
      const cells = [...document.querySelectorAll('.grid tbody td b')];
      found.cut = cells.filter(each => each.scrollWidth > each.clientWidth + 1).length;
      found.words = document.body.innerText.split(/\\s+/).length;
    """
    found = tab.look(report / "index.html", script, width)
    assert found["answer"] < found["grid"] <= found["height"] == 900
    assert found["cut"] == 0
    assert found["words"] < 4_500


def test_the_switch_shows_one_variant_beside_the_first(report, tab):
    """The address stores it, all sections change at once, and a cell of the grid changes it too."""
    script = """
      const shown = (name) => document.querySelectorAll(`[data-of="${name}"]:not(.other)`).length;
      const pick = (name) => document.querySelector(`.switch input[value="${name}"]`).click();
      pick('base'); found.base = [shown('base'), shown('krzyzacy-hard'), location.hash];
      pick('krzyzacy-hard'); found.hard = [shown('base'), shown('krzyzacy-hard'), location.hash];
      location.hash = '#base';
      dispatchEvent(new HashChangeEvent('hashchange')); found.hash = shown('krzyzacy-hard');
      document.querySelector('.grid a[data-pick="krzyzacy-hard"]').click(); found.cell = shown('krzyzacy-hard');
    """
    found = tab.look(report / "index.html", script, 1200)
    beside, none, address = found["base"]
    assert (none, address) == (0, "#base")
    assert beside > 40
    assert found["hard"][0] == beside
    assert found["hard"][1] > 40
    assert found["hard"][2] == "#krzyzacy-hard"
    assert found["hash"] == 0
    assert found["cell"] == found["hard"][1]


def test_links_work_and_tables_sort(report, tab):
    """Every link of the contents scrolls to its heading; every column of every table sorts both ways."""
    script = """
      found.links = found.missing = found.unmoved = 0;
      document.querySelectorAll('.all').forEach(each => each.click());
      for (const link of document.querySelectorAll('a[href^="#"]')) {
        const target = document.getElementById(link.getAttribute('href').slice(1));
        found.links += 1;
        if (!target) { found.missing += 1; continue; }
        document.documentElement.style.scrollBehavior = 'auto';
        link.click();
        const top = target.getBoundingClientRect().top;
        if (top < -2 || top > innerHeight) found.unmoved += 1;
      }
      const number = (text) => parseFloat(text.replace(/^(<|p =)\\s*/, '').replace(/,/g, ''));
      found.columns = found.unsorted = 0;
      for (const table of document.querySelectorAll('table.sortable'))
        [...table.tHead.rows[0].cells].forEach((head, column) => {
          const rows = () => [...table.tBodies[0].rows];
          const keys = () => rows().map(row => number(row.cells[column].textContent));
          const before = rows().length;
          for (const sign of [1, -1]) {
            head.firstElementChild.click();
            const now = keys();
            found.columns += 1;
            if (rows().length !== before) found.unsorted += 1;
            if (now.every(key => !Number.isNaN(key)) && now.some((key, i) => i && sign * (key - now[i - 1]) < 0))
              found.unsorted += 1;
          }
        });
    """
    found = tab.look(report / "index.html", script, 1200)
    assert found["links"] > 25
    assert found["missing"] == found["unmoved"] == 0
    assert found["columns"] > 60
    assert found["unsorted"] == 0


def test_a_long_table_shows_a_few_rows_first(report, tab):
    """The most important rows come first, all on demand; a search finds any; the page contains the CSV."""
    script = """
      const box = document.querySelector('[data-file="strategies.csv"]').closest('.table');
      box.closest('details').open = true;
      const rows = () => [...box.querySelectorAll('tbody tr')].filter(row => row.offsetHeight);
      const all = box.querySelector('.all'), input = box.querySelector('input');
      found.total = box.querySelectorAll('tbody tr').length;
      found.few = rows().map(row => +row.dataset.rank); found.offer = all.textContent;
      all.click(); found.all = rows().length;
      all.click(); found.again = rows().length;
      input.value = 'treasurer'; input.dispatchEvent(new Event('input'));
      found.hits = rows().map(row => row.cells[2].textContent);
      const button = box.querySelector('.csv');
      found.csv = await (await unzip(button.dataset.zip)).text();
    """
    found = tab.look(report / "index.html", script, 1200)
    assert sorted(found["few"]) == list(range(FEW))
    assert found["few"] != list(range(FEW))  # they stand as in the whole table
    assert found["offer"] == f"all {found['total']} rows"
    assert found["all"] == found["total"] > LONG
    assert found["again"] == FEW
    assert found["hits"] == ["treasurer"] * (3 * 2)
    assert found["csv"] == (report / "tables" / "strategies.csv").read_bytes().decode()


def test_the_printed_page_is_short(report, tab):
    """It has six sheets: the first rows of each table, figures in two columns; what is folded is not printed."""
    assert 3 <= tab.count_sheets(report / "index.html") <= 6


def test_tables_under_a_figure_are_folded(report, tab):
    """Tables next to shaded ones are folded too; a wide one shows that it continues to the right."""
    script = """
      const folds = [...document.querySelectorAll('.folded')].filter(each => each.querySelector('.table'));
      found.folds = folds.length;
      found.seen = folds.filter(fold => fold.querySelector('.table').checkVisibility()).length;
      found.alone = folds.filter(fold => !fold.closest('section').querySelector('figure, td[style]')).length;
      const fold = document.querySelector('[data-file="seats.csv"]').closest('details');
      fold.querySelector('summary').click();
      await new Promise(done => setTimeout(done, 50));
      found.opened = fold.querySelector('.table').checkVisibility();
      found.hint = [...fold.querySelectorAll('.hint')].some(each => !each.hidden);
    """
    found = tab.look(report / "index.html", script, 400)
    assert found["folds"] > 5
    assert found["seen"] == found["alone"] == 0
    assert found["opened"]
    assert found["hint"]
