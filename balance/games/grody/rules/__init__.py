"""The rule set of Grody as checked data: its keys, terrains, buildings and cards."""

from balance.games.grody.rules.ruleset import PATH_KEYS, ROWS, Rules, game_columns, list_reconstructions, load_rules
