"""Faults from random edits of operators and small constants, drawn by a seed from the sources.

From the root of the repository:

    python -m benchmarks.faults.operators --seed 0 --count 35

lists them. ``operator-0007`` is number 7 of seed 0, ``operator-3007`` number 7 of seed 3: each is drawn by
itself, so that a longer list begins with a shorter one. The same sources give the same faults; where files
have changed, a name may stand for another edit. Some edits change nothing that can be seen.
"""

import argparse
import ast
import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from benchmarks.faults.copies import FLOORS, modules_of
from benchmarks.faults.fault import Fault

ROOT = Path(__file__).parents[2]
PER_SEED, SEEDS = 1000, 10
"""Numbers of a seed, and seeds, that names of four digits have room for."""
NAME = re.compile(r"operator-(\d{4})")
SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""Operators and what stands for them. ``|`` is left alone: it joins types as well."""
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "argmin": "argmax", "argmax": "argmin"}
"""Functions, also those of numpy, and what is called for them."""
Edit = tuple[int, int, str, str]
"""Where the bytes begin and end that are replaced, the new text, and what is wrong then."""


def operator_fault(root: Path, seed: int, number: int) -> Fault:
    """Return the fault of a seed with a number.

    A file is drawn with probability proportional to its lines, then one of its places evenly; files without
    any are drawn again.

    Raises
    ------
    ValueError
        If the seed or the number has no name.
    """
    if not (0 <= seed < SEEDS and 0 <= number < PER_SEED):
        legal = f"seeds from 0 to {SEEDS - 1} and numbers from 0 to {PER_SEED - 1}"
        raise ValueError(f"operators have {legal}, got {seed} and {number}")
    files, lines = _files(root)
    rng = random.Random(f"{seed}:{number}")
    while True:
        file = rng.choices(files, lines)[0]
        text = (root / file).read_text(encoding="utf-8")
        if edits := edits_of(text):
            return _fault(f"operator-{seed * PER_SEED + number:04d}", file, text, rng.choice(edits))


def operators(root: Path, seed: int, count: int) -> tuple[Fault, ...]:
    """Return the first faults of a seed."""
    return tuple(operator_fault(root, seed, number) for number in range(count))


def operator_named(root: Path, name: str) -> Fault | None:
    """Return the fault of a name such as ``operator-0007``; None if it is no such name."""
    found = NAME.fullmatch(name)
    return None if found is None else operator_fault(root, *divmod(int(found[1]), PER_SEED))


def edits_of(text: str) -> list[Edit]:
    """Return all edits of a source, in the order of their places."""
    source, tree = text.encode(), ast.parse(text)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = {edit for node in _walked(tree) for edit in _edits(node, source, starts)}
    return sorted(found)


@cache
def _files(root: Path) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the files of the packages, examples left out, and their numbers of lines."""
    paths = [path.relative_to(root) for path in modules_of(root).values()]
    kept = sorted(path.as_posix() for path in paths if path.parts[0] in {*FLOORS, "treeplex"} - {"examples"})
    return tuple(kept), tuple((root / name).read_bytes().count(b"\n") for name in kept)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module but those in annotations, in decorators and in texts with fields."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _walked(child)


def _edits(node: ast.AST, source: bytes, starts: list[int]) -> Iterator[Edit]:
    """Yield the edits of one node itself."""
    if isinstance(node, ast.Compare):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            yield from _between(left, operator, right, source, starts)
            left = right
    elif isinstance(node, ast.BinOp):
        yield from _between(node.left, node.op, node.right, source, starts)
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _between(left, node.op, right, source, starts)
    elif isinstance(node, ast.AugAssign):
        yield from _between(node.target, node.op, node.value, source, starts)
    elif isinstance(node, ast.UnaryOp):
        yield from _without_sign(node, source, starts)
    elif isinstance(node, ast.Constant):
        yield from _constant(node, starts)
    elif isinstance(node, ast.Call):
        yield from _call(node, starts)


def _between(
    left: ast.expr, operator: ast.AST, right: ast.expr, source: bytes, starts: list[int]
) -> Iterator[Edit]:
    """Yield the swap of an operator between two operands."""
    if type(operator) not in SWAPS:
        return
    old, new = SWAPS[type(operator)]
    begin, end = _span(left, starts)[1], _span(right, starts)[0]
    words = rb"\s+".join(re.escape(word.encode()) for word in old.split())
    # parentheses and comments may stand between; where a comment holds the operator, the place is left out
    places = [*re.finditer(words, source[begin:end])]
    if len(places) == 1:
        first, last = places[0].span()
        yield begin + first, begin + last, new, f"`{old}` is `{new}`"


def _without_sign(node: ast.UnaryOp, source: bytes, starts: list[int]) -> Iterator[Edit]:
    """Yield the edit that leaves out a minus or a ``not``, with the blanks behind it."""
    if isinstance(node.op, ast.USub | ast.Not):
        what = "-" if isinstance(node.op, ast.USub) else "not"
        begin = _span(node, starts)[0]
        end = begin + len(what)
        while source[end : end + 1] == b" ":
            end += 1
        yield begin, end, "", f"`{what}` is left out"


def _constant(node: ast.Constant, starts: list[int]) -> Iterator[Edit]:
    begin, end = _span(node, starts)
    if isinstance(node.value, bool):
        yield begin, end, str(not node.value), f"`{node.value}` is `{not node.value}`"
    elif isinstance(node.value, int):
        new = 1 - node.value if node.value in (0, 1) else node.value + 1
        yield begin, end, str(new), f"`{node.value}` is `{new}`"


def _call(node: ast.Call, starts: list[int]) -> Iterator[Edit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in CALLS:
        end = _span(node.func, starts)[1]
        yield end - len(name), end, CALLS[name], f"`{name}` is `{CALLS[name]}`"


def _span(node: ast.expr, starts: list[int]) -> tuple[int, int]:
    """Return the first byte of a node and one past its last."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _fault(name: str, file: str, text: str, edit: Edit) -> Fault:
    """Return an edit as a fault: whole lines, with those before as far as they are needed to be unique."""
    source, (begin, end, new, why) = text.encode(), edit
    first, last = source.rfind(b"\n", 0, begin) + 1, source.find(b"\n", end) + 1 or len(source)
    while source.count(source[first:last]) > 1:
        first = source.rfind(b"\n", 0, first - 1) + 1
    line = source.count(b"\n", 0, begin) + 1
    old = source[first:last].decode()
    return Fault(
        name,
        file,
        old,
        (source[first:begin] + new.encode() + source[end:last]).decode(),
        f"{why} in line {line}",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """List the faults that are asked for and return the exit code."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.faults.operators", description="Random edits of operators."
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=35)
    asked = parser.parse_args(arguments)
    for fault in operators(ROOT, asked.seed, asked.count):
        changed = zip(fault.old.splitlines(), fault.new.splitlines(), strict=True)
        old, new = next((one.strip(), other.strip()) for one, other in changed if one != other)
        print(f"{fault.name}  {fault.file}: {fault.why}\n  - {old}\n  + {new}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
