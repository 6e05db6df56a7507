"""What a player of Grody may be asked to do without, for `balance restrict`."""

from balance.contract.restrictions import Restriction

RESTRICTIONS = {
    "abatis": Restriction(title="abatis", patterns=["build zasieki *"]),
    "bridges": Restriction(title="bridges", patterns=["build most *"]),
    "forts": Restriction(title="forts", patterns=["build twierdza *"]),
    "cards": Restriction(title="fate cards", patterns=["kind=card & play *"]),
    "second-card": Restriction(
        title="fate cards after the first", patterns=["kind=card & play *"], at_most=1
    ),
    "ambushes": Restriction(title="ambushes (zasadzka)", patterns=["play zasadzka *"]),
    "manoeuvres": Restriction(
        title="manoeuvres (doskonaly_manewr)", patterns=["play doskonaly_manewr *"]
    ),
    "wizards": Restriction(title="the answer with a czarodziej", patterns=["play czarodziej"]),
    "exchange": Restriction(title="the exchange of a terrain", patterns=["exchange"]),
    "ransoms": Restriction(title="ransoms", patterns=["ransom *"]),
}
