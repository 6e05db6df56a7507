"""The rule set of Tokens."""

from balance.foundation.toml import Settings, validate

PATH_KEYS = {}
ROWS = {}


class Rules(Settings):
    title: str
    description: str
    stakes: int = 0


def load_rules(data, where, folder):
    return validate(Rules, data, where)


def list_reconstructions(rules):
    return []


def game_columns(rules):
    return {}
