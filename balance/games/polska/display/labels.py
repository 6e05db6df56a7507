"""Labels of action codes as on the rule page, and names of fields and cards."""

from __future__ import annotations

from functools import lru_cache

from balance.foundation.language import tr
from balance.games.polska.kernel import actions as a
from balance.games.polska.rules.components import Cards, Map, lay_out, list_faces
from balance.games.polska.rules.ruleset import Rules

_WRITTEN = {
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
    return _WRITTEN.get(name, name.replace("_", " ").capitalize())


def place(field: str) -> str:
    """Return a field of the map in words."""
    parts = field.split("-")
    if len(parts) == 1:
        return written(field)
    return tr(
        "step {n} from {city} to {other}", n=parts[2], city=written(parts[0]), other=written(parts[1])
    )


_KINDS = {a.TAKE_DIE: "die", a.ADD: "coach", a.DISCARD: "discard"}


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = code >> 25
    if kind >= a.DEAL:
        return "chance"
    return _KINDS.get(kind, "more" if (code >> 20) & a.LARGEST_FIRST else "act")


@lru_cache(maxsize=64)
def _names_of(map_and_cards: str) -> tuple[list[str], list[str]]:
    """Return names of fields and faces, from the JSON of a map and of cards."""
    rules_map, cards = map_and_cards.split("\n")
    faces = list_faces(Cards.model_validate_json(cards))
    named = [f"{kind} {value}" if value else kind for kind, value in faces]
    return lay_out(Map.model_validate_json(rules_map)).names, named


def names_of(rules: Rules) -> tuple[list[str], list[str]]:
    """Return the names of a rule set's fields and of its different cards, by number."""
    return _names_of(f"{rules.map.model_dump_json()}\n{rules.cards.model_dump_json()}")


def write_label(code: int, rules: Rules) -> str:
    """Return the label of a code."""
    kind, first, second = code >> 25, (code >> 20) & a.LARGEST_FIRST, code & a.LARGEST
    fields, faces = names_of(rules)
    if kind == a.TAKE_DIE:
        return f"die {second}"
    if kind in (a.NOTHING, a.COACH, a.RESHUFFLE):
        return {a.NOTHING: "nothing", a.COACH: "play coach", a.RESHUFFLE: "reshuffle"}[kind]
    if kind in (a.MOVE, a.TRAIN, a.MARKER):
        return f"{ {a.MOVE: 'move', a.TRAIN: 'play train', a.MARKER: 'marker'}[kind] } {fields[second]}"
    if kind in (a.STOP, a.ADD):
        return f"play stop {second}" if kind == a.STOP else f"add {second}"
    if kind in (a.PLAY, a.DISCARD):
        return f"{'play' if kind == a.PLAY else 'discard'} {faces[second]}"
    if kind == a.ROLL:
        return f"roll {' '.join(_dice(second))}"
    return f"{'deal' if kind == a.DEAL else 'draw'} {first} {faces[second]}"


def _dice(number: int) -> list[str]:
    """Return the dice of a roll; see `turns._write_roll`."""
    dice: list[str] = []
    while number:
        number, side = divmod(number, 7)
        dice.insert(0, str(side))
    return dice


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    kind, first, second = code >> 25, (code >> 20) & a.LARGEST_FIRST, code & a.LARGEST
    if kind in (a.DEAL, a.DRAW):
        return {"player": first, "card": second}
    part = {
        **dict.fromkeys((a.MOVE, a.TRAIN, a.MARKER), "place"),
        **dict.fromkeys((a.PLAY, a.DISCARD), "card"),
        a.TAKE_DIE: "die",
        a.STOP: "player",
        a.ADD: "amount",
    }.get(kind)
    return {part: second} if part else {}


WORDS = {
    "place": lambda rules: names_of(rules)[0],
    "card": lambda rules: names_of(rules)[1],
    "reason": a.REASONS,
}
"""The words for parts of the trace."""
