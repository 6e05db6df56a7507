"""Labels and words of Tokens."""

from types import SimpleNamespace

from balance.contract.view import Panel


def write_label(code, rules):
    return f"roll {code}"


def kind_name(code):
    return "roll"


def observe(rules, state, seat):
    return SimpleNamespace(round=int(state.round_number), score=state.score[: state.players].tolist())


def conserved(rules, state):
    return {}


def say(label, who):
    return f"{who}: {label}"


def summarise(observation, names):
    return [f"{name}: {score}" for name, score in zip(names, observation.score, strict=True)]


def show(rules, observation, names):
    return [Panel("scores", ["player"], [[name] for name in names])]
