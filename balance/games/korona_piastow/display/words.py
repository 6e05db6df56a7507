"""Fiefs, districts, units and buildings as they are written; labels and files keep to plain letters."""

from __future__ import annotations

from collections.abc import Sequence

from balance.contract.words import amount, listed

_WRITTEN = {
    "wislica": "Wiślica",
    "krakow": "Kraków",
    "sacz": "Sącz",
    "plock": "Płock",
    "ciechanow": "Ciechanów",
    "piotrkow": "Piotrków",
    "poznan": "Poznań",
    "inowroclaw": "Inowrocław",
    "brzesc": "Brześć",
    "wroclaw": "Wrocław",
    "glogow": "Głogów",
    "raciborz": "Racibórz",
    "leczyca": "Łęczyca",
    "uniejow": "Uniejów",
    "inowlodz": "Inowłódz",
    "wielun": "Wieluń",
    "dobrzyn": "Dobrzyń",
    "gdansk": "Gdańsk",
    "swiecie": "Świecie",
    "slawno": "Sławno",
    "torun": "Toruń",
    "krolewiec": "Królewiec",
    "mysliborz": "Myślibórz",
    "klodzko": "Kłodzko",
    "spisz": "Spisz",
    "wlodzimierz": "Włodzimierz",
    "malopolska": "Małopolska",
    "dolny_slask": "Dolny Śląsk",
    "gorny_slask": "Górny Śląsk",
    "wegry": "Węgry",
    "rus": "Ruś",
    "grod": "gród",
    "townhall": "town hall",
    "clothhall": "cloth hall",
    "foreign": "foreign unit",
}


def written(name: str) -> str:
    """A place of a map as it is written; one of a user's own with spaces and a capital."""
    return _WRITTEN.get(name, name.replace("_", " ").capitalize())


def thing(name: str) -> str:
    """A building or unit as it is written."""
    return _WRITTEN.get(name, name)


def units_in_words(names: Sequence[str], counts: Sequence[int]) -> str:
    """2 infantry, 1 cavalry and 2 knights."""
    parts = [
        f"{count} {name}" if name in ("infantry", "cavalry") else amount(count, thing(name))
        for name, count in zip(names, counts, strict=True)
        if count
    ]
    return listed(parts) if parts else "nothing"
