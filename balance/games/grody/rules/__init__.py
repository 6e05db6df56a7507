"""The rule set of Grody as checked data: its keys, terrains, buildings and cards."""

from balance.games.grody.rules.ruleset import Rules, list_reconstructions
