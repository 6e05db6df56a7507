"""Bring the catalogues in `balance/languages` up to date with the source, and list what is not translated.

python tools/messages          all catalogues
python tools/messages cs       begin a new one
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from babel.messages.catalog import Message  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402

from messages.extract import find_messages, keep_translations, make_catalogue  # noqa: E402

FOLDER = ROOT / "balance" / "languages"
_MOST_LISTED = 40  # of a catalogue


def main() -> None:
    """Write each catalogue with the messages of the source, and keep its translations."""
    messages = find_messages(ROOT)
    for code in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.po")):
        path = FOLDER / f"{code}.po"
        catalogue = make_catalogue(messages, code)
        if path.exists():
            with path.open("rb") as file:
                old = read_po(file, locale=code)
            catalogue.header_comment, catalogue.creation_date = old.header_comment, old.creation_date
            keep_translations(catalogue, old)
        with path.open("wb") as file:
            write_po(file, catalogue, width=100, no_location=True, sort_output=True)
        open_ones = [each for each in catalogue if each.id and (each.fuzzy or not _is_translated(each))]
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} messages, {len(open_ones)} to translate")
        for each in open_ones[:_MOST_LISTED]:
            print(f"  {each.id}" + (f"\n    was: {each.string}" if each.fuzzy else ""))


def _is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


if __name__ == "__main__":
    main()
