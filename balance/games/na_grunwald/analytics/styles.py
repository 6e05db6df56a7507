"""Ways of playing Na Grunwald! that have a profile each, and what it leads the others in."""

from __future__ import annotations

from balance.contract.style import Style

_SCORE = {"score": 1.0}

STYLES = {
    "crown-commander": Style(
        "share of its score from crown knights and their command",
        {"crown_strength": 1, "crown_commander": 1},
        _SCORE,
    ),
    "mercenary-captain": Style(
        "share of its score from mercenaries and their command",
        {"mercenary_strength": 1, "mercenary_commander": 1},
        _SCORE,
    ),
    "krzyzacy-hunter": Style("share of its score from captives", {"captive_strength": 1}, _SCORE),
    "quartermaster": Style("number of provisions at the end", {"provisions": 1}, {}),
    "treasurer": Style("share of its score from ducats", {"ducat_points": 1}, _SCORE),
    "helpers-first": Style("number of helpers at the end", {"helpers": 1}, {}),
}
