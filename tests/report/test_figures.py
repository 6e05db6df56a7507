"""Drawings on a page: themed, on one scale, with their reference lines."""

import re

import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from balance.report.figures import bars, curves
from balance.report.figures.sheet import finish
from balance.report.figures.theme import INK, PALETTE, PAPER, lightened, shades, themed
from balance.report.sections.sweep import write_no_effect

LONG = "Win share by seat in every tier of a run that has a name as long as this one, variant krzyzacy-hard."


def shares(**columns) -> pd.DataFrame:
    """Return two seats of two variants with 2 players, and 3 seats of one variant with 3."""
    rows = [(2, "base", 0, 60.0), (2, "base", 1, 40.0), (2, "hard", 0, 55.0), (2, "hard", 1, 45.0)]
    rows += [(3, "base", 0, 10.0), (3, "base", 1, 20.0), (3, "base", 2, 70.0)]
    frame = pd.DataFrame(rows, columns=["players", "variant", "seat", "value"])
    ends = {"low": frame["value"] - 1, "high": frame["value"] + 1}
    return frame.assign(**ends, fair=100 / frame["players"], limit=1.0, n=500, **columns)


@pytest.fixture
def drawings(monkeypatch) -> list:
    """Return the drawings before they are files."""
    made = []

    def keep(drawing, *args):
        made.append(drawing)
        return finish(drawing, *args)

    for module in (bars, curves):
        monkeypatch.setattr(module, "finish", keep)
    return made


def test_a_page_has_no_paper_of_its_own():
    """There is no white and no title (the page has it); every colour is a variable set for both schemes."""
    figure = bars.draw_intervals("seats", LONG, shares(), "seat")
    text = themed(figure)
    assert "fill: #ffffff" in figure.svg.decode()
    assert "#ffffff" not in re.sub(r"<style.*?</style>", "", text)
    assert "Win share by seat in every" in figure.svg.decode()
    assert "Win share by seat in every" not in text
    used = set(re.findall(r"var\(--([0-9a-f]{6})\)", text))
    assert {INK[1:], PALETTE[0][1:].lower()} <= used
    light, dark = text.split("@media (prefers-color-scheme:dark)")
    for colour in used:
        assert f"--{colour}:#{colour}" in light
        assert f"--{colour}:{lightened('#' + colour)}" in dark


def test_a_page_has_a_drawing_in_few_letters():
    """A drawing has less than half of the letters; labels keep their digits, and every class is used."""
    data = shares().replace("base", "12.345 of 0.125")
    figure = bars.draw_intervals("seats", "Seats.", data, "seat")
    text = themed(figure)
    assert 2 * len(text) < len(figure.svg)
    assert "12.345 of 0.125" in text
    classes = set(re.findall(r"class='([^']*)'", text))
    assert classes
    assert all(f".{name}{{" in text for name in classes)


def test_one_panel_has_room_for_its_legend_and_marks(drawings):
    """Long labels are wrapped; marks at 0 and 100 % are not cut off."""
    data = shares().query("players == 2").replace({60.0: 100.0, 61.0: 100.0, 40.0: 0.0, 39.0: 0.0})
    bars.draw_intervals("seats", "Seats.", data.replace("hard", "a variant with a name of forty letters"), "seat")
    (drawing,) = drawings
    drawing.canvas.draw()
    box = drawing.legends[0].get_window_extent()
    assert box.x0 >= 0 and box.x1 <= drawing.bbox.width and box.y0 >= 0
    assert box.y1 < drawing.axes[0].get_tightbbox().y0
    assert not any(line.get_clip_on() for line in drawing.axes[0].lines if line.get_marker() not in ("", "None"))


def test_panels_of_other_sides_have_their_own_names(drawings):
    """One axis would name the teams of three players after those of four."""
    names = {(2, 0): "giant", (2, 1): "twins", (3, 0): "north", (3, 1): "south"}
    data = shares().query("seat < 2 and variant == 'base'")
    data = data.assign(team=[names[key] for key in zip(data["players"], data["seat"], strict=True)])
    bars.draw_intervals("teams", "Teams.", data, "team")
    (drawing,) = drawings
    shown = [[label.get_text() for label in axis.get_yticklabels()] for axis in drawing.axes]
    assert shown == [["twins", "giant"], ["south", "north"]]


@pytest.mark.parametrize("colour", [*PALETTE, *shades(range(6)).values()])
def test_colours_are_seen_in_the_dark(colour):
    """Their contrast to the background is 3 or more."""

    def luminance(name: str) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(name)]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    assert (luminance(lightened(colour)) + 0.05) / (luminance(PAPER) + 0.05) >= 2.95


def test_a_title_is_not_cut(drawings):
    """A title of any length stays within the drawing and above the panels."""
    bars.draw_intervals("seats", LONG, shares(), "seat")
    (drawing,) = drawings
    title = drawing._suptitle.get_window_extent()
    assert title.x0 >= 0
    assert title.x1 <= drawing.bbox.width
    assert title.y1 <= drawing.bbox.height
    assert title.y0 >= max(axis.get_tightbbox().y1 for axis in drawing.axes) - 1


def test_panels_and_figures_that_are_compared_have_one_scale(drawings):
    """Player counts in one figure and variants in two figures share a scale."""
    both = shares()
    for variant in ("base", "hard"):
        bars.draw_intervals("seats", "Seats.", both[both["variant"] == variant], "seat", same_scale=both)
    scales = {axis.get_xlim() for drawing in drawings for axis in drawing.axes if axis.get_visible()}
    assert len(scales) == 1
    low, high = scales.pop()
    assert low <= 9
    assert high >= 71


def test_curves_have_what_they_are_read_against(drawings):
    """Every panel has the fair line at its level and the band, both in the legend; word values keep their order."""
    data = shares().rename(columns={"seat": "x"})
    guides = {2: curves.Guide(50.0, (45.0, 55.0)), 3: curves.Guide(100 / 3, (30.0, 35.0))}
    how = curves.Curves("x", ("rule", "%"), guides=guides, ticks=["few", "some", "many"])
    curves.draw_curves("sweep", "Response.", data, how)
    (drawing,) = drawings
    levels = [line.get_ydata()[0] for axis in drawing.axes for line in axis.lines if line.get_ls() == "--"]
    assert levels == [50.0, pytest.approx(100 / 3)]
    named = [text.get_text() for text in drawing.legends[0].get_texts()]
    assert named == ["base", "hard", "fair, or even", "wanted"]
    for axis in drawing.axes:
        assert [label.get_text() for label in axis.get_xticklabels()] == ["few", "some", "many"]


def test_a_key_without_effect_is_named():
    data = pd.DataFrame(
        [(2, a, b, "score", 10.0 + a) for a in (1, 2) for b in ("x", "y")],
        columns=["players", "a", "b", "measure", "value"],
    )
    (headline,) = write_no_effect(["a", "b"], data)
    assert headline.text.startswith("No effect: b ")


def test_bars_are_told_apart_without_colour(drawings):
    """Each variant, player count or part of a score has its own pattern."""
    bars.draw_bars("length", "Length.", shares().drop_duplicates(["players", "variant"]).iloc[:2], "minutes")
    parts = [(name, name) for name in "abc"]
    frame = pd.DataFrame({"players": [2], "strategy": ["x"], "n": [9], "a": [1.0], "b": [2.0], "c": [3.0]})
    bars.draw_stacks("points", "Points.", frame, parts, 6.0)
    rows = shares().drop_duplicates(["players", "seat"]).assign(source="cards")
    bars.draw_rows("luck", "Luck.", rows[rows["seat"] == 0], "source", "%", 60.0)
    for drawing, kinds in zip(drawings, (2, 3, 2), strict=True):
        patches = [patch for axis in drawing.axes for patch in axis.patches]
        assert len({patch.get_hatch() for patch in patches}) == kinds


def test_patterns_are_themed_too():
    """The colour below a pattern follows the page's scheme."""
    parts = [("a", "a"), ("b", "b")]
    frame = pd.DataFrame({"players": [2], "strategy": ["x"], "n": [9], "a": [1.0], "b": [2.0]})
    text = themed(bars.draw_stacks("points", "Points.", frame, parts, 3.0))
    assert "<pattern" in text
    assert not re.search(r'fill="#[0-9a-f]{6}"', text)


def test_boxes_reach_from_quartile_to_quartile():
    """A mark is at the median, a bar over the middle half, a line over nine tenths, per player count and variant."""
    data = shares().drop_duplicates(["players", "variant"])
    data = data.assign(measure="score", least=10.0, lower=30.0, upper=50.0, most=70.0)
    figure = curves.draw_spreads("scores", "Spread.", data, {"base": PALETTE[0], "hard": PALETTE[1]})
    assert b"score, points" in figure.svg
    assert not figure.is_wide


def test_what_could_not_be_read_at_half_width_is_wide():
    """A heat map with many columns is wide; its labels are upright if they are numbers."""
    matrix = pd.DataFrame([[1.0] * 12] * 3, index=list("abc"), columns=range(1, 13))
    figure = curves.draw_matrix("m", "Map.", {"2": matrix, "3": matrix}, ("field", "round"), "%", None)
    assert figure.is_wide


def test_every_number_of_a_heat_map_is_on_the_page():
    """Numbers are black on bright cells and white on dark cells."""
    values = pd.DataFrame([[1.0, 25.0], [60.0, 99.0]])
    halves = {"all": values / 10}  # in a line below
    drawn = curves.draw_matrix("m", "Numbers.", {"all": values}, ("row", "column"), "%", None, halves)
    text = themed(drawn)
    assert all(f">{number}<" in text for number in (1, 25, 60, 99))
