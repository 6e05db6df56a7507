"""The tree of a searcher: shortlists, selection and backpropagation."""

import numpy as np
import pytest

from balance.contract.records import blank
from balance.engine.buffers import BY_VALUE, BY_VISITS, NODE, SEARCH_SCRATCH
from balance.engine.search import tree

# As plain Python: only the compiled loop can call them compiled.
back_up, choose_finally, finish_shortlist, insert, select = (
    getattr(function, "py_func", function)
    for function in (tree.back_up, tree.choose_finally, tree.finish_shortlist, tree.insert, tree.select)
)


def shortlist(values, same=None, most=3, group_limit=2):
    """Return a node with these actions, numbered from 100."""
    node = blank(1, NODE)[0]
    for i, value in enumerate(values):
        insert(node, 100 + i, float(value), same[i] if same else i, most, group_limit)
    return node


def test_the_best_are_kept_best_first():
    """The order of arrival does not matter; among equals the first stays."""
    for values, expected in (
        ([1, 5, 3, 4, 2], [101, 103, 102]),
        ([5, 4, 3, 2, 1], [100, 101, 102]),
        ([1, 2, 3, 4, 5], [104, 103, 102]),
        ([2, 2, 2, 2], [100, 101, 102]),
    ):
        node = shortlist(values)
        assert node.code[: node["count"]].tolist() == expected


def test_amounts_do_not_crowd_out_other_actions():
    """The best two stakes of one placement stay; the other places go to other actions."""
    node = shortlist([9, 8, 7, 6, 1], same=[1, 1, 1, 1, 2], most=4)
    assert node.code[: node["count"]].tolist() == [100, 101, 104]
    node = shortlist([6, 7, 8, 9, 1], same=[1, 1, 1, 1, 2], most=4)
    assert node.code[: node["count"]].tolist() == [103, 102, 104]


@pytest.mark.parametrize("seed", range(20))
def test_shortlists_against_a_plain_one(seed):
    """A plain version sorts by value and skips an action if two of its kind are in the list."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 60))
    values, same = rng.permutation(count), rng.integers(0, 8, count)
    taken: list[int] = []
    for i in np.argsort(-values):
        if len(taken) < 6 and sum(same[j] == same[i] for j in taken) < 2:
            taken.append(int(i))
    node = shortlist(values, same.tolist(), most=6, group_limit=2)
    found = [int(code) - 100 for code in node.code[: node["count"]]]
    # A list that is full may have let go of what would have come back: the best of it agree.
    assert found[:4] == taken[:4]
    assert len(set(found)) == len(found)
    assert all(sum(same[j] == kind for j in found) <= 2 for kind in range(8))


def test_priors_are_a_softmax():
    """The softmax has its temperature; no action has been tried yet."""
    node = shortlist([1, 3, 2])
    finish_shortlist(node, 2.0)
    expected = np.exp(np.array([3, 2, 1]) / 2)
    assert node.prior[:3] == pytest.approx(expected / expected.sum())
    assert node.tried[:3].tolist() == [0, 0, 0]
    assert node.child[:3].tolist() == [-1, -1, -1]


def test_what_is_likely_is_tried_first_and_what_is_good_most():
    """With PUCT on a fixed truth the prior decides the first try, and the values the last."""
    node = shortlist([3, 2, 1])
    finish_shortlist(node, 1.0)
    truth = [0.3, 0.6, 0.5]
    first = select(node, 0.4)
    assert first == 0
    for _ in range(400):
        pick = select(node, 0.4)
        node.visits += 1
        node.tried[pick] += 1
        node.won[pick] += truth[pick]
    assert int(np.argmax(node.tried[:3])) == 1
    assert choose_finally(node, BY_VISITS) == choose_finally(node, BY_VALUE) == 1


def test_the_best_mean_counts_only_where_it_was_tried():
    """One lucky try does not decide."""
    node = shortlist([3, 2])
    finish_shortlist(node, 1.0)
    node.visits, node.tried[:2], node.won[:2] = 101, (100, 1), (60.0, 1.0)
    assert choose_finally(node, BY_VALUE) == 0
    assert choose_finally(node, BY_VISITS) == 0


def test_every_seat_is_told_its_own_reward():
    """max^n: each node on the way adds its own seat's reward."""
    nodes, desk = blank(2, NODE), blank(1, SEARCH_SCRATCH)[0]
    nodes[0].seat, nodes[1].seat = 2, 0
    desk.depth, desk.way[:2], desk.picked[:2] = 2, (0, 1), (3, 1)
    desk.reward[:3] = (0.1, 0.2, 0.7)
    back_up(nodes, desk)
    assert (nodes[0].won[3], nodes[1].won[1]) == pytest.approx((0.7, 0.1))
    assert (nodes[0].tried[3], nodes[1].tried[1], nodes[0].visits) == (1, 1, 1)
