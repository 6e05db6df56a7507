"""Names of fields and cards."""

from __future__ import annotations

from balance.contract.actions import Words
from balance.contract.rule_tables import keep_last
from balance.foundation.language import N_, tr
from balance.games.polska.kernel import actions as a
from balance.games.polska.rules.components import lay_out, list_faces
from balance.games.polska.rules.ruleset import Rules

WRITTEN = {
    "bialystok": "Białystok",
    "czestochowa": "Częstochowa",
    "gdansk": "Gdańsk",
    "krakow": "Kraków",
    "lodz": "Łódź",
    "poznan": "Poznań",
    "rzeszow": "Rzeszów",
    "torun": "Toruń",
    "wroclaw": "Wrocław",
    "zamosc": "Zamość",
    "chrzest_polski": "Chrzest Polski",
    "zjazd_gnieznienski": "Zjazd gnieźnieński",
    "koronacja_chrobrego": "Koronacja Chrobrego",
    "testament_krzywoustego": "Testament Krzywoustego",
    "bitwa_pod_legnica": "Bitwa pod Legnicą",
    "koronacja_lokietka": "Koronacja Łokietka",
    "akademia_krakowska": "Akademia Krakowska",
    "unia_w_krewie": "Unia w Krewie",
    "bitwa_pod_grunwaldem": "Bitwa pod Grunwaldem",
    "pokoj_torunski": "Pokój toruński",
    "hold_pruski": "Hołd pruski",
    "stolica_w_warszawie": "Stolica w Warszawie",
    "bitwa_pod_kircholmem": "Bitwa pod Kircholmem",
    "potop_szwedzki": "Potop szwedzki",
    "odsiecz_wiedenska": "Odsiecz wiedeńska",
    "pierwszy_rozbior": "Pierwszy rozbiór",
    "konstytucja_3_maja": "Konstytucja 3 maja",
    "insurekcja_kosciuszkowska": "Insurekcja kościuszkowska",
    "ksiestwo_warszawskie": "Księstwo Warszawskie",
    "nobel_sienkiewicza": "Nobel Sienkiewicza",
    "odzyskanie_niepodleglosci": "Odzyskanie niepodległości",
    "solidarnosc": "Solidarność",
    "wejscie_do_unii": "Wejście do Unii",
    "wizja_miasta_przyszlosci": "Wizja miasta przyszłości",
}


def written(name: str) -> str:
    """Return the display name of a city or event; an unknown name gets spaces and a capital letter."""
    return WRITTEN.get(name, name.replace("_", " ").capitalize())


def history_name(rules: Rules, field: int) -> str:
    """Return a field of the track with its year."""
    found = rules.track.fields[field]
    return f"{written(found.name)} ({found.year})" if found.year else written(found.name)


def place(field: str) -> str:
    """Return a field of the map in words."""
    parts = field.split("-")
    if len(parts) == 1:
        return written(field)
    return tr("step {n} from {city} to {other}", n=parts[2], city=written(parts[0]), other=written(parts[1]))


@keep_last
def names_of(rules: Rules) -> tuple[list[str], list[str]]:
    """Return the names of a rule set's fields and of its different cards, by number."""
    faces = [f"{kind} {value}" if value else kind for kind, value in list_faces(rules.cards)]
    return lay_out(rules.map).names, faces


WORDS: dict[str, Words] = {
    "place": lambda rules: names_of(rules)[0],
    "card": lambda rules: names_of(rules)[1],
    "reason": a.REASONS,
}
"""The words for parts of the trace."""

_CARDS = {
    "grey": N_("the grey card of {value}"),
    "blue": N_("the blue card of {value}"),
    "city": N_("the card of {value}"),
    "eagle": N_("the white eagle"),
    "coach": N_("the coach"),
    "train": N_("a train card"),
    "stop": N_("a stop card"),
}


def say_card(name: str) -> str:
    """Return a card in words, by its name as in "grey 5"."""
    kind, _, value = name.partition(" ")
    return tr(_CARDS[kind], value=place(value) if kind == "city" else value)


PLAYERS, TRACK, MAP = N_("Players"), N_("Track of history"), N_("Map")  # titles of panels
