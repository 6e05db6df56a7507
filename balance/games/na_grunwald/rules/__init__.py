"""The rule set of Na Grunwald! as checked data: its keys, card tables and event decks."""

from balance.games.na_grunwald.rules.ruleset import PATH_KEYS, ROWS, Rules, list_reconstructions
