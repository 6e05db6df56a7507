"""What reports show of Na Grunwald! alone: skirmishes, helpers, events, the box."""

from __future__ import annotations

import pandas as pd

from balance.games.na_grunwald.measures import BOX_DUCATS, BOX_HELPERS, BOX_PROVISIONS
from balance.games.na_grunwald.packing import list_events
from balance.games.na_grunwald.questions import correct
from balance.report.curves import draw_curves, draw_matrix
from balance.report.figures import draw_bars
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, Table, write_estimate
from balance.runfolder import RunFolder


def write_sections(
    run: RunFolder, answers: dict[str, pd.DataFrame]
) -> tuple[list[Section], list[Finding]]:
    """The game's own sections, and what stands out in them."""
    found: list[Finding] = []
    sections = [_skirmishes(run, answers, found), _helpers(run, answers)]
    sections += [_events(run, answers, found), _box(answers, found)]
    return [section for section in sections if section is not None], found


def _cells(answers: dict[str, pd.DataFrame], kind: str, names: list[str]) -> pd.DataFrame:
    answer = answers[f"cells {kind}"]
    return answer[answer["measure"].isin(names)]


def _skirmishes(run: RunFolder, answers: dict[str, pd.DataFrame], found: list[Finding]) -> Section:
    variant = run.plan.variants[0].name
    names = ["skirmishes_won", "skirmishes_lost", "skirmishes_lost_share", "plunder"]
    means = _cells(answers, "per game", names)
    lost = means[means["measure"] == "skirmishes_lost"]
    figures = [
        draw_bars("skirmishes", "Skirmishes lost in a game.", lost, "skirmishes lost, mean a game")
    ]
    tables = [side_by_side("skirmishes", "Skirmishes a game.", means, ["variant", "measure"])]
    caption = f"Skirmishes that a seat joins, variant {variant}."
    tables.append(side_by_side("skirmishes-joined", caption, answers["joined"], ["strategy"]))
    text = [
        "A lost skirmish is paid by everybody, those who stayed away too. Plunder is the sum of all that was "
        "lacking in the lost skirmishes of a game."
    ]
    if "away" in answers and len(answers["away"]):
        away = answers["away"]
        caption = f"Free-riding: what staying away earns, variant {variant}."
        curve = away.assign(curve="stayed away less joined")
        figures.append(
            draw_curves("free-riding", caption, curve, "round", ("round", "points in that round"))
        )
        tables.append(side_by_side("free-riding", f"{caption} Points in that round.", away, ["round"]))
        text.append(
            "Free-riding compares, within each game and round, the change of the score that those had who stayed "
            "away with that of those who joined. Above 0, staying away earned more."
        )
    for row in means[
        (means["measure"] == "skirmishes_lost_share") & (means["variant"] == variant)
    ].itertuples():
        text_of = (
            f"{variant}: with {row.players} players {write_estimate(row)} % of the skirmishes are lost "
            f"(n = {row.n:,} games)."
        )
        found.append(Finding(text_of, "skirmishes", 0.5))
    return Section("skirmishes", "Skirmishes", text, figures=figures, tables=tables)


def _helpers(run: RunFolder, answers: dict[str, pd.DataFrame]) -> Section | None:
    if "helpers by round" not in answers:
        return None
    data = answers["helpers by round"]
    figure = draw_curves(
        "helpers",
        "Helpers by round.",
        data.assign(curve=data["variant"]),
        "round",
        ("round", "helpers of a seat, mean"),
    )
    table = side_by_side("helpers", "Helpers of a seat after each round.", data, ["variant", "round"])
    text = [
        "How soon everybody has the helpers. What having one more early goes with is in Early choices."
    ]
    return Section("helpers", "Helpers", text, figures=[figure], tables=[table])


def _events(run: RunFolder, answers: dict[str, pd.DataFrame], found: list[Finding]) -> Section | None:
    variant = run.plan.variants[0]
    parts = [answers[f"events {kind}"] for kind in ("seats", "games", "strategies")]
    parts = [part for part in parts if len(part)]
    if not parts:
        return None
    effects = correct(pd.concat(parts, ignore_index=True))
    cards = {i: card.name for i, card in enumerate(list_events(variant.rules.event_deck))}
    effects["event"] = effects["card"].map(cards)
    strategies = effects[effects["group"] != ""]
    caption = f"What an event does to who wins, variant {variant.name}."
    matrices = {
        f"{players} players, n ≥ {int(cell['n'].min()):,}": cell.pivot(
            index="event", columns="group", values="value"
        )
        for players, cell in strategies.groupby("players")
    }
    figures = [
        draw_matrix("events", caption, matrices, ("event", "strategy"), "points of win share", 0.0)
    ]
    plain = effects[effects["group"] == ""].assign(p_holm=lambda f: f["p"].map("p = {:.3f}".format))
    caption = (
        f"Games with a card less games without it, variant {variant.name}; p after Holm's correction for all "
        f"{len(effects)} comparisons of this section."
    )
    tables = [side_by_side("events", caption, plain, ["event", "measure"], notes=["p_holm"])]
    caption = f"Win share by strategy with a card less without it, points, variant {variant.name}."
    tables.append(side_by_side("events-strategies", caption, strategies, ["event", "group"]))
    text = [
        "Which cards turn up is drawn for each deck, so the difference between games with and without a card is "
        "its effect. A card takes the place of another, so effects add up to about 0 over the deck."
    ]
    _event_findings(variant.name, plain, found)
    return Section("events", "Events", text, figures=figures, tables=tables)


def _event_findings(variant: str, effects: pd.DataFrame, found: list[Finding]) -> None:
    scores = effects[(effects["measure"] == "score") & (effects["p"] < 0.05)]
    for players, cell in scores.groupby("players"):
        row = next(cell.loc[[cell["value"].abs().idxmax()]].itertuples())
        text = (
            f"{variant}: with {players} players the event {row.event} moves scores most, by {row.value:+.2f} points "
            f"({row.low:+.2f} to {row.high:+.2f}, n = {row.n:,} scores)."
        )
        found.append(Finding(text, "events", 0.35))


def _box(answers: dict[str, pd.DataFrame], found: list[Finding]) -> Section:
    """How often the box would run out (SET-2)."""
    label = {
        "ducats": f"more than {BOX_DUCATS} ducats in play, % of games",
        "provisions": f"more than {BOX_PROVISIONS} provisions in play, % of games",
        "helpers": f"all {BOX_HELPERS} helpers at the end, % of seats",
    }
    both = pd.concat([answers["box games"], answers["box seats"]], ignore_index=True)
    both["component"] = both["measure"].map(label)
    text = [
        f"The bank never runs out here. The box has {BOX_DUCATS} ducats, 18 provision tokens, worth "
        f"{BOX_PROVISIONS} at most, and {BOX_HELPERS} helpers of each colour."
    ]
    games = both[both["measure"] != "helpers"]
    row = next(games.loc[[games["value"].idxmax()]].itertuples())
    if row.value > 1:
        text_of = (
            f"The box is too small for {write_estimate(row)} % of games ({row.component}; {row.variant}, "
            f"{row.players} players, n = {row.n:,} games)."
        )
        found.append(Finding(text_of, "box", 1.0))
    table: Table = side_by_side(
        "box", "How often the box would be too small.", both, ["variant", "component"]
    )
    return Section("box", "Components", text, tables=[table])
