"""Writing of sequence programs for other solvers: free-format MPS, and the LP format of CPLEX.

Columns and rows have names that all solvers can read.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from textwrap import wrap
from typing import IO

import numpy as np

from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.sequence_program import LinearProgram, plain_program

LONGEST_STEM = 90
"""Longer names are cut: with suffixes they remain below CBC's limit of 100 characters."""
STRANGE = re.compile(r"[^A-Za-z0-9_.,()?]")
"""Characters that are replaced: spaces end a name in MPS, signs and brackets are operators in LP."""


@dataclass(frozen=True)
class ProgramNames:
    """The names of a program's columns and rows, in its order.

    ``x(INFOSET,ACTION)`` is a sequence of the player, ``v(INFOSET)`` the value of an infoset of the other
    player, ``s(K)`` a running sum of a factored payoff; ``x()`` is the empty sequence and ``v()`` the value
    of the whole game. Row ``flow(INFOSET)`` says that a plan's weights below an infoset add up, ``sum(K)``
    defines a running sum, ``value(INFOSET,ACTION)`` bounds a value from below by what a sequence of the other
    player earns.

    Characters of keys and labels other than ASCII letters, digits and ``_.,()?`` are replaced by ``_``, and
    names are cut to ``LONGEST_STEM``. Repeated names then get the suffix ``~2``, ``~3``, ...: names of
    columns are unique, and so are names of rows.

    Attributes
    ----------
    columns, rows : tuple of str
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]

    @staticmethod
    def of(form: SequenceForm, player: int) -> "ProgramNames":
        """Name the program of ``player``."""
        own, other = form.treeplexes[player], form.treeplexes[1 - player]
        sums = [str(k) for k in range(len(form.payoff.link))]
        return ProgramNames(
            _distinct(
                (*_named("x", _sequences(own)), *_named("v", ("", *other.infosets)), *_named("s", sums))
            ),
            _distinct(
                (
                    *_named("flow", ("", *own.infosets)),
                    *_named("sum", sums),
                    *_named("value", _sequences(other)),
                )
            ),
        )


def _sequences(treeplex: Treeplex) -> list[str]:
    keys = (treeplex.infosets[i] for i in treeplex.infoset_of[1:].tolist())
    return ["", *(f"{key},{action}" for key, action in zip(keys, treeplex.actions[1:], strict=True))]


def _named(kind: str, inner: Iterable[str]) -> list[str]:
    return [f"{kind}({STRANGE.sub('_', text)})" for text in inner]


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, cut and made unique by suffixes; no original name contains ``~``."""
    found: list[str] = []
    uses: dict[str, int] = {}
    for name in names:
        short = name[:LONGEST_STEM]
        uses[short] = count = uses.get(short, 0) + 1
        found.append(short if count == 1 else f"{short}~{count}")
    return tuple(found)


TINY = 1e-9
"""Solvers drop entries up to about this."""
TERMS = 3
"""Terms on a line of LP text: some readers take lines of at most 560 characters."""
COMMENT_WIDTH = 110
LINES = 10_000
"""Lines written at a time."""


@dataclass(frozen=True)
class NamedProgram:
    """A player's unscaled program in the game's own unit, as a minimisation, with names.

    Columns: the player's plan x (S own, at least 0), the values v of the other player's root and infosets in
    the *other* player's payoff (1 + I other, free), the running sums s of a factored payoff (K, free).
    Minimise ``v()``. Rows, with A the other player's payoff, (S other, S own)::

        flow    E x = e
        sum     the rows of running sums of ``sequence_program``
        value   F' v - A x >= 0

    The optimum is the value of the game to the other player: player 0's value if the plan is player 1's,
    minus it if the plan is player 0's. Both formats minimise by default; readers differ on how to maximise.

    Attributes
    ----------
    program : LinearProgram
        ``cost`` is minimised.
    names : ProgramNames
    game, unit : str
    player : int
        The player whose plan the columns are.
    """

    program: LinearProgram
    names: ProgramNames
    game: str
    unit: str
    player: int

    @staticmethod
    def of(form: SequenceForm, player: int) -> "NamedProgram":
        """Write the program of ``player`` without any scaling."""
        ours = plain_program(form, player)
        program = ours.program
        # The solver's program maximises the player's payoff. Here values are the other player's: their
        # columns and rows change sign, and the bounds of these rows change sides.
        n_values = 1 + form.treeplexes[1 - player].n_infosets
        column, row = np.ones(program.n_cols), np.ones(program.n_rows)
        column[ours.n_own : ours.n_own + n_values] = -1.0
        row[-ours.n_other :] = -1.0
        turned = program.matrix.copy()
        turned.data *= row[turned.indices] * np.repeat(column, np.diff(turned.indptr))
        lower, upper = program.row_lower.copy(), program.row_upper.copy()
        lower[-ours.n_other :], upper[-ours.n_other :] = 0.0, np.inf
        minimised = LinearProgram(program.cost, turned, lower, upper, program.col_lower, program.col_upper)
        return NamedProgram(minimised, ProgramNames.of(form, player), form.name, form.unit, player)

    @property
    def has_sums(self) -> bool:
        """Whether the payoff is factored."""
        return self.names.columns[-1].startswith("s(")

    @property
    def comment(self) -> tuple[str, ...]:
        """The comment lines at the start of the file."""
        other, sign = 1 - self.player, "minus " if self.player == 0 else ""
        sums = ", s running sums that many payoffs share" if self.has_sums else ""
        smallest = float(np.min(np.abs(self.program.matrix.data)))
        lines: tuple[str, ...] = (
            f"{self.game}: the sequence-form program of player {self.player}, payoffs in {self.unit}",
            f"Columns: x is the plan of player {self.player}, v what player {other} can get{sums}.",
            f"Minimised: v(), what player {other} gets. Optimum: {sign}the value of the game to player 0.",
        )
        if smallest < TINY:
            lines += (f"The smallest entry is {smallest!r}; many solvers drop entries below {TINY:g}.",)
        ascii_lines = (line.encode("ascii", "replace").decode() for line in lines)
        return tuple(part for line in ascii_lines for part in wrap(line, COMMENT_WIDTH))


def write_mps(form: SequenceForm, player: int, file: IO[str], report: Report = quiet) -> None:
    """Write the program of ``player`` as free-format MPS; see :class:`NamedProgram`.

    Numbers are the shortest decimals that identify the floats; each float is the exact number rounded once.
    ``report`` is told a few times a second how many lines are written.
    """
    report(f"{form.name}: assembling the program")
    named = NamedProgram.of(form, player)
    program, names = named.program, named.names
    equal = (program.row_lower == program.row_upper).tolist()
    free = np.isinf(program.col_lower).tolist()
    # CBC reads short names as columns of fixed width unless the first line says FREE.
    _write(
        file,
        chain(
            (f"* {line}\n" for line in named.comment),
            ("NAME treeplex FREE\n", "ROWS\n", " N obj\n"),
            (f" {'E' if e else 'G'} {row}\n" for e, row in zip(equal, names.rows, strict=True)),
            ("COLUMNS\n",),
            _mps_columns(program, names),
            ("RHS\n",),
            (
                f" RHS {names.rows[i]} {float(program.row_lower[i])!r}\n"
                for i in np.flatnonzero(program.row_lower).tolist()
            ),
            ("BOUNDS\n",),
            (f" FR BND {column}\n" for f, column in zip(free, names.columns, strict=True) if f),
            ("ENDATA\n",),
        ),
        report,
    )


def write_lp(form: SequenceForm, player: int, file: IO[str], report: Report = quiet) -> None:
    """Write the program of ``player`` as CPLEX LP text; numbers are those of :func:`write_mps`."""
    report(f"{form.name}: assembling the program")
    named = NamedProgram.of(form, player)
    program, names = named.program, named.names
    free = np.isinf(program.col_lower).tolist()
    cost = zip(program.cost.tolist(), names.columns, strict=True)
    _write(
        file,
        chain(
            (f"\\ {line}\n" for line in named.comment),
            ("Minimize\n obj: ", " ".join(f"{c:+} {column}" for c, column in cost if c), "\nSubject To\n"),
            _lp_rows(program, names),
            ("Bounds\n",),
            (f" {column} free\n" for f, column in zip(free, names.columns, strict=True) if f),
            ("End\n",),
        ),
        report,
    )


def _mps_columns(program: LinearProgram, names: ProgramNames) -> Iterator[str]:
    matrix, cost = program.matrix, program.cost.tolist()
    rows, data, start = matrix.indices.tolist(), matrix.data.tolist(), matrix.indptr.tolist()
    for j, column in enumerate(names.columns):
        if cost[j]:
            yield f" {column} obj {cost[j]!r}\n"
        for k in range(start[j], start[j + 1]):
            yield f" {column} {names.rows[rows[k]]} {data[k]!r}\n"


def _lp_rows(program: LinearProgram, names: ProgramNames) -> Iterator[str]:
    matrix = program.matrix.tocsr()
    columns, data, start = matrix.indices.tolist(), matrix.data.tolist(), matrix.indptr.tolist()
    equal, side = program.row_lower == program.row_upper, program.row_lower.tolist()
    for i, (row, is_equal) in enumerate(zip(names.rows, equal.tolist(), strict=True)):
        terms = [f"{data[k]:+} {names.columns[columns[k]]}" for k in range(start[i], start[i + 1])]
        lines = "\n  ".join(" ".join(terms[k : k + TERMS]) for k in range(0, len(terms), TERMS))
        yield f" {row}: {lines} {'=' if is_equal else '>='} {side[i]!r}\n"


def _write(file: IO[str], lines: Iterator[str], report: Report) -> None:
    counted = reported(lines, report, lambda n: f"{n:,} lines written")
    while some := "".join(islice(counted, LINES)):
        file.write(some)
