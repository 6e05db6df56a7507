"""Components: cards and the like that turn up in a game and are taken, each with a number in the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from balance.contract.game import Game


class ComponentKernel(Protocol):
    """What a game with components brings in its kernel, beside `list_components` in its analytics; optional.

    - ``count_components(rules, state, log, counts)`` (compiled) fills ``counts.shown[component]``, how often it has
      turned up so far, and ``counts.taken[seat, component]``, how often a seat took one; neither ever falls. It may
      read counters that the game keeps in its log.
    - ``give_component(rules, state, log, component, seat)`` (compiled) gives a seat one more, in place, at the first
      decision after it turned up; returns whether it could.
    - ``remove_component(packed, component)``, for components that are not given: changes the packed rules so that it
      does nothing and all else is dealt as it was.
    """

    MOST_COMPONENTS: int
    """An upper bound of their numbers, in any rule set."""
    count_components: Callable[..., Any]
    give_component: Callable[..., Any]
    remove_component: Callable[..., Any]


REQUIRED = ("MOST_COMPONENTS", "count_components", "give_component")


@dataclass(frozen=True)
class Component:
    """A card, or all cards that are alike: numbers of the same family and name are counted together.

    Attributes
    ----------
    name : str
        As on pages.
    family : str
        What kind of component it is, in the plural, e.g. "knights".
    given : bool
        Whether a seat can have one more; what can't, an event for all, is tried by leaving it out.
    """

    name: str
    family: str
    given: bool = True


def component_kernel(game: Game) -> ComponentKernel:
    """The kernel of a game that has components."""
    return cast(ComponentKernel, game.kernel)


def components_of(game: Game, rules: Any) -> list[Component]:
    """The components of a rule set by their numbers; empty where the game has none.

    Raises
    ------
    BalanceError
        The game names more than its kernel counts, or lacks a part.
    """
    lister: Callable[[Any], list[Component]] | None = getattr(game.analytics, "list_components", None)
    lacking = [name for name in REQUIRED if not hasattr(game.kernel, name)]
    if lister is None and len(lacking) == len(REQUIRED):
        return []
    if lister is None or lacking:
        parts = ["analytics.list_components"] * (lister is None) + [f"kernel.{each}" for each in lacking]
        raise game.fault(f"components: {', '.join(parts)} is lacking")
    found = list(lister(rules))
    if len(found) > component_kernel(game).MOST_COMPONENTS:
        raise game.fault(f"components: {len(found)} are more than MOST_COMPONENTS")
    if any(not each.given for each in found) and not hasattr(game.kernel, "remove_component"):
        raise game.fault("components: kernel.remove_component is lacking, for those that are not given")
    return found
