"""Components of Korona Piastów: counts, places of gifts, and events left out."""

import pytest
from support.korona import GAME, Realm, s

from balance.contract.game import component_kernel, components_of
from balance.contract.records import MAX_SEATS, blank
from balance.engine.giving import counts_type
from balance.games.korona_piastow.rules.tables import BUILDINGS, TRAITS

KERNEL = component_kernel(GAME)


def number(scene: Realm, name: str) -> int:
    """Return the number of a component."""
    return [component.name for component in components_of(GAME, scene.rules)].index(name)


def count(scene: Realm):
    counts = blank(1, counts_type(MAX_SEATS, KERNEL.MOST_COMPONENTS))[0]
    KERNEL.count_components(scene.packed, scene.state, scene.log, counts)
    return counts


def give(scene: Realm, name: str, seat: int = 0) -> bool:
    return bool(KERNEL.give_component(scene.packed, scene.state, scene.log, number(scene, name), seat))


def test_a_magnate_is_free():
    scene = Realm().begin()
    assert give(scene, "magnate of money")
    assert scene.ruler(0).free_magnates == ["money"]


def test_a_building_stands_in_the_first_own_fief_without_one():
    """BLD-2: not in a fief with a building or building site, nor on devastated land."""
    scene = Realm().building("poznan", "grod").begin()
    scene.mark("gniezno", devastated=1)
    assert give(scene, "town hall")
    assert scene.fief("kalisz").building == "townhall"
    assert scene.fief("poznan").building == "grod"
    assert not give(scene, "cathedral")


def test_a_unit_joins_others_and_an_engine_is_not_left_alone():
    """UNT-1, MAP-2; a player who is out gets nothing."""
    scene = Realm().units("gniezno", 0, infantry=6).begin()
    assert not give(scene, "engine")
    assert give(scene, "knight")
    assert scene.fief("poznan").units[s.KNIGHT] == 1
    assert give(scene, "engine")
    assert scene.fief("poznan").units[s.ENGINE] == 1
    scene.state.out_round[1] = 3
    assert not give(scene, "knight", 1)


def test_what_is_counted():
    """Magnates drawn and granted, units once placed, buildings finished, and events by the seat that drew them."""
    scene = Realm(bare=False)
    assert not count(scene).shown[number(scene, "knight")]
    assert count(scene).shown[: len(TRAITS)].sum() == 4  # SET-2
    scene = Realm().building("poznan", "grod").do("poznan build", "build castle")
    assert count(scene).shown[number(scene, "knight")] == 1
    assert count(scene).shown[number(scene, "castle")] == 0
    scene.state.time_left[0] = 1
    scene.stack("silver").next_round()
    found = count(scene)
    assert found.taken[0, number(scene, "castle")] == 1
    assert found.taken[0, number(scene, "Srebro z Olkusza")] == 1  # the beginner of round 1
    assert found.shown[len(TRAITS) : len(TRAITS) + len(BUILDINGS)].sum() == 1


@pytest.mark.parametrize("card", ["silver", "plague", "peters_pence"])
def test_an_event_left_out_does_nothing(card):
    """Its numbers stay, so fate does not change."""
    before = Realm().stack(card).begin()
    name = next(each.name for each in before.rules.events.cards if each.id == card)
    before.units("poznan", 0, infantry=1)
    KERNEL.remove_component(before.packed, number(before, name))
    denars = [before.ruler(seat).denars for seat in range(4)]
    before.next_round()
    income = before.log.income[:4].tolist()
    after = [before.ruler(seat).denars for seat in range(4)]
    assert after == [had + due for had, due in zip(denars, income, strict=True)]
    assert not before.state.devastated.any()
