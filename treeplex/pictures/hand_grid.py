"""Sums of a node view over classes of hands: 13 x 13 for two hole cards, ranks (by suits) for one."""

from dataclasses import dataclass

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.cards.cards import RANKS, Deck
from treeplex.pictures.node_view import NodeView
from treeplex.seqform.forms.treeplex import Floats, Index

ROUNDING = 1e-6
"""Shares of a class up to this are not drawn."""
WHOLE = 0.995
"""A class of which at least this part is here counts as here as a whole."""
NOT_THERE = "not in the range, or not possible with the board"
"""Of a class without a weight."""


@dataclass(frozen=True, repr=False)
class HandGrid(Shown):
    """Frequencies, weights and values by class of hands, highest ranks first.

    Two hole cards: pairs on the diagonal, suited hands above it, offsuit ones below; R = C is the number of
    ranks. One: a column a rank, and a row a suit where suits are seen.

    Attributes
    ----------
    labels : (R, C) str
        Such as ``AKs``.
    actions : tuple of A str
        In words.
    frequencies : (R, C, A) float64
        How often each class takes each action, its hands weighted as they are here; nan where none is.
    weights : (R, C) float64
        The range's weight that is here, hand by hand added up.
    shares : (R, C) float64
        What part of the class's range that is; nan where the board and the range leave no hand of it.
    values : (R, C) float64 or None
        The mean of what was asked for (an equity or an expected value), weighted as frequencies are.
    overall : (A,) float64
        How often the player takes each action here, what the opponent may hold counted; nan if never here.
    overall_value : float or None
        The mean value in the same sense.
    """

    labels: tuple[tuple[str, ...], ...]
    actions: tuple[str, ...]
    frequencies: Floats
    weights: Floats
    shares: Floats
    values: Floats | None
    overall: Floats
    overall_value: float | None

    def brief(self) -> str:
        """Return its size and the actions."""
        return f"{len(self.labels)} x {len(self.labels[0])} classes, actions {', '.join(self.actions)}"

    @property
    def is_partial(self) -> bool:
        """Whether some class is here only in part, or not at all."""
        return bool((self.shares < WHOLE).any())

    @property
    def has_gone(self) -> bool:
        """Whether the board or the range leaves no hand of some class."""
        return bool(np.isnan(self.shares).any())

    def is_here(self, row: int, column: int) -> bool:
        """Return whether more of a class is here than the rounding of solvers."""
        return bool(self.shares[row, column] > ROUNDING)


def hand_grid(view: NodeView, values: Floats | None = None) -> HandGrid:
    """Add up the hands of each class.

    Parameters
    ----------
    view : NodeView
    values : (H,) float64, optional
        A number for each hand, nan where it has none.
    """
    deck, ranks_only = view.point.deck, view.point.ranks_only
    labels = class_labels(deck, view.hands.shape[1], ranks_only=ranks_only)
    shape = len(labels), len(labels[0])
    cell = class_cells(deck, view.hands, ranks_only=ranks_only)
    here, joint = view.here, view.joint
    weights = _added(cell, here, shape)
    taken = np.stack([_added(cell, here * column, shape) for column in view.behaviour.T], axis=-1)
    means = None
    if values is not None:
        known = np.where(np.isnan(values), 0.0, here)
        means = _over(_added(cell, known * np.nan_to_num(values), shape), _added(cell, known, shape))
    return HandGrid(
        labels=labels,
        actions=view.point.action_names,
        frequencies=_over(taken, weights[:, :, None]),
        weights=weights,
        shares=_over(weights, _added(cell, view.weight, shape)),
        values=means,
        overall=_over(joint @ view.behaviour, joint.sum()),
        overall_value=None if values is None else float(_mean(values, joint)),
    )


def _mean(values: Floats, weights: Floats) -> Floats:
    known = ~np.isnan(values)
    return _over(weights[known] @ values[known], weights[known].sum())


def _over(total: Floats, weights: Floats) -> Floats:
    """Return totals over weights, nan where there is no weight."""
    unknown = np.full(np.broadcast(total, weights).shape, np.nan)
    return np.asarray(np.divide(total, weights, out=unknown, where=weights > 0))


def _added(cell: Index, amounts: Floats, shape: tuple[int, int]) -> Floats:
    """Add up one amount a hand by cells, (R, C)."""
    added = np.bincount(cell, weights=amounts, minlength=shape[0] * shape[1])
    return added.astype(np.float64).reshape(shape)


def class_cells(deck: Deck, hands: Index, *, ranks_only: bool) -> Index:
    """Return the cell of each hand (H, K), row by row, (H,)."""
    column = deck.cards[-1] // 4 - hands // 4
    if hands.shape[1] == 1:
        suit = np.zeros_like(hands) if ranks_only else hands % 4
        return np.asarray((suit * deck.ranks + column)[:, 0])
    high, low = column.min(axis=1), column.max(axis=1)
    suited = hands[:, 0] % 4 == hands[:, 1] % 4
    return np.asarray(np.where(suited, high * deck.ranks + low, low * deck.ranks + high))


def class_labels(deck: Deck, hole_cards: int, *, ranks_only: bool) -> tuple[tuple[str, ...], ...]:
    """Return the labels of classes of hands of one or two cards, row by row, highest ranks first."""
    if hole_cards == 1:
        suits = 1 if ranks_only else deck.suits
        text = deck.rank_text if ranks_only else deck.card_text
        by_suit = [[card for card in reversed(deck.cards) if card % 4 == suit] for suit in range(suits)]
        return tuple(tuple(text[card] for card in row) for row in by_suit)
    top = deck.cards[-1] // 4
    ranks = [RANKS[top - i] for i in range(deck.ranks)]
    return tuple(tuple(_label(ranks, i, j) for j in range(deck.ranks)) for i in range(deck.ranks))


def _label(ranks: list[str], row: int, column: int) -> str:
    if row == column:
        return 2 * ranks[row]
    return f"{ranks[row]}{ranks[column]}s" if row < column else f"{ranks[column]}{ranks[row]}o"
