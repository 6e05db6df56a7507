"""Cities and events of history as they are written; labels and files keep to plain letters."""

from __future__ import annotations

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
    """A name of a map or track as it is written; one of a user's own with spaces and a capital."""
    return _WRITTEN.get(name, name.replace("_", " ").capitalize())


def place(field: str) -> str:
    """A field of the map in words."""
    parts = field.split("-")
    if len(parts) == 1:
        return written(field)
    return f"step {parts[2]} from {written(parts[0])} to {written(parts[1])}"
