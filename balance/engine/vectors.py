"""Sums of a network's layer with vector instructions, in a fixed order.

Numba vectorizes no sum of floats, because that would change its order, and keeps no layer in registers from one row to
the next. So the compiled versions are written in LLVM's language, with vectors of `HIDDEN` numbers. The functions that
Python runs if Numba is switched off say what they compute; both give the same numbers.
"""

from __future__ import annotations

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from balance.contract.records import HIDDEN

_SUMS = 4  # of a score, which do not wait for each other
_LONG, _INT = ir.IntType(64), ir.IntType(32)
_LAYER = ir.VectorType(ir.FloatType(), HIDDEN)
_UNSET = ir.Constant(_LAYER, ir.Undefined)


def add_rows(target, source, values, rows, used):
    """Write `source` plus all ``values[i] * rows[i]`` to `target`, in the order of i; values of 0 are skipped.

    `used` is space for as many numbers as `values` has.
    """
    target[:] = source
    for i in np.flatnonzero(values):
        target += values[i] * rows[i]


def weigh_layer(hidden, out):
    """Return ``relu(hidden) @ out``, in four sums."""
    products = np.maximum(hidden, np.float32(0)) * out
    a, b, c, d = products.reshape(-1, _SUMS).cumsum(0)[-1]
    return (a + b) + (c + d)


@overload(add_rows)
def _compile_add_rows(target, source, values, rows, used):
    def add(target, source, values, rows, used):
        count = 0
        for i in range(values.shape[0]):
            used[count] = i
            count += values[i] != 0.0
        _add_used(target, source, values, rows, used, count)

    return add


@overload(weigh_layer)
def _compile_weigh_layer(hidden, out):
    return lambda hidden, out: _weigh(hidden, out)


def _addresses(context, builder, kinds, arrays):
    """Return the addresses of the first elements of arrays."""
    assert all(kind.layout == "C" for kind in kinds)
    return [make_array(kind)(context, builder, each).data for kind, each in zip(kinds, arrays, strict=True)]


def _layer_at(builder, address):
    return builder.load(builder.bitcast(address, _LAYER.as_pointer()), align=4)


def _choose(builder, layer, indices):
    """Return the elements of a layer with these indices as a vector."""
    return builder.shuffle_vector(layer, _UNSET, ir.Constant(ir.VectorType(_INT, len(indices)), indices))


@intrinsic
def _add_used(typing, target, source, values, rows, used, count):
    """Add the rows with the numbers ``used[:count]``."""

    def generate(context, builder, signature, args):
        addresses = _addresses(context, builder, signature.args[:-1], args[:-1])
        to, source, values, rows, used = addresses
        before, test, add, after = builder.block, *(builder.append_basic_block() for _ in range(3))
        first = _layer_at(builder, source)
        builder.branch(test)
        builder.position_at_end(test)
        number, layer = builder.phi(_LONG), builder.phi(_LAYER)
        builder.cbranch(builder.icmp_signed("<", number, args[-1]), add, after)
        builder.position_at_end(add)
        i = builder.zext(builder.load(builder.gep(used, [number])), _LONG)
        value = builder.insert_element(_UNSET, builder.load(builder.gep(values, [i])), _INT(0))
        row = _layer_at(builder, builder.gep(rows, [builder.mul(i, _LONG(HIDDEN))]))
        added = builder.fmul(_choose(builder, value, [0] * HIDDEN), row)
        for variable, start, then in (
            (number, _LONG(0), builder.add(number, _LONG(1))),
            (layer, first, builder.fadd(layer, added)),
        ):
            variable.add_incoming(start, before)
            variable.add_incoming(then, add)
        builder.branch(test)
        builder.position_at_end(after)
        builder.store(layer, builder.bitcast(to, _LAYER.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(target, source, values, rows, used, types.int64), generate


@intrinsic
def _weigh(typing, hidden, out):
    """Return ``relu(hidden) @ out``."""

    def generate(context, builder, signature, args):
        layer, weights = (_layer_at(builder, each) for each in _addresses(context, builder, signature.args, args))
        zero = ir.Constant(_LAYER, [0.0] * HIDDEN)
        products = builder.fmul(builder.select(builder.fcmp_ordered(">", layer, zero), layer, zero), weights)
        sums, *others = (_choose(builder, products, list(range(j, j + _SUMS))) for j in range(0, HIDDEN, _SUMS))
        for other in others:
            sums = builder.fadd(sums, other)
        a, b, c, d = (builder.extract_element(sums, _INT(k)) for k in range(_SUMS))
        return builder.fadd(builder.fadd(a, b), builder.fadd(c, d))

    return types.float32(hidden, out), generate
