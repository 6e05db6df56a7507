"""Families of verdicts share the error of a page: those that are registered are those that make verdicts."""

from pathlib import Path

import pytest
from support.runs import play

from balance.report.chapter import write_chapter
from balance.report.context import Family, ReportContext
from balance.report.row import find_rows
from balance.report.section import find_sections, register_families
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")
OH_HELL = Path(__file__).parents[2] / "examples" / "oh_hell"
ONE = {"strategies": ["random"], "players": [3]}
TARGETS = [{"measure": "minutes", "least": 1, "most": 90}, {"measure": "strategy_win_share", "least": 1, "most": 99}]


def families_of(run):
    parts = [*find_sections(run.plan.game), *find_rows(run.plan)]
    return register_families(parts, ReportContext(run))


def tiers(*names):
    return [{"name": name, "strategies": [name, "random"], "games": 120} for name in names]


@pytest.mark.parametrize(
    ("keys", "count"),
    [
        pytest.param(ONE, 4, id="one player, one variant"),  # seats, length, the box, effects of events
        pytest.param(ONE | {"game": str(OH_HELL), "log": "rounds"}, 3, id="plain Python"),
        pytest.param(
            {
                "players": [2, 3], "variants": ["base", "hire-dear"], "log": "trace", "targets": TARGETS,
                "strategies": [], "games": None, "tiers": tiers("generalist", "treasurer"),
            },
            26,  # the primary question shares no error with them
            id="two tiers, two variants, targets, rounds",
            marks=pytest.mark.slow,
        ),
    ],
)  # fmt: skip
def test_each_registered_family_makes_verdicts_and_no_other(tmp_path, monkeypatch, keys, count):
    run = RunFolder.open(play(tmp_path / "run", **{"games": 40, **keys}))
    judged, family = set(), ReportContext.family

    def note(context, name, tier=None):
        if count := family(context, name, tier):
            judged.add(Family(name, context.plan.tier.name if tier is None else tier))
        return count

    monkeypatch.setattr(ReportContext, "family", note)
    for tier in run.plan.tiers:
        own = run.in_tier(tier.name)
        registered = families_of(own)
        judged.clear()
        write_chapter(own)
        assert judged == registered
        assert len(registered) == count


def test_a_verdict_without_a_family_is_refused(tmp_path):
    """Its error would come on top of the page's."""
    context = ReportContext(RunFolder.open(play(tmp_path / "run", games=6, **ONE)))
    registered = families_of(context.run)
    known = ReportContext(context.run, registered)
    assert known.family("length") == len(registered) - 1  # the primary question has an error of its own
    for family in ({"name": "riddles"}, {"name": "seats", "tier": "experts"}):
        with pytest.raises(LookupError, match="no section registers the family"):
            known.family(**family)
