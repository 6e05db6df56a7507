"""What a player of Na Grunwald! may be asked to do without, for `balance restrict`."""

from balance.contract.restrictions import Restriction

RESTRICTIONS = {
    "krzyzacy-field": Restriction(title="the field of the Krzyżacy", patterns=["place krzyzacy *"]),
    "crown-field": Restriction(title="the field of crown knights", patterns=["place crown *"]),
    "provisions-field": Restriction(title="the field of provisions", patterns=["place provisions *"]),
    "ducats-field": Restriction(title="the field of ducats", patterns=["place ducats *"]),
    "mercenaries-field": Restriction(title="the field of mercenaries", patterns=["place mercenaries *"]),
    "helpers-field": Restriction(title="the field of helpers", patterns=["place helpers *"]),
    "second-helper": Restriction(
        title="the field of helpers after the first time", patterns=["place helpers *"], at_most=1
    ),
    "bidding": Restriction(title="bids", patterns=["bid [1-9]*"]),
    "crown-fighters": Restriction(title="crown knights in skirmishes", patterns=["fight crown *"]),
    "buying": Restriction(title="buying and hiring", patterns=["buy yes", "hire yes"]),
}
