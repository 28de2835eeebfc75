"""Names of a sequence program's columns and rows that all solvers can read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex

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
