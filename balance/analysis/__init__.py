"""From tables to figures one can act on: shares, effects, measures of play, verdicts; no plots, no printing."""
