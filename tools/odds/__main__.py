"""Fit the odds of an attack in Grody, and print them next to those of `balance.games.grody.heuristics.judgement`.

python tools/odds
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from odds.fit import SHIPPED, error_of, fit_odds, list_cases


def main() -> None:
    cases = list_cases()
    fitted = fit_odds(cases)
    print(f"{len(cases.chance)} cases, chances from {cases.chance.min():.3f} to {cases.chance.max():.3f}")
    for name, value in fitted.items():
        print(f"{name:15} {value:6.2f}   shipped {SHIPPED[name]:6.2f}")
    print(f"error {error_of(cases, fitted):.3f}, of those shipped {error_of(cases, SHIPPED):.3f}")


if __name__ == "__main__":
    main()
