"""Ways of playing Grody that have a profile each, and what it leads the others in."""

from __future__ import annotations

from balance.contract.style import Style

STYLES = {
    "holder": Style("segments that it owns at the end", {"segments": 1.0}, {}),
    "rusher": Style("attacks for each segment that it explores", {"attacks": 1.0}, {"explored": 1.0}),
}
