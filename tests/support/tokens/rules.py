"""The rule set of Tokens."""

from balance.foundation.toml import Settings


class Rules(Settings):
    title: str
    description: str
    stakes: int = 0
