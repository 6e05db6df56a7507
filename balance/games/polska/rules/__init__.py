"""The rule set of Polska as checked data: its keys, map, track and cards."""

from balance.games.polska.rules.ruleset import PATH_KEYS, ROWS, Rules
