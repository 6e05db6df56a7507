"""What a player of Polska may be asked to do without, for `balance restrict`."""

from balance.contract.restrictions import Restriction

RESTRICTIONS = {
    "grey-cards": Restriction(title="grey cards", patterns=["play grey *"]),
    "blue-cards": Restriction(title="blue cards", patterns=["play blue *"]),
    "city-cards": Restriction(title="city cards", patterns=["play city *"]),
    "eagles": Restriction(title="white eagles", patterns=["play eagle"]),
    "stop-cards": Restriction(title="stop cards", patterns=["play stop *"]),
    "trains": Restriction(title="trains", patterns=["play train *"]),
    "second-train": Restriction(title="a second train", patterns=["play train *"], at_most=1),
    "coaches": Restriction(title="coaches", patterns=["play coach"]),
    "more-cards": Restriction(title="more than one card a turn", patterns=["kind=more & play *"]),
    "high-dice": Restriction(title="dice of 5 and 6", patterns=["die [56]"]),
}
