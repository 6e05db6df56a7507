"""What users may rely on: nothing that the last release had is gone without a line in the changelog."""

from pathlib import Path

from public import public_names

ROOT = Path(__file__).resolve().parents[2]
RELEASED = (ROOT / "docs" / "public.txt").read_text(encoding="utf-8").splitlines()


def test_what_is_gone_is_in_the_changelog():
    """`docs/public.txt` has the names of the last release; `make release` writes it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = text.split("\n## ")[1]
    gone = set(RELEASED) - set(public_names())
    unsaid = sorted(name for name in gone if f"`{name}`" not in newest)
    assert not unsaid, f"CHANGELOG.md, newest part: say what replaces {', '.join(unsaid)}"


def test_all_kinds_are_listed():
    assert {name.split()[0] for name in RELEASED} == {"column", "command", "key", "option", "python"}
    for name in (
        "option balance run --games",
        "key experiment.players",
        "column games.variant",
        "python balance.open_run",
    ):
        assert name in RELEASED
