"""Action translation: a strategy for few bet sizes plays a game with more.

Ganzfried and Sandholm, 2013. What a bet is taken for by a player who knows fewer sizes is said by the
pseudo-harmonic mapping (IJCAI 2013).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import CALL
from treeplex.games.poker.rules import Point
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

Move = tuple[str, str]
"""A betting line and the label of an action there."""
ActionMapping = dict[Move, dict[Move, float]]
"""For each move of the full game, the abstract moves that it is mapped to, with probabilities."""


def translate(
    abstract_game: PokerGame,
    abstract_form: SequenceForm,
    behaviour: Floats,
    full_game: PokerGame,
    full_form: SequenceForm,
    *,
    defender: int,
    fallback: Floats | None = None,
) -> Floats:
    """Return how the defender plays the full game with a strategy of one that has fewer bet sizes.

    An opponent's raise of a size that the abstract game offers there is read as that raise. Any other is
    read as the next smaller or the next larger one, by :func:`pseudo_harmonic`; below the smallest it is
    the smallest and above the largest the largest, always, since a raise read as a check would leave the
    two games out of step. Each reading is drawn once and remembered for the rest of the hand. The
    defender's own actions are those of the abstract game by the same size; other sizes are never played.

    The draws make this a mixture of strategies, which is added up in plans, where mixing is linear: the
    plan of a sequence is the sum, over the abstract sequences that it may be read as, of the readings'
    probability times the abstract plan.

    Parameters
    ----------
    abstract_game, full_game : PokerGame
        Alike but for the bet sizes and the stacks. Wherever the defender acts, every size of the abstract
        game must be in the full game too: stacks must be deep enough that none is cut to all-in in one game
        and not in the other, and sizes large enough that none is lifted to the least raise.
    abstract_form, full_form : SequenceForm
        Of these games.
    behaviour : (S_abstract,) f64
        The defender's in the abstract game.
    defender : int
        0 or 1.
    fallback : (S_full,) f64, optional
        The behaviour at infosets that the translated strategy does not reach; uniform unless given.

    Returns
    -------
    (S_full,) f64
        The defender's behaviour in the full game, normalised at every infoset.

    Raises
    ------
    ValueError
        If the games differ in more than sizes and stacks or fall out of step, if a form has other infosets
        than its game, or if an array does not fit.
    """
    if defender not in (0, 1):
        raise BadInputError(f"defender must be 0 or 1, got {defender!r}")
    for what, game, form in (("abstract", abstract_game, abstract_form), ("full", full_game, full_form)):
        if form.name != game.name:
            raise BadInputError(f"{what}_form must be of {what}_game, {game.name}, got that of {form.name}")
    check_alike(abstract_game, full_game)
    abstract, full = abstract_form.treeplexes[defender], full_form.treeplexes[defender]
    mapping = _action_mapping(abstract_game, full_game, defender)
    return full.behaviour(_plan(abstract, abstract.plan(behaviour), full, mapping), fallback)


def _plan(abstract: Treeplex, played: Floats, full: Treeplex, mapping: ActionMapping) -> Floats:
    """Return the plan of the full game (S_full,) that mixes the readings of an abstract one (S_abstract,)."""
    known = {
        (abstract.infosets[i], label): s
        for s, (i, label) in enumerate(zip(abstract.infoset_of, abstract.actions, strict=True))
        if s
    }
    plan = np.ones(full.n_sequences)
    try:
        for s in range(1, full.n_sequences):
            cards, _, line = full.infosets[full.infoset_of[s]].rpartition(":")
            plan[s] = sum(
                chance * played[known[f"{cards}:{other}", label]]
                for (other, label), chance in mapping[line, full.actions[s]].items()
            )
    except KeyError as error:
        raise BadInputError(
            f"the forms must have the infosets of their games; nothing fits {error}"
        ) from None
    return plan


def _action_mapping(abstract: PokerGame, full: PokerGame, defender: int) -> ActionMapping:
    """Walk both betting trees in step."""
    mapping: ActionMapping = {}
    todo = [(full.first_line, {abstract.first_line: 1.0})]
    while todo:
        line, mixture = todo.pop()
        point = full.point(line)
        for other in mixture:
            _check_step(abstract, other, full, line, defender)
        if point.player == CHANCE:
            todo.append((point.after, {abstract.point(o).after: p for o, p in mixture.items()}))
        own = point.player == defender
        read = {other: readings(abstract, other, full, line, own=own) for other in mixture}
        for action, after in point.moves.items():
            mapping[line, action] = {
                (other, label): p * q
                for other, p in mixture.items()
                for label, q in read[other][action].items()
            }
            drawn = mapping[line, action].items()
            todo.append((after, {abstract.point(o).moves[label]: p for (o, label), p in drawn}))
    return mapping


def _check_step(abstract: PokerGame, other: str, full: PokerGame, line: str, defender: int) -> None:
    """Make sure that each game offers at its line what the other game's line asks of it."""
    known, sizes = raise_sizes(abstract, other), raise_sizes(full, line)
    theirs, ours = abstract.point(other), full.point(line)
    same = theirs.player == ours.player and theirs.moves.keys() - known == ours.moves.keys() - sizes
    if ours.player == defender:
        same &= set(known.values()) <= set(sizes.values())
    elif sizes:
        same &= bool(known)
    if not same:
        raise BadInputError(
            f"{full.name} at {line!r} offers {list(ours.moves)}, {abstract.name} at {other!r} "
            f"{list(theirs.moves)}: the defender's sizes must be in both, and no stack may cut them"
        )


def pseudo_harmonic(lower: float | Fraction, size: float | Fraction, upper: float | Fraction) -> float:
    """Return how likely a bet is taken for the next smaller one that the defender knows.

    ``f = (B - x) (1 + A) / ((B - A) (1 + x))`` for a bet of x between A and B; it is taken for B with
    ``1 - f``. A caller who makes a bluff of any size s indifferent calls with 1 / (1 + s), and f is what
    keeps that true of x: ``f / (1 + A) + (1 - f) / (1 + B) = 1 / (1 + x)``.

    Source: Ganzfried and Sandholm, Action translation in extensive-form games with large action spaces
    (IJCAI 2013), the randomized pseudo-harmonic mapping.

    Parameters
    ----------
    lower, size, upper : float or Fraction
        A, x and B, as fractions of the pot.

    Raises
    ------
    ValueError
        Unless 0 <= lower <= size <= upper < infinity and lower < upper.
    """
    if not 0 <= lower < upper < math.inf:
        raise BadInputError(f"lower and upper must satisfy 0 <= lower < upper < inf, got {lower} and {upper}")
    if not lower <= size <= upper:
        raise BadInputError(f"size must be from lower {lower} to upper {upper}, got {size}")
    return float((upper - size) * (1 + lower) / ((upper - lower) * (1 + size)))


def readings(
    abstract: PokerGame, other: str, full: PokerGame, line: str, *, own: bool
) -> dict[str, dict[str, float]]:
    """Return what each action of the full game at a line stands for at an abstract line.

    Fold, check and call are themselves; a raise is that of the same size. An opponent's raise of another size
    is drawn by :func:`pseudo_harmonic`, all-in is all-in where both games have that, and a raise of an
    opponent who can but call in the abstract game is a call. Of the defender's own raises each abstract one
    is played by one action: where stacks leave none of its size, all-in for all-in, else the nearest, else a
    call.

    Parameters
    ----------
    abstract, full : PokerGame
    other, line : str
        Lines of these at which the same player acts.
    own : bool
        Whether that is the defender.

    Returns
    -------
    mapping
        For each action of the full game the abstract labels, with their probabilities if it is the
        opponent's, with 1 if it is the defender's.
    """
    known, sizes = raise_sizes(abstract, other), raise_sizes(full, line)
    if not own:
        return {a: _read(abstract, other, full, line, a, known, sizes) for a in full.point(line).moves}
    same = _rounding(abstract, other) + _rounding(full, line)
    read: dict[str, dict[str, float]] = {a: {} if a in sizes else {a: 1.0} for a in full.point(line).moves}
    all_in = _all_in(abstract, other, known), _all_in(full, line, sizes)
    for label, size in known.items():
        action = _nearest(size, sizes)
        if action is None or (abs(sizes[action] - size) > same and label == all_in[0]):
            action = all_in[1] or action or CALL
        read[action][label] = 1.0
    return read


def reading(abstract: PokerGame, other: str, full: PokerGame, line: str, action: str) -> dict[str, float]:
    """Return what one action of an opponent is read as; what :func:`readings` says of it."""
    return _read(abstract, other, full, line, action, raise_sizes(abstract, other), raise_sizes(full, line))


def _read(
    abstract: PokerGame,
    other: str,
    full: PokerGame,
    line: str,
    action: str,
    known: dict[str, Fraction],
    sizes: dict[str, Fraction],
) -> dict[str, float]:
    size = sizes.get(action)
    if size is None:
        return {action: 1.0}
    nearest = _nearest(size, known)
    if nearest is None:
        return {CALL: 1.0}
    if abs(known[nearest] - size) <= _rounding(abstract, other) + _rounding(full, line):
        return {nearest: 1.0}
    all_in = _all_in(abstract, other, known)
    if all_in is not None and action == _all_in(full, line, sizes):
        return {all_in: 1.0}
    return _drawn(known, size)


def _drawn(known: dict[str, Fraction], size: Fraction) -> dict[str, float]:
    """Return the labels between whose sizes a size lies, drawn from; the nearest where it is beyond all."""
    labels = {worth: label for label, worth in known.items()}
    lower = max((worth for worth in labels if worth < size), default=None)
    upper = min((worth for worth in labels if worth > size), default=None)
    if lower is None or upper is None:
        nearest = upper if lower is None else lower
        assert nearest is not None
        return {labels[nearest]: 1.0}
    chance = pseudo_harmonic(lower, size, upper)
    return {labels[lower]: chance, labels[upper]: 1.0 - chance}


def _nearest(size: Fraction, sizes: dict[str, Fraction]) -> str | None:
    """Return the label of the size nearest to another one, the smaller of two; None if there is none."""
    return min(sizes, key=lambda label: (abs(sizes[label] - size), sizes[label]), default=None)


def _rounding(game: PokerGame, line: str) -> Fraction:
    """Return by how much rounding to chips may move a raise, as a fraction of the pot after calling."""
    chip = game.betting.chip if game.betting.sizes is not None else None
    return Fraction(0) if chip is None else chip / (4 * max(game.point(line).betting.put))


def _all_in(game: PokerGame, line: str, sizes: Mapping[str, Fraction]) -> str | None:
    """Return the label of the raise that is all-in; None if there is none."""
    if game.betting.effective is None or not sizes:
        return None
    label, size = max(sizes.items(), key=lambda one: one[1])
    return label if size == _size(game.betting.effective, game.point(line)) else None


def raise_sizes(game: PokerGame, line: str) -> dict[str, Fraction]:
    """Return the size of each raise at a line, by its label, as a fraction of the pot after calling."""
    point = game.point(line)
    totals = game.betting.totals(point.betting)
    labels = [*point.moves][len(point.moves) - len(totals) :]
    return {label: _size(total, point) for label, total in zip(labels, totals, strict=True)}


def _size(total: Fraction, point: Point) -> Fraction:
    """Return the size of a raise to so many chips, as a fraction of the pot after calling."""
    top = max(point.betting.put)
    return (total - top) / (2 * top)


def check_alike(abstract: PokerGame, full: PokerGame) -> None:
    """Refuse games that differ in more than sizes and stacks, and pots that have no fractions."""
    mine, other = abstract.betting, full.betting
    same = mine.n_rounds == other.n_rounds
    if same:
        sizes = {name: getattr(other, name) for name in ("stacks", "raise_sizes", "sizes", "added")}
        same = replace(abstract, name=full.name, betting=replace(mine, **sizes)) == full
    if not same:
        raise BadInputError(
            f"the games may differ in sizes and stacks alone, got {abstract.name} and {full.name}"
        )
    if max(full.betting.invested) <= 0:
        raise BadInputError(
            f"a pot must be there before the first bet, got {full.name} without antes or blinds"
        )
