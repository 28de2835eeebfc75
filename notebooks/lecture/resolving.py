"""Subgames of a blueprint solved again: by methods with options, from estimates; what Theorem 1 promises."""

from collections.abc import Mapping
from typing import Any

import treeplex as tp
from treeplex.bench.theorems import solved_bounds, solved_subgames
from treeplex.gadgets.alternatives import EstimatedAlternatives
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.gadgets.published_gadgets import Maxmargin
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.subgame import Subgame


def again(
    method: str | Gadget,
    blueprint: str = "cfr+:20",
    *,
    at: str | list[str] = "all",
    game: str = "leduc_poker",
    defender: int = 1,
    **options: Any,
) -> tp.Resolution:
    """Return what solving subgames of a blueprint again does.

    Parameters
    ----------
    method, blueprint, at, game, defender
        As for :func:`treeplex.resolve`.
    **options
        Fields of ``GadgetOptions``, such as ``equilibrium="quasi-perfect"``, ``gifts="estimated"`` or
        ``scale=3``.
    """
    found = tp.resolve(game, defender, at, method, blueprint=blueprint, options=GadgetOptions(**options))
    assert isinstance(found, tp.Resolution)
    return found


def by_estimates(values: Mapping[tuple[str, str], float], **where: Any) -> tp.Resolution:
    """Return what Maxmargin does with given alternative values, by subgame and top, per unit of reach."""
    return again(Maxmargin(EstimatedAlternatives(dict(values))), **where)


def promised_and_kept(
    game: str, defender: int, blueprint: str, method: str = "reach-maxmargin"
) -> list[tuple[float, float]]:
    """Return both sides of Theorem 1 at each top that a best response to the composed strategy enters.

    The first of each pair is reach times margin, gifts counted; the second by how much less a best response
    wins than with the blueprint in this subgame.
    """
    solved = solved_subgames.solutions(game, defender, blueprint, method)
    return [(t.gained, t.without - t.composed) for t in solved_bounds.entered_tops(solved) if t.taken]


def subgames(game: str, defender: int, blueprint: str) -> tuple[Subgame, ...]:
    """Return the subgames of a blueprint that ``at="all"`` solves again, as gadgets get them."""
    return solved_subgames.subgames(game, defender, blueprint)


def value_of(form: SequenceForm) -> float:
    """Return the value of a game in sequence form, such as one that a gadget made, by its linear program."""
    return float(solve_lp(form).certificate.value)
