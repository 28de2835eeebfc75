"""Pictures of small game trees, subgames shaded, and of the games that gadgets make of them."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

from treeplex.core.limits import walk
from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.methods_by_name import check_method, solver_of
from treeplex.gadgets.subgame_solvers import EquilibriumOf
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.pictures.merged_deals import merged
from treeplex.pictures.sketch import Sketch, broken_off, check_size, sketch
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import GameTree
from treeplex.subgames.blueprints import Start
from treeplex.subgames.inputs import check_defender, cuts_of
from treeplex.views.below import roots_below
from treeplex.views.gadget_sketch import gadget_sketch

MOST_DRAWN = 400
"""Histories in a picture."""
MOST_HISTORIES = 100_000
"""Histories of a game of which a part may be drawn."""
NASH = "nash"
ADVICE = "draw a part (--below LINE) or the first moves (--depth), or export it as dot"
WIDEST = 13.0
"""Inches: texts of a wider picture cannot be read on a page."""


def draw(
    game: GameLike,
    *,
    at: str | Sequence[str] | None = None,
    defender: int | None = None,
    below: str | None = None,
    depth: int | None = None,
    gadget: str | None = None,
    blueprint: StrategyLike = NASH,
    progress: Progress = silent,
) -> TreePicture:
    """Draw a small game tree: players by colour, moves along edges, exact payoffs, infosets as dashed lines.

    Deals and boards that differ by suits only are drawn once, with their number, where play does not depend
    on suits.

    Parameters
    ----------
    game : str, Path, Game or Problem
    at : str or sequence of str, optional
        Public states at which subgames begin, or ``all``, as :func:`treeplex.resolve` takes them; they are
        shaded.
    defender : int, optional
        Whose subgames they are; needed with ``at``.
    below : str, optional
        Draw only what is below a public state, such as ``:cr``, or below one history, its moves joined by
        slashes, chance's too, such as ``Js|Qs/c``.
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

    Examples
    --------
    >>> print(draw("coin_toss", depth=1))
    coin_toss
    leaves: what player 0 gets, in dollars
    chance
    ├── Heads (p = 1/2): …
    └── Tails (p = 1/2): …
    """
    if defender is not None:
        check_defender(defender)
    if (at is None) != (defender is None):
        raise BadInputError(
            "subgames are shaded where they begin (at) and by whose they are (defender): give both or neither"
        )
    if gadget is None and not (isinstance(blueprint, str) and blueprint == NASH):
        raise BadInputError("a blueprint is for the game of a gadget: name one (gadget)")
    if gadget is not None and (depth is not None or below is not None):
        given = f"depth {depth}" if below is None else f"below {below!r}"
        raise BadInputError(f"the game of a gadget is drawn whole, got {given}")
    rules = game_of(game, progress=progress)
    tree = walk(rules, MOST_HISTORIES, lambda text: progress(text, inf))
    if at is None or defender is None:
        if gadget is not None:
            raise BadInputError(
                "a gadget is drawn on one subgame: say where it begins (at) and whose it is (defender)"
            )
        return TreePicture(_part(tree, (), below, depth))
    numbered = number_tree(tree)
    cuts = cuts_of(rules, numbered, defender, at)
    if gadget is None:
        return TreePicture(_part(tree, cuts, below, depth))
    if len(cuts) > 1:
        raise BadInputError(f"a gadget is drawn on one subgame, got {len(cuts)}")
    return TreePicture(_gadget_game(rules, numbered, cuts[0], gadget, blueprint))


def _part(tree: GameTree, cuts: Sequence[Cut], below: str | None, depth: int | None) -> Sketch:
    """Sketch what is below a public state or a history, down to a depth."""
    roots = [0] if below is None else roots_below(tree, below)
    drawn = merged(sketch(tree, MOST_HISTORIES, ADVICE, cuts, roots))
    if depth is not None:
        drawn = broken_off(drawn, depth)
    check_size(tree.name, len(drawn.nodes), MOST_DRAWN, ADVICE)
    return (
        drawn
        if below is None
        else replace(drawn, title=(f"{drawn.title[0]} below {below}", *drawn.title[1:]))
    )


def _gadget_game(
    game: Game[Any], numbered: NumberedTree, piece: Cut, method: str, blueprint: StrategyLike
) -> Sketch:
    check_method(method)
    inside = sum(int(numbered.tree.end[root]) - root for root in piece.roots.tolist())
    if inside > MOST_DRAWN:
        raise BadInputError(f"{piece.name!r} has {inside:,} histories, and at most {MOST_DRAWN:,} are drawn")
    start = Start.of(game, numbered, blueprint, "error", silent).strategy
    subgame = Subgame.of(piece, start)
    solver = solver_of(method, [subgame], joint_optimum([subgame]))
    if not isinstance(solver, EquilibriumOf):
        raise BadInputError(f"{method} is no game, so that there is none to be drawn")
    return merged(gadget_sketch(solver.gadget, subgame))
