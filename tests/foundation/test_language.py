"""Messages and numbers in the language in use, and the catalogues that ship."""

import re
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from messages.extract import Message as Found
from messages.extract import find_messages, keep_translations, make_catalogue
from support.pseudo import ROOT

from balance.foundation import catalogues, language
from balance.foundation.catalogues import system_language, using
from balance.foundation.errors import UnknownNameError
from balance.foundation.language import texts_of_script, tr, trc, trn, write_date, write_number

SHIPPED = [code for code in catalogues.languages() if code != language.SOURCE]


@pytest.fixture
def czech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a new language, which is one file."""
    catalogue = Catalog(locale="cs")
    catalogue.add(("{n} seat", "{n} seats"), ("{n} místo", "{n} místa", "{n} míst"))
    catalogue.add("seat {seat} wins {share:.1f} %", "místo {seat} vyhrává {share:.1f} %")
    catalogue.add("open", "otevřená", context="game")
    catalogue.add("unsure", "nejisté", flags=["fuzzy"])
    with (tmp_path / "cs.po").open("wb") as file:
        write_po(file, catalogue)
    monkeypatch.setattr(catalogues, "CATALOGUES", tmp_path)
    catalogues.open_catalogue.cache_clear()
    with using("cs"):
        yield
    catalogues.open_catalogue.cache_clear()


def test_english_is_as_in_the_source():
    assert tr("seat {seat} wins {share:.1f} %", seat=2, share=53.94) == "seat 2 wins 53.9 %"
    assert [trn("{n:,} game", "{n:,} games", n) for n in (0, 1, 2000)] == ["0 games", "1 game", "2,000 games"]
    assert (trc("game", "open"), write_number(25200.5, ",.1f")) == ("open", "25,200.5")
    assert tr("{braces} stay without values") == "{braces} stay without values"


def test_a_new_language_needs_one_file(czech):
    assert catalogues.languages() == ["en", "cs"]
    assert tr("seat {seat} wins {share:.1f} %", seat=2, share=np.float32(53.94)) == "místo 2 vyhrává 53,9 %"
    assert [trn("{n} seat", "{n} seats", n) for n in (1, 2, 5, 22)] == ["1 místo", "2 místa", "5 míst", "22 míst"]
    assert (trc("game", "open"), tr("open"), tr("unsure")) == ("otevřená", "open", "unsure")
    assert write_number(-25200.5, "+,.1f") == "-25\xa0200,5"
    assert write_date("2026-11-26T08:15:00+00:00") == "26. listopadu 2026"


def test_a_script_gets_its_own_messages(czech):
    script = 'tr("seat {seat} wins {share:.1f} %", {}) + trn("{n} seat", "{n} seats", 3) + tr("unknown")'
    assert texts_of_script(script) == {
        "seat {seat} wins {share:.1f} %": "místo {seat} vyhrává {share:.1f} %",
        "{n} seat": ("{n} místo", "{n} místa", "{n} míst"),
        "unknown": "unknown",
    }


def test_an_unknown_language_names_those_there_are():
    with pytest.raises(UnknownNameError, match=r"unknown language 'xx'.*en, pl"), using("xx"):
        pass
    assert language.current().code == "en"


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "pl"}, "pl"),
        ({"LANG": "pl_PL.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "pl_PL"}, "pl"),
        ({"LANG": "xx_XX"}, "en"),
    ],
)
def test_the_system_names_a_language(environment, code):
    assert system_language(environment) == code


def _fields(text: str) -> set[tuple[str, str]]:
    """Return the fields of a message with their formats."""
    return {(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


def _strings(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.mark.parametrize("code", SHIPPED)
def test_a_catalogue_translates_every_message_of_the_source(code):
    """`python tools/messages` brings a catalogue up to date."""
    with (catalogues.CATALOGUES / f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    there = {
        (message.context, message.id[0] if isinstance(message.id, tuple) else message.id): message
        for message in catalogue
        if message.id
    }
    wanted = {(message.context, message.text): message for message in find_messages(ROOT)}
    assert wanted.keys() - there.keys() == set()
    assert there.keys() - wanted.keys() == set()
    assert not [key for key, message in there.items() if message.fuzzy or not all(_strings(message))]
    assert not catalogue.obsolete


def test_a_changed_sentence_keeps_its_translation_to_be_read_again():
    """A sentence that is new has none, and one that is gone leaves none."""
    old = Catalog(locale="cs")
    old.add("games take {minutes} minutes", "partie trvají {minutes} minut")
    old.add(("{n} seat is open", "{n} seats are open"), ("je {n} místo", "jsou {n} místa", "je {n} míst"))
    old.add("no one needs this sentence", "tuto větu nikdo nepotřebuje")
    texts = [("games last {minutes} minutes", ""), ("{n} seats are open", ""), ("every card is drawn", "")]
    new = make_catalogue([Found(one, "x.py", many) for one, many in texts], "cs")
    keep_translations(new, old)
    kept = {each.id: (each.string or "", each.fuzzy) for each in new if each.id}
    assert kept == {
        "games last {minutes} minutes": ("partie trvají {minutes} minut", True),
        "{n} seats are open": ("", False),
        "every card is drawn": ("", False),
    }


@pytest.mark.parametrize("code", SHIPPED)
def test_a_translation_has_the_fields_of_its_message(code):
    """A field may be absent from the form for one, as in "one worker", but from no other, and none is new."""
    with (catalogues.CATALOGUES / f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    for message in catalogue:
        if message.id and isinstance(message.id, tuple):
            fields = _fields(message.id[1])
            one, *others = _strings(message)
            assert _fields(one) <= fields, message.id
            assert all(_fields(text) == fields for text in others), message.id
            assert len(_strings(message)) == catalogue.num_plurals
        elif message.id and re.search(r"{\w+(:[^}]*)?}", message.id):
            assert _fields(message.string) == _fields(message.id), message.id
