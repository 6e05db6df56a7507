"""Plots of a run: they show the tables' figures, with title, units and n; an impossible plot gives one line."""

import numpy as np
import pytest
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text
from support.errors import refused
from support.runs import play

import balance
from balance.foundation.errors import BalanceError


@pytest.fixture(scope="module")
def run(traced_run):
    return balance.open_run(traced_run)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """Return a run with two keys, one of them a list by seat, and replays for luck."""
    sweep = {"start.ducats": [[3, 4], [3, 6]], "krzyzacy.bonus.2": [0, 4]}
    path = tmp_path_factory.mktemp("swept") / "run"
    keys = {"strategies": ["random", "treasurer"], "games": 60, "sweep": sweep, "luck": 60}
    return balance.open_run(play(path, players=[2], **keys))


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """Return a run with one strategy and one variant, without logged rounds."""
    return balance.open_run(play(tmp_path_factory.mktemp("bare") / "run", players=[2], games=6))


def texts(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(Text))


def dots(figure: Figure, along: str = "x") -> list[float]:
    """Return the positions of dots with intervals, in all panels."""
    drawn = [
        getattr(found.lines[0], f"get_{along}data")()
        for axis in figure.axes
        for found in axis.containers
        if isinstance(found, ErrorbarContainer)
    ]
    return sorted(np.concatenate(drawn))


def points(figure: Figure) -> list[float]:
    """Return the values of curves, in all panels; reference lines have no marks."""
    lines = [line for axis in figure.axes for line in axis.lines if line.get_marker() != "None"]
    return sorted(np.concatenate([line.get_ydata() for line in lines]))


def same(values, drawn) -> bool:
    return len(drawn) == len(values) and np.allclose(sorted(values), drawn)


def test_shares_are_those_of_the_tables(run):
    """Shares of seats, of strategies and by a column have their unit, smallest n and every label."""
    for figure, table, rows in (
        (run.plot.seats(), run.seat_shares(), ["1st seat", "4th seat"]),
        (run.plot.strategies(), run.strategy_shares(), ["generalist", "treasurer"]),
        (run.plot.win_shares("rank"), run.mean("win_share", ["rank"], share=True), ["1", "4"]),
    ):
        assert same(table["value"], dots(figure))
        shown = texts(figure)
        assert all(row in shown.split("\n") for row in rows)
        assert "win share, %" in shown
        for players, panel in table.groupby("players"):
            assert f"{players} players\nn ≥ {panel['n'].min():,} a dot" in shown
        assert {"base", "krzyzacy-hard"} <= set(shown.split("\n"))
        assert figure.get_suptitle().startswith("Win share by")


def test_bars_are_means_of_a_measure(run):
    """They have its unit; the length is next to the time on the box."""
    figure, table = run.plot.measure("minutes"), run.measures(["minutes"])
    bars = [each for each in figure.axes[0].containers if isinstance(each, BarContainer)]
    heights = [bar.get_height() for each in bars for bar in each]
    assert same(table["value"], sorted(heights))
    assert figure.axes[0].get_ylabel() == "estimated minutes, min"
    assert f"n ≥ {table['n'].min():,} a bar" in texts(figure)
    assert "wanted" in texts(figure)
    assert "wanted" not in texts(run.plot.measure("margin"))


def test_effects_are_paired_ones(run):
    """Win shares are in points, other measures in percent of the baseline; n counts pairs."""
    shares = run.compare("base", ["seat_win_share", "strategy_win_share"])
    figure = run.plot.effects("base")
    assert same(shares["effect"], dots(figure))
    assert f"pairs n ≥ {shares['n'].min():,} on at least {shares['decks'].min():,} deals a mark" in texts(figure)
    assert "points of win share" in texts(figure)
    assert "krzyzacy-hard compared with base" in texts(figure)
    others = run.compare("krzyzacy-hard", ["score", "options"])
    percent = 100 * others["effect"] / others["baseline"]
    figure = run.plot.effects("krzyzacy-hard", "base", ["score", "options"])
    assert same(percent, dots(figure))
    assert "change in % of krzyzacy-hard" in texts(figure)


def test_meetings_are_in_their_cells(run):
    """A cell has percent with half the interval below; a strategy against itself has none."""
    figure, table = run.plot.head_to_head(), run.head_to_head()
    cells = table.groupby(["players", "variant"], sort=False)
    panels = [axis for axis in figure.axes if axis.images and axis.get_title()]
    assert len(panels) == cells.ngroups
    for axis, ((players, variant), cell) in zip(panels, cells, strict=True):
        assert axis.get_title() == f"{variant}, {players} players, n ≥ {cell['n'].min():,}"
        numbers = [text.get_text() for text in axis.texts]
        expected = [f"{100 * row.value:z.0f}\n± {50 * (row.high - row.low):z.1f}" for row in cell.itertuples()]
        assert sorted(numbers) == sorted([*expected, *["50"] * cell["row_strategy"].nunique()])
    assert "meetings won, %" in texts(figure)


def test_curves_by_round(run):
    """There are the sole leader's wins in rounds that enough games reach, and the deficit that is lost."""
    figure, table = run.plot.runaway(), run.runaway()
    most = table.groupby(["players", "variant"])["n"].transform("max")
    assert same(table[table["n"] >= most / 20]["value"], points(figure))
    assert "win share of the leader, %" in texts(figure)
    assert "fair, or even" in texts(figure)
    figure, table = run.plot.lost(), run.lost()
    assert same(table["value"], points(figure))
    assert "points behind" in texts(figure)


def test_choices_of_one_variant(run):
    """It is the first unless another is named; n counts seats."""
    for variant, figure in (("base", run.plot.choices()), ("krzyzacy-hard", run.plot.choices("krzyzacy-hard"))):
        table = run.early_choices(variant).query("outcome == 'win_share'")
        assert same(table["value"], dots(figure))
        assert f"variant {variant}" in texts(figure)
        least = f"seats n ≥ {table['n'].min():,} on at least {table['decks'].min():,} deals a mark"
        assert least in texts(figure)


def test_luck_of_one_variant(swept):
    """Each source of chance has a bar, in percent of the replayed games."""
    figure = swept.plot.luck("start.ducats=[3, 6], krzyzacy.bonus.2=4")
    luck = swept.luck().query("outcome == 'wins' and variant.str.contains('6.*4')")
    bars = [bar.get_width() for bar in figure.axes[0].patches]
    assert same(luck["value"], sorted(bars))
    assert "krzyzacy.bonus.2=4" in texts(figure).replace("\n", " ")
    assert f"(n ≥ {luck['n'].min():,} a bar)" in texts(figure)


def test_a_sweep_of_two_keys_is_a_map(swept):
    """Rows and columns are the keys' values; cells show the furthest seat, one seat, or one measure."""
    seats = swept.seat_shares().merge(swept.points, on="variant")
    first = seats[seats["seat"] == 0]
    for figure, values in (
        (swept.plot.sweep(), (seats["value"] - 50).abs().groupby(seats["variant"]).max()),
        (swept.plot.sweep(seat=0), (first["value"] - 50)),
        (swept.plot.sweep("score"), swept.measures(["score"])["value"].iloc[1:]),
    ):
        image = figure.axes[0].images[0]
        assert same(values, sorted(np.ravel(image.get_array())))
        shown = texts(figure)
        assert {"[3, 4]", "[3, 6]", "0", "4", "start.ducats", "krzyzacy.bonus.2"} <= set(shown.split("\n"))
        assert "2 players, n ≥ " in shown


def test_a_sweep_of_one_key_is_curves(tmp_path):
    keys = {"players": [2], "sweep": {"event_deck": ["calm", "none"]}}
    run = balance.open_run(play(tmp_path / "run", **keys))
    figure = run.plot.sweep("score", "options")
    table = run.measures(["score", "options"]).dropna(subset=["event_deck"])
    assert len(table) == 4
    assert same(table["value"], points(figure))
    assert {"calm", "none"} <= set(texts(figure).split("\n"))
    assert "score, points\nn ≥ 40 a point" in texts(figure)
    assert figure.get_suptitle() == "Response to event_deck, 2 players"
    effects = run.plot.effects("base", "event_deck=calm", ["score"])
    assert "2 players, pairs n ≥ 40 on at least 20 deals a mark" in texts(effects)
    shares = run.seat_shares().query("variant != 'base' and seat == 1")
    assert same(shares["value"], points(run.plot.sweep(seat=1)))


def test_sections_have_their_figures(run):
    """They equal those of the page, with the game's own."""
    assert list(run.plot.section("scores")) == ["scores", "course", "course-2"]
    assert all(isinstance(figure, Figure) for figure in run.plot.section("helpers").values())


def test_a_figure_shows_and_saves_itself(run, tmp_path):
    """It is saved as shown; a notebook reads its text to blind users."""
    figure = run.plot.seats()
    before = figure._repr_html_()
    assert figure.alt
    assert f'alt="{figure.alt}"' in before
    figure.axes[0].set_title("Mine")
    assert figure._repr_html_() != before
    figure.savefig(tmp_path / "seats.png")
    figure.savefig(tmp_path / "seats.svg")
    assert (tmp_path / "seats.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "seats.svg").read_bytes()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda plot: plot.strategies(), "one strategy"),
        (lambda plot: plot.head_to_head(), "one strategy"),
        (lambda plot: plot.runaway(), "log level rounds"),
        (lambda plot: plot.lost(), "log level rounds"),
        (lambda plot: plot.choices(), "log level rounds"),
        (lambda plot: plot.luck(), "play with `luck`"),
        (lambda plot: plot.sweep(), "no sweep"),
        (lambda plot: plot.sweep("score"), "no sweep"),
        (lambda plot: plot.effects("base"), "nothing to compare"),
        (lambda plot: plot.effects("bse"), "did you mean 'base'"),
        (lambda plot: plot.effects("base", measures=["seat_win_share"]), "in points"),
        (lambda plot: plot.measure("comeback"), 'needs log = "rounds"'),
        (lambda plot: plot.measure("seat_win_share"), "split by seat"),
        (lambda plot: plot.win_shares("colour"), "colour"),
        (lambda plot: plot.section("sweep"), "nothing to show"),
        (lambda plot: plot.section("scors"), "did you mean 'scores'"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(bare, draw, words):
    with refused(words):
        draw(bare.plot)


def test_an_unknown_or_missing_choice_is_refused(run, swept):
    """An unknown variant, seat or measure is refused, and so is one of several without a name."""
    with pytest.raises(BalanceError, match="unknown variant 'hard'"):
        run.plot.effects("base", "hard")
    with pytest.raises(BalanceError, match="unknown variant 'hard'"):
        run.plot.choices("hard")
    with pytest.raises(BalanceError, match="name a variant"):
        swept.plot.effects("base")
    with pytest.raises(BalanceError, match="no seat 2"):
        swept.plot.sweep(seat=2)
    with pytest.raises(BalanceError, match="takes one measure, not 2"):
        swept.plot.sweep("score", "margin")
