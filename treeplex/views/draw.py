"""Pictures of small game trees, subgames shaded, and of the games that gadgets make of them."""

from collections.abc import Sequence
from math import inf
from typing import Any

from treeplex.core.limits import walk
from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.solving.by_name import check_method, solver_of
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.solving.subgame import EquilibriumOf
from treeplex.games.protocol import Game
from treeplex.pictures.sketch import Sketch, sketch
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.forms.tree_form import NumberedTree, number_tree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.inputs import check_defender, cuts_of, make_blueprint
from treeplex.views.gadget_sketch import gadget_sketch

MOST_DRAWN = 400
"""Histories in a picture."""
MOST_HISTORIES = 100_000
"""Histories of a game of which a part may be drawn."""
NASH = "nash"
ADVICE = "draw its first moves by a smaller depth, or export it as dot"


def draw(
    game: GameLike,
    *,
    at: str | Sequence[str] | None = None,
    defender: int | None = None,
    depth: int | None = None,
    gadget: str | None = None,
    blueprint: StrategyLike = NASH,
    progress: Progress = silent,
) -> TreePicture:
    """Draw a small game tree: players by colour, moves along edges, exact payoffs, infosets as dashed lines.

    Parameters
    ----------
    game : str, Path, Game or Problem
    at : str or sequence of str, optional
        Public states at which subgames begin, or ``all``, as :func:`treeplex.resolve` takes them; they are
        shaded.
    defender : int, optional
        Whose subgames they are; needed with ``at``.
    depth : int, optional
        After how many moves the picture breaks off.
    gadget : str, optional
        Draw the game that this gadget makes of the subgame instead: ``unsafe``, ``resolve`` or
        ``maxmargin``, the latter two with or without ``reach-`` and ``estimated-``.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        For a gadget: the strategy to start from, as :func:`treeplex.resolve` takes it.
    progress : callable, optional
        Called with what is being done while the game is walked.

    Raises
    ------
    ValueError
        If the game is none or has more than ``MOST_HISTORIES`` histories, more than ``MOST_DRAWN`` would be
        shown, there are no such subgames, or there is a blueprint without a gadget.
    """
    if defender is not None:
        check_defender(defender)
    if (at is None) != (defender is None):
        raise ValueError(
            "subgames are shaded where they begin (at) and by whose they are (defender): give both or neither"
        )
    if gadget is None and not (isinstance(blueprint, str) and blueprint == NASH):
        raise ValueError("a blueprint is for the game of a gadget: name one (gadget)")
    if gadget is not None and depth is not None:
        raise ValueError(f"the game of a gadget is drawn whole, got depth {depth}")
    rules = game_of(game, progress=progress)
    tree = walk(rules, MOST_HISTORIES, lambda text: progress(text, inf))
    if at is None or defender is None:
        if gadget is not None:
            raise ValueError(
                "a gadget is drawn on one subgame: say where it begins (at) and whose it is (defender)"
            )
        return TreePicture(sketch(tree, MOST_DRAWN, ADVICE, depth))
    numbered = number_tree(tree)
    cuts = cuts_of(numbered, defender, at)
    if gadget is None:
        return TreePicture(sketch(tree, MOST_DRAWN, ADVICE, depth, cuts))
    if len(cuts) > 1:
        raise ValueError(f"a gadget is drawn on one subgame, got {len(cuts)}")
    return TreePicture(_gadget_game(rules, numbered, cuts[0], gadget, blueprint))


def _gadget_game(
    game: Game[Any], numbered: NumberedTree, piece: Cut, method: str, blueprint: StrategyLike
) -> Sketch:
    check_method(method)
    inside = sum(int(numbered.tree.end[root]) - root for root in piece.roots.tolist())
    if inside > MOST_DRAWN:
        raise ValueError(f"{piece.name!r} has {inside:,} histories, and at most {MOST_DRAWN:,} are drawn")
    start = make_blueprint(game, numbered.form, blueprint, solve_lp(numbered.form).profile).strategy
    subgame = Subgame.of(piece, start)
    solver = solver_of(method, [subgame], joint_optimum([subgame]))
    if not isinstance(solver, EquilibriumOf):
        raise ValueError(f"{method} is no game, so that there is none to be drawn")
    return gadget_sketch(solver.gadget, subgame)
