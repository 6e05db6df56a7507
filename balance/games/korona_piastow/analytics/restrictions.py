"""What a player of Korona Piastów may be asked to do without, for `balance restrict`."""

from balance.contract.restrictions import Restriction

RESTRICTIONS = {
    "muster": Restriction(title="orders to muster", patterns=["order muster"]),
    "regroup": Restriction(title="orders to regroup", patterns=["order regroup"]),
    "build": Restriction(title="orders to build", patterns=["order build"]),
    "invade": Restriction(title="orders to invade", patterns=["order invade"]),
    "defend": Restriction(title="orders to defend", patterns=["order defend"]),
    "quest": Restriction(title="quests", patterns=["order quest"]),
    "siege": Restriction(title="sieges", patterns=["order siege"]),
    "knights": Restriction(title="new knights", patterns=["muster knight"]),
    "second-knight": Restriction(title="a second new knight", patterns=["muster knight"], at_most=1),
    "raising": Restriction(title="raising infantry at court", patterns=["raise *"]),
}
