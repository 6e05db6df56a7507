"""The values, map and base deck of Korona Piastów, copied from the rule pages by hand, not from the game's files."""

from copy import deepcopy
from typing import Any

# id, name, kind, line, fiefs (L after a legendary place)
DISTRICTS = """
wielkopolska | Wielkopolska | piast | yes | poznan, gniezno L, kalisz
malopolska | Małopolska | piast | yes | krakow L, wislica, sacz
mazowsze | Mazowsze | piast | yes | plock, czersk, ciechanow L
kujawy | Kujawy | piast | yes | kruszwica L, inowroclaw, brzesc
dolny_slask | Dolny Śląsk | piast | yes | wroclaw L, legnica, glogow
gorny_slask | Górny Śląsk | piast | yes | opole, raciborz, bytom L
sandomierz | Ziemia sandomierska | piast | no | sandomierz L, lublin, radom
leczyca | Ziemia łęczycka | piast | no | leczyca, uniejow, inowlodz
sieradz | Ziemia sieradzka | piast | no | sieradz, wielun, piotrkow
dobrzyn | Ziemia dobrzyńska | piast | no | dobrzyn, rypin, lipno
lubusz | Ziemia lubuska | piast | no | lubusz, santok, krosno
pomorze | Pomorze Gdańskie | piast | no | gdansk, swiecie, slawno
zakon | Zakon Krzyżacki | foreign | yes | malbork, torun, krolewiec L
brandenburgia | Brandenburgia | foreign | no | berlin, mysliborz
czechy | Czechy | foreign | no | praga, klodzko
wegry | Węgry | foreign | no | spisz, koszyce
rus | Ruś | foreign | no | halicz, wlodzimierz
litwa | Litwa | foreign | no | grodno, troki
"""

BORDERS = """
poznan: gniezno, kalisz, glogow, santok, krosno
gniezno: kalisz, kruszwica, swiecie
kalisz: wroclaw, uniejow, sieradz, wielun
krakow: wislica, sacz, raciborz, bytom
wislica: sacz, sandomierz, radom, piotrkow
sacz: sandomierz, spisz, koszyce
plock: czersk, ciechanow, leczyca, dobrzyn
czersk: ciechanow, lublin, radom, inowlodz, grodno
ciechanow: rypin, grodno
kruszwica: inowroclaw, brzesc, uniejow
inowroclaw: brzesc, swiecie
brzesc: leczyca, dobrzyn, lipno
wroclaw: legnica, glogow, opole, klodzko
legnica: glogow, praga, klodzko
glogow: krosno
opole: raciborz, bytom, wielun, klodzko
raciborz: bytom, praga, spisz
bytom: wielun, piotrkow
sandomierz: lublin, radom, halicz
lublin: radom, wlodzimierz, grodno
radom: inowlodz, piotrkow
leczyca: uniejow, inowlodz, sieradz, piotrkow
uniejow: sieradz
inowlodz: piotrkow
sieradz: wielun, piotrkow
wielun: piotrkow
dobrzyn: rypin, lipno
rypin: lipno, malbork, torun
lubusz: santok, krosno, berlin, mysliborz
santok: krosno, slawno, mysliborz
krosno: berlin, praga
gdansk: swiecie, slawno, malbork
swiecie: slawno, torun
slawno: mysliborz
malbork: torun, krolewiec
krolewiec: grodno, troki
berlin: mysliborz
praga: klodzko
spisz: koszyce
koszyce: halicz
halicz: wlodzimierz
wlodzimierz: grodno
grodno: troki
"""

CARDS = """
good_harvest | Dobre zbiory | gain all 2 | 0 | 0
silver | Srebro z Olkusza | gain drawer 4 | 0 | 3
alms | Jałmużna | gain poorest 4 | 1 | 1
settlers | Lokacja na prawie niemieckim | settle | 1 | 4
peters_pence | Świętopietrze | pay all 1 | 2 | 2
court_luxury | Zbytek na dworze | pay richest 4 | 2 | 5
plague | Mór | plague | 3 | 0
famine | Głód | plague | 3 | 3
fire | Pożar miasta | fire 2 | 4 | 1
mayor_albert | Bunt wójta Alberta | rebellion | 4 | 4
tatars | Najazd Tatarów | raid rus 12 0 | 5 | 2
lithuanians | Wyprawa Litwinów | raid litwa 9 0 | 5 | 5
brandenburgers | Marchia sięga po Pomorze | raid brandenburgia 8 2 | 0 | 1
bohemians | Roszczenia Wacława | raid czechy 8 2 | 0 | 4
crusade | Krucjata Zakonu | raid zakon 8 2 | 1 | 2
hungarian_help | Pomoc węgierska | allies 2 | 1 | 5
mercenaries | Najemni rycerze | allies 2 | 2 | 0
general_levy | Pospolite ruszenie | levy 2 | 2 | 3
pilgrims | Wracający krzyżowcy | levy 2 | 3 | 1
marriage | Małżeństwo dynastyczne | peace 3 | 3 | 4
settlement | Ugoda w Lądzie | peace 3 | 4 | 2
interdict | Klątwa papieska | interdict 3 | 4 | 5
new_house | Nowy ród możnych | heir | 5 | 0
masons | Mistrzowie murarscy | works | 5 | 3
"""
WORDS = {
    **dict.fromkeys(("gain", "pay"), ("who", "n")),
    **dict.fromkeys(("fire", "allies", "levy"), ("n",)),
    **dict.fromkeys(("peace", "interdict"), ("time",)),
    "raid": ("from", "strength", "units"),
}

VALUES: dict[str, Any] = {
    "rounds": 12, "crown_fiefs": [12, 11, 9, 9, 7], "zakon_fiefs": [12, 12, 10, 12, 11], "pretender_gap": 1,
    "lines_drawn": True, "lines_chosen": False, "second_players": 3, "second_infantry": 3,
    "foreign_garrison": 3, "orders": 5, "orders_max": 8, "same_kind": 3, "orders_per_turn": 1, "fief_limit": 6,
    "tribute_fief": 2, "tribute_base": 4, "muster_units": 2, "regroup_moves": 3, "hasten_units": 2,
    "time_passes": 1, "works_everywhere": False, "claim_cost": 4, "feud_rounds": 2, "loser_loss": 50,
    "winner_loss": 25, "levy": 2, "loot": 2, "defend": 2, "revenge": 2, "siege_rounds": 1, "spy_cost": 2,
    "tithe": 2, "quest_denars": 6, "relic_attack": 1, "repair_cost": 2, "raise_cost": 1, "collect": 1,
    "lines": ["wielkopolska", "malopolska", "mazowsze", "kujawy", "dolny_slask", "gorny_slask", "zakon"],
    "start": {"denars": 8, "infantry": 4, "cavalry": 1, "knights": 1, "magnates": 1},
    "ruler": {"attack": 2, "defence": 2, "money": 1, "time": 0},
    "magnate": {"attack": 1, "defence": 1, "money": 1, "time": 1, "tokens": 6, "per_district": 1},
    "quest": {"lost": 1, "nothing": 4, "denars": 6, "magnate": 8},
    "units": {
        "infantry": {"attack": 1, "defence": 2, "cost": 1},
        "cavalry": {"attack": 2, "defence": 1, "cost": 2},
        "knight": {"attack": 3, "defence": 3, "cost": 0},
        "engine": {"attack": 5, "defence": 0, "cost": 5},
        "foreign": {"attack": 1, "defence": 2},
    },
    "buildings": {
        "grod": {"cost": 6, "time": 2, "defence": 10},
        "castle": {"cost": 12, "time": 5, "defence": 20},
        "cathedral": {"cost": 12, "time": 5},
        "townhall": {"cost": 12, "time": 5, "orders": 1},
        "clothhall": {"cost": 9, "time": 3, "money": 1},
    },
}  # fmt: skip


def base_rules() -> dict[str, Any]:
    """Return the base rule set as a run's file has it, with map and deck."""
    return {**deepcopy(VALUES), "map": base_map(), "events": {"cards": base_deck()}}


def base_map() -> dict[str, Any]:
    """Return districts, fiefs and borders of the map page."""
    districts, fiefs = [], []
    for line in DISTRICTS.strip().splitlines():
        name, title, kind, ruled, places = [cell.strip() for cell in line.split("|")]
        districts.append({"id": name, "name": title, "piast": kind == "piast", "line": ruled == "yes"})
        for place in places.split(", "):
            fief, _, mark = place.partition(" ")
            fiefs.append({"id": fief, "district": name, "legendary": mark == "L"})
    borders = []
    for line in BORDERS.strip().splitlines():
        fief, others = line.split(": ")
        borders += [[fief, other] for other in others.split(", ")]
    return {"districts": districts, "fiefs": fiefs, "borders": borders}


def base_deck() -> list[dict[str, Any]]:
    """Return the cards of the event page."""
    cards = []
    for line in CARDS.strip().splitlines():
        name, title, effect, attack, defence = [cell.strip() for cell in line.split("|")]
        kind, *words = effect.split()
        card = {"id": name, "name": title, "effect": kind}
        card |= {"attack": int(attack), "defence": int(defence)}
        values = [int(word) if word.isdigit() else word for word in words]
        cards.append(card | dict(zip(WORDS.get(kind, ()), values, strict=True)))
    return cards


def small_map() -> dict[str, Any]:
    """Return a map with one fief per district: districts join and rulers fall in a few invasions."""
    table = base_map()
    home = {fief["id"]: fief["district"] for fief in table["fiefs"]}
    fiefs: dict[str, dict[str, Any]] = {}
    for fief in table["fiefs"]:
        fiefs.setdefault(fief["district"], fief)
    order = list(fiefs)
    ways = {tuple(sorted((home[a], home[b]), key=order.index)) for a, b in table["borders"]}
    borders = [[fiefs[a]["id"], fiefs[b]["id"]] for a, b in sorted(ways) if a != b]
    return {"districts": table["districts"], "fiefs": list(fiefs.values()), "borders": borders}
