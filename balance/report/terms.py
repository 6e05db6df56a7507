"""What the words of the verdict grid mean, with the thresholds of the run."""

from __future__ import annotations

from balance.analysis.verdicts import COMEBACK_ROOM, box_minutes
from balance.contract.words import listed
from balance.plan.measures import seconds_per_choice
from balance.report.doubts import who_plays
from balance.report.facts import Facts
from balance.stats.comparisons import ALPHA, LEAST_DECKS
from balance.stats.fair import fair_share


def terms_of(facts: Facts) -> list[tuple[str, str]]:
    """Terms and their meaning, in the order of the grid."""
    terms = [("Intervals", _intervals(facts)), ("Seats fair", _seats(facts))]
    if facts.has_several_strategies:
        terms.append(("Strategies alive", _strategies(facts)))
    if facts.has_rounds:
        terms.append(("Comebacks", _comebacks(facts)))
    terms += [("Length", _length(facts)), ("Luck", "Never judged: nobody has said how much is right.")]
    if facts.plan.experiment.targets:
        terms.append(
            (
                "Your targets",
                "Met where the whole interval lies inside its bounds, at every seat or strategy.",
            )
        )
    if len(facts.plan.variants) > 1:
        terms.append(("Changed", _changed(facts)))
    if facts.other_tiers:
        terms.append(("Depends on the bots", _tiers(facts)))
    terms.append(("Who played", f"{who_plays(facts.plan)}."))
    return terms


def _intervals(facts: Facts) -> str:
    return (
        "Words come from intervals set against thresholds. In the grid and the findings these are widened, so that "
        f"all {facts.sharing} on the page hold at once with {100 * (1 - ALPHA):.0f} %. An "
        "interval that reaches over the edge is close; one too wide to be close is unsure. Fewer than "
        f"{LEAST_DECKS} decks are too few. Figures in the sections have 95 % each."
    )


def _seats(facts: Facts) -> str:
    limits = facts.thresholds
    fair = listed([f"{fair_share(players):.3g}" for players in facts.plan.experiment.players])
    return (
        f"Fair: every seat lies within {limits.seats:g} of a fair share ({fair} %). Tilted: one lies beyond. Unfair: "
        f"one lies more than {max(limits.seats, limits.unfair):g} off. The number is the furthest seat."
    )


def _strategies(facts: Facts) -> str:
    share = facts.thresholds.alive
    return (
        f"Off: a strategy wins less than {100 - share:g} % or more than {100 + share:g} % of a fair share. One off is "
        "watched, more are a problem. The number is the strategy furthest from fair, among these bots."
    )


def _comebacks(facts: Facts) -> str:
    limits = facts.thresholds
    counts = facts.plan.experiment.players
    bands = ", ".join(
        "{:.3g} to {:.3g} % with {}".format(*limits.comeback_band(each), each) for each in counts
    )
    least, most = limits.comebacks
    return (
        "The number is how many winners were behind at half time. If the first half did not matter, chance would put "
        f"{listed([f'{100 - fair_share(each):.3g}' for each in counts])} % of them there. Open: from {least:g} to "
        f"{most:g} % of that ({bands}); runaway: fewer; late: more, so the first half hardly matters. Close is an "
        f"interval of at most {COMEBACK_ROOM:g} points."
    )


def _length(facts: Facts) -> str:
    box = box_minutes(facts.plan)
    low, high = seconds_per_choice(facts.plan)
    words = (
        f"Estimated at {low:g} to {high:g} seconds a choice, an assumption (`seconds_per_choice`); choices that people "
        "make together count once."
    )
    if not box:
        return f"No time is set. {words}"
    return (
        f"Fits: from {box[0]:g} to {box[1]:g} minutes, whatever a choice takes within that range. By pace: it depends "
        f"on what a choice takes. {words}"
    )


def _changed(facts: Facts) -> str:
    limits = facts.thresholds
    return (
        f"Sure on the same decks, and at least {limits.seats:g} points of a seat, {limits.strategies:g} of a strategy, "
        f"{limits.comeback_change:g} of comebacks, {limits.length_change:g} % of the length; or sure, and another "
        "word. The number of times its threshold is how much a change matters. What follows from the rule itself is "
        "shown under What each variant changes, and is no finding."
    )


def _tiers(facts: Facts) -> str:
    tiers = listed([facts.plan.tier.name, *facts.other_tiers])
    return (
        f"The same decks were played by {tiers}. What one shows and another shows not to be so depends on the bots, "
        "and is no finding about the rules. Can't say yet: too few games, no contradiction. A dashed verdict shares "
        "the doubt of the one it is compared with."
    )
