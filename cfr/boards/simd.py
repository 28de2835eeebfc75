"""Vectors of 64 bytes for numba: loads, sums, copies and transposes written as LLVM IR.

A *vector* is a row of a C-contiguous array of eight float64, or of sixteen float32. Arrays should start at a
multiple of 64 bytes (``simd_rows``), or each access touches two cache lines. Plain loops over the numbers of
a vector are not vectorised.
"""

# Measured on examples/turn.toml, one thread, medians of interleaved runs: 29.8 CPU ms an iteration with these
# intrinsics, 44.5 with loops over the eight elements, 48.2 with the loops unrolled (36.7 with numba's SLP
# vectorizer, which is off unless an environment variable turns it on).

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from treeplex.cfr.boards.board_arrays import Reals

BYTES = 64
"""Of a vector, and of a cache line."""
FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
LANES = {kind: BYTES // kind.itemsize for kind in (FLOAT32, FLOAT64)}
"""Numbers of a vector."""
MOST_LANES = max(LANES.values())


def kind_of(lanes: int) -> np.dtype[Any]:
    """Return the dtype of which so many numbers make a vector."""
    return next(kind for kind, count in LANES.items() if count == lanes)


def simd_rows(rows: int, kind: np.dtype[Any] = FLOAT64) -> Reals:
    """Return zeros, (rows, lanes), each row on its own cache line."""
    return aligned(rows * LANES[kind], kind).reshape(rows, LANES[kind])


def aligned(count: int, kind: np.dtype[Any] = FLOAT64) -> Reals:
    """Return zeros, (count,), starting at a multiple of 64 bytes."""
    workspace = np.zeros(count + LANES[kind], kind)
    skip = -workspace.ctypes.data // kind.itemsize % LANES[kind]
    return workspace[skip : skip + count]


@intrinsic
def add_vector(typing: Any, to: Any, i: Any, of: Any, j: Any) -> Any:
    """Add a vector: ``to[i] += of[j]``; bounds are not checked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _pointer(context, builder, signature.args[0], args[0], args[1])
        source = _pointer(context, builder, signature.args[2], args[2], args[3])
        total = builder.fadd(_load(builder, target), _load(builder, source))
        builder.store(total, target, align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, of, types.uintp), generate


@intrinsic
def add_unblocked(typing: Any, to: Any, i: Any, sums: Any, all_: Any, first: Any, second: Any) -> Any:
    """Add a total less the sums of two cards: ``to[i] += sums[all_] - sums[first] - sums[second]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _pointer(context, builder, signature.args[0], args[0], args[1])
        whole, one, other = (
            _load(builder, _pointer(context, builder, signature.args[2], args[2], index))
            for index in args[3:6]
        )
        gain = builder.fsub(builder.fsub(whole, one), other)
        builder.store(builder.fadd(_load(builder, target), gain), target, align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, sums, types.uintp, types.uintp, types.uintp), generate


@intrinsic
def add_unblocked_parts(
    typing: Any, to: Any, i: Any, sums: Any, all_: Any, first: Any, second: Any, part: Any, other: Any
) -> Any:
    """Add a total less parts of the sums of two cards.

    ``to[i] += sums[all_] - part * sums[first] - other * sums[second]``; the parts are float64.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = _vector(signature.args[2])
        target = _pointer(context, builder, signature.args[0], args[0], args[1])
        gain, one, another = (
            _load(builder, _pointer(context, builder, signature.args[2], args[2], index))
            for index in args[3:6]
        )
        for blocked, factor in ((one, args[6]), (another, args[7])):
            gain = builder.fsub(gain, builder.fmul(blocked, _spread(builder, factor, vector)))
        builder.store(builder.fadd(_load(builder, target), gain), target, align=BYTES)
        return context.get_dummy_value()

    indices = (types.uintp,) * 3
    return types.void(to, types.uintp, sums, *indices, types.float64, types.float64), generate


@intrinsic
def copy_vector(typing: Any, to: Any, i: Any, of: Any, j: Any) -> Any:
    """Copy a vector: ``to[i] = of[j]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _pointer(context, builder, signature.args[0], args[0], args[1])
        source = _pointer(context, builder, signature.args[2], args[2], args[3])
        builder.store(_load(builder, source), target, align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, of, types.uintp), generate


@intrinsic
def scale_vector(typing: Any, to: Any, i: Any, of: Any, j: Any, factor: Any) -> Any:
    """Write a vector times a float64: ``to[i] = factor * of[j]``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _pointer(context, builder, signature.args[0], args[0], args[1])
        source = _load(builder, _pointer(context, builder, signature.args[2], args[2], args[3]))
        times = _spread(builder, args[4], _vector(signature.args[2]))
        builder.store(builder.fmul(source, times), target, align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, of, types.uintp, types.float64), generate


@intrinsic
def interleave(typing: Any, to: Any, start: Any, of: Any, places: Any, factors: Any) -> Any:
    """Transpose: ``to[start + i, l] = factors[l] * of[places[l] + start + i]``, i and l below the lanes.

    Both ``start`` and the places are multiples of the lanes; factors are float64.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        vector = _vector(kinds[0])
        rows = []
        for k in range(vector.count):
            run = _run_of(context, builder, (kinds[2], kinds[3]), args[2], args[3], k, args[1])
            factor = builder.load(_item(context, builder, kinds[4], args[4], k))
            rows.append(builder.fmul(_load(builder, run), _spread(builder, factor, vector)))
        target = _pointer(context, builder, kinds[0], args[0], args[1])
        for i, row in enumerate(_transposed(builder, rows)):
            builder.store(row, builder.gep(target, [ir.Constant(ir.IntType(64), i)]), align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, of, places, factors), generate


@intrinsic
def add_interleaved(typing: Any, to: Any, start: Any, of: Any, places: Any) -> Any:
    """Transpose and add: ``to[places[l] + start + i] += of[start + i, l]``, i and l below the lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        source = _pointer(context, builder, kinds[2], args[2], args[1])
        rows = [
            _load(builder, builder.gep(source, [ir.Constant(ir.IntType(64), i)]))
            for i in range(_vector(kinds[2]).count)
        ]
        for k, row in enumerate(_transposed(builder, rows)):
            place = _run_of(context, builder, (kinds[0], kinds[3]), args[0], args[3], k, args[1])
            builder.store(builder.fadd(_load(builder, place), row), place, align=BYTES)
        return context.get_dummy_value()

    return types.void(to, types.uintp, of, places), generate


def _vector(kind: Any) -> Any:
    """Return the vector of an array's numbers in IR."""
    element = ir.FloatType() if kind.dtype == types.float32 else ir.DoubleType()
    return ir.VectorType(element, BYTES * 8 // kind.dtype.bitwidth)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Transpose n vectors of n: swap blocks of one, two, four ... across pairs of rows."""
    n, width = len(rows), 1
    while width < n:
        low = [c if not c & width else n + c - width for c in range(n)]
        high = [c + width if not c & width else n + c for c in range(n)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), n), mask) for mask in (low, high)]
        after = list(rows)
        for i in range(n):
            if not i & width:
                after[i], after[i + width] = (
                    builder.shuffle_vector(rows[i], rows[i + width], mask) for mask in masks
                )
        rows = after
        width *= 2
    return rows


def _run_of(context: Any, builder: Any, kinds: Any, array: Any, places: Any, k: int, start: Any) -> Any:
    place = builder.load(_item(context, builder, kinds[1], places, k))
    first = context.make_array(kinds[0])(context, builder, array).data
    return builder.bitcast(builder.gep(first, [builder.add(place, start)]), _vector(kinds[0]).as_pointer())


def _item(context: Any, builder: Any, kind: Any, array: Any, index: int) -> Any:
    first = context.make_array(kind)(context, builder, array).data
    return builder.gep(first, [ir.Constant(ir.IntType(64), index)])


def _spread(builder: Any, number: Any, vector: Any) -> Any:
    """Return a vector of one float64 in the vector's kind."""
    if vector.element != number.type:
        number = builder.fptrunc(number, vector.element)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, one, zeros)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> Any:
    start, vector = context.make_array(kind)(context, builder, array).data, _vector(kind)
    offset = builder.mul(row, ir.Constant(row.type, vector.count))
    return builder.bitcast(builder.gep(start, [offset]), vector.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=BYTES)
