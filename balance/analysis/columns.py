"""Meanings of the columns in the tables of every game; a game describes its own in `COLUMNS` of its analytics."""

from __future__ import annotations

from collections.abc import Mapping

_GAME = {"game_id": "The game, by its number in the run; `balance replay RUN GAME_ID` shows it."}
_CELL = {
    "tier": "The tier that played the game; `main` if the experiment has no tiers.",
    "variant": "The name of the rule set.",
    "players": "Number of players.",
}
_SEAT = {
    **_GAME,
    **_CELL,
    "seat": "The seat, from 0, in the order of the first turn.",
    "strategy": "The strategy in the seat.",
}
_RESULT = {
    "score": "Score at the end of the game.",
    "rank": "1 is the best; equal seats share the better rank.",
    "win_share": "1 for a sole winner, 1/k if k seats win together, otherwise 0; equal for all seats in a draw.",
}
_STATUS = {
    "status": "`finished`; `draw`; `truncated`: broken off at `decision_limit`, without a result."
}

COLUMNS: Mapping[str, Mapping[str, str]] = {
    "games": {
        **_GAME,
        **_CELL,
        "deal_seed": "The seed of all chance in the game (the deal); games with the same seed form one cluster.",
        "seed": "The seed of the bots' own lots.",
        "lineup": "The strategies by seat, separated by commas.",
        "rounds": "Number of rounds started.",
        "decisions": "Number of decisions of all players, including those with one option only.",
        **_STATUS,
        "winners": "Number of seats that won.",
        "margin": "Best score less second best.",
        "lead_changes": "How often the lead changed, counted after each round (if rounds are logged).",
        "winner_deficit": "How far the winner was behind, in the rounds in which it was: mean square root of "
        "its deficit divided by its final score.",
        "decided": "Share of the rounds after which no seat was ahead of the winner any more.",
        "comeback": "Share of the winners who were behind at half time.",
        "choices": "Number of decisions with more than one option.",
        "choice_blocks": "Number of choices, where consecutive choices that players make together count once, as the "
        "game defines them.",
        "options": "Mean number of options of the choices.",
    },
    "seats": {**_SEAT, **_RESULT},
    "rounds": {
        **_GAME,
        "round": "The round, from 1.",
        "seat": _SEAT["seat"],
        "lead": "Points ahead of the best other seat if the game ended now; negative if behind.",
        "score": "The seat's score if the game ended now.",
    },
    "trace": {
        **_GAME,
        "step": "The number of the row in the game, from 0.",
        "round": "The round of the step.",
        "seat": "The seat that chooses; -1 for chance and outcomes.",
        "kind": "The kind of decision, in the game's words; `chance` for chance; `outcome` for what the rules made of "
        "the decision before it.",
        "outcome": "The name of an outcome; missing for decisions and chance.",
        "label": "The action or chance outcome, with the labels of the game's rule page; the name and parts of an "
        "outcome.",
        "options": "Number of legal actions; 0 for chance and outcomes.",
    },
    "luck": {
        **_SEAT,
        "game_id": "The game that was replayed.",
        "strategy": "The strategy in the seat in the replay.",
        "source": "The source of chance that was drawn again; `bots`: their own lots; `players`: another line-up.",
        **_RESULT,
        **_STATUS,
    },
}
"""The meaning of each column, by table."""
