"""The rule set of Korona Piastów as checked data: its keys, map and event cards."""

from balance.games.korona_piastow.rules.ruleset import PATH_KEYS, ROWS, Rules, list_reconstructions
