"""Writing of game trees as Gambit's extensive-form files (``.efg``)."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import MAX_DIGITS, shown
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.seqform.trees.game_tree import GameTree

TOO_LARGE = 10**MAX_DIGITS
PLAYERS = '{ "Player 1" "Player 2" }'
SPECIAL = re.compile(r'\\(?=[\\"]|\Z)|"')
"""Characters that need a backslash within quotes."""


def efg_text(tree: GameTree, constant: Fraction = Fraction(0), report: Report = quiet) -> str:
    """Return a game tree in Gambit's extensive-form format, one line for each history.

    Infosets are called by their keys and numbered from 1 for each player, in the order of their first
    histories; chance's have no names. Outcomes are numbered from 1, one for each payoff. Infosets and
    outcomes are described in full at every node, as some readers require. Numbers are exact: integers or
    fractions. The format does not contain what players know where they do not act.

    OpenSpiel reads these files except for labels with quotes and numerators or denominators beyond 32 bits.

    Parameters
    ----------
    tree : GameTree
    constant : Fraction, optional
        The sum of both players' payoffs; player 1 is paid this minus player 0's payoff.
    report : callable, optional
        Told a few times a second how many histories are written.

    Raises
    ------
    ValueError
        If a payoff or a probability has more than 4,000 digits.
    """
    every = tree.n_nodes
    nodes = reported(_nodes(tree, constant), report, lambda n: f"{n:,} of {every:,} histories written")
    return "\n".join((f"EFG 2 R {_quoted(tree.name)} {PLAYERS}", *nodes, ""))


def _nodes(tree: GameTree, constant: Fraction) -> Iterator[str]:
    numbers: dict[object, dict[object, int]] = {}
    weights = _weights(tree)
    for n, (player, payoff) in enumerate(zip(tree.player.tolist(), tree.payoff.tolist(), strict=True)):
        if player == TERMINAL:
            number = _number(numbers, TERMINAL, payoff)
            paid = Fraction(payoff, tree.payoff_den)
            first, second = map(_written, (paid, constant - paid))
            yield f't "" {number} "{first}" {{ {first}, {second} }}'
        elif player == CHANCE:
            outcomes = zip(map(_quoted, tree.outcomes[n]), weights[n], strict=True)
            yield f'c "" {_number(numbers, CHANCE, n)} "" {{ {_spaced(outcomes)} }} 0'
        else:
            key = tree.infoset[n, player]
            name = _quoted(tree.keys[player][key])
            actions = " ".join(map(_quoted, tree.labels[player][key]))
            yield f'p "" {player + 1} {_number(numbers, player, key)} {name} {{ {actions} }} 0'


def _number(numbers: dict[object, dict[object, int]], kind: object, what: object) -> int:
    """Return the number of ``what`` among those of its kind, the next free one if it is new."""
    known = numbers.setdefault(kind, {})
    return known.setdefault(what, len(known) + 1)


def _weights(tree: GameTree) -> dict[int, list[Fraction]]:
    """Return the probability of each outcome at each chance node."""
    weights: dict[int, list[Fraction]] = {n: [] for n in tree.outcomes}
    reach = tree.chance.tolist()
    for n, above in enumerate(tree.parent.tolist()):
        if above in weights:
            weights[above].append(Fraction(reach[n], reach[above]))
    return weights


def _spaced(outcomes: Iterable[tuple[str, Fraction]]) -> str:
    return " ".join(f"{label} {_written(weight)}" for label, weight in outcomes)


def _written(number: Fraction) -> str:
    """Return a number as p/q; raises ``ValueError`` for one that readers of such files refuse."""
    if max(abs(number.numerator), number.denominator) >= TOO_LARGE:
        raise BadInputError(f".efg files have numbers of at most {MAX_DIGITS:,} digits, got {shown(number)}")
    return str(number)


def _quoted(label: str) -> str:
    return '"' + SPECIAL.sub(lambda found: "\\" + found[0], label) + '"'
