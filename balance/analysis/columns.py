"""What the columns mean that the tables of every game have; a game says it of its own in `COLUMNS` of its analytics."""

from __future__ import annotations

from collections.abc import Mapping

_GAME = {"game_id": "The game, by its number in the run; `balance replay RUN GAME_ID` shows it."}
_CELL = {
    "tier": "The tier that played it; `main` where the experiment has none.",
    "variant": "The rule set, by its name.",
    "players": "How many players.",
}
_SEAT = {
    **_GAME,
    **_CELL,
    "seat": "From 0, in the order of the first turn.",
    "strategy": "Who sits there.",
}
_RESULT = {
    "score": "At the end of the game.",
    "rank": "1 is the best; equals share the better place.",
    "win_share": "1 for a sole winner, 1/k where k win together, else 0; all alike in a draw.",
}
_STATUS = {
    "status": "`finished`; `draw`; `truncated`: broken off at `decision_limit`, without a result."
}

COLUMNS: Mapping[str, Mapping[str, str]] = {
    "games": {
        **_GAME,
        **_CELL,
        "deck_seed": "What all chance of the game follows from; games that share it are alike, one cluster.",
        "seed": "What the bots' own lots follow from.",
        "lineup": "The strategies by seat, with commas.",
        "rounds": "Rounds begun.",
        "decisions": "Of all players together, also where there is one option only.",
        **_STATUS,
        "winners": "How many seats won.",
        "margin": "Best score less second best.",
        "lead_changes": "How often another seat took the lead, seen after each round (where rounds are logged).",
        "drama": "How far the winner was behind while it was: mean square root of its deficit by its last score.",
        "decided": "Share of the rounds after which nobody was ahead of the winner any more.",
        "comeback": "Share of the winners who were behind at half time.",
        "choices": "Decisions with more than one option.",
        "choice_blocks": "Choices, those in a row that people make together counted once, as the game defines them.",
        "options": "Mean number of options of the choices.",
    },
    "seats": {**_SEAT, **_RESULT},
    "rounds": {
        **_GAME,
        "round": "From 1.",
        "seat": _SEAT["seat"],
        "lead": "Points ahead of the best other seat if the game ended now; negative behind.",
        "score": "What the seat would score if the game ended now.",
    },
    "trace": {
        **_GAME,
        "step": "From 0: the decisions and chance outcomes of a game in their order.",
        "round": "In which it happens.",
        "seat": "Who chooses; -1 for chance.",
        "kind": "Of decision, in the game's words; `chance` for chance.",
        "label": "The action or outcome, as the game's rule page writes labels.",
        "options": "How many actions were legal.",
    },
    "luck": {
        **_SEAT,
        "game_id": "The game that was played again.",
        "strategy": "Who sits there in the new game.",
        "source": "The source of chance that was drawn anew; `bots`: their own lots; `players`: another line-up.",
        **_RESULT,
        **_STATUS,
    },
}
"""Table, then column, to its meaning."""
