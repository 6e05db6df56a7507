"""Questions put to a run, and their answers in numbers: shares, effects, verdicts; no plots, no printing."""
