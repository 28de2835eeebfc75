"""Small game trees as pictures: as in textbooks, with infosets, and subgames shaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from treeplex.core.limits import walk
from treeplex.core.problem import GameLike, game_of
from treeplex.gadgets.solving.by_name import check_method, solver_of
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.solving.subgame import EquilibriumOf
from treeplex.games.protocol import CHANCE, TERMINAL, Game
from treeplex.pictures.gadget_sketch import gadget_sketch
from treeplex.pictures.tree_figure import tree_figure
from treeplex.pictures.tree_layout import Layout
from treeplex.pictures.tree_sketch import Sketch, sketch
from treeplex.seqform.forms.tree_form import NumberedTree, number_tree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.store.figure_file import Drawn
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.inputs import cuts_of, make_blueprint

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from networkx import DiGraph

MOST_DRAWN = 400
"""Histories in a picture."""
MOST_HISTORIES = 100_000
"""Histories of a game of which a part may be drawn."""
NASH = "nash"
ADVICE = "draw its first moves by a smaller depth, or export it as dot"


@dataclass(frozen=True)
class TreePicture(Drawn):
    """A drawn game tree: :meth:`write` keeps it, notebooks show it, :attr:`graph` is it for networkx.

    Attributes
    ----------
    sketch : Sketch
    """

    sketch: Sketch

    @property
    def alt(self) -> str:
        """What is shown."""
        return "game tree"

    def __rich__(self) -> RenderableType:
        """Return what a terminal shows: a line a history."""
        trees: list[Tree] = []
        for node in self.sketch.nodes:
            who = (
                "chance"
                if node.player == CHANCE
                else f"{node.player} {node.text}"
                if node.player >= 0
                else node.text
            )
            line = Text(f"{node.move.replace(chr(10), ' ')}: {who}" if node.parent >= 0 else who)
            trees.append(trees[node.parent].add(line) if node.parent >= 0 else Tree(line))
        return Group(*(Text(line) for line in self.sketch.title), trees[0])

    def figure(self) -> "Figure":
        """Draw the tree with matplotlib."""
        return tree_figure(self.sketch)

    @property
    def graph(self) -> "DiGraph":
        """The tree as a new graph of networkx: nodes 0, 1, ... depth first, and an edge for each move.

        Nodes have ``player`` (0, 1, -1 for chance, -2 for a leaf, -3 where the picture breaks off),
        ``infoset`` (the key of who decides), ``payoff`` (a leaf's, a Fraction: what player 0 gets),
        ``subgame`` (the name of the shaded one), each None where there is none; ``label``, the text in the
        picture, and ``pos``, where it stands: inches from the left and from below. Edges have ``label``, the
        move. The graph's ``name`` is the first line of the title.
        """
        from networkx import DiGraph

        layout, shades = Layout.of(self.sketch), self.sketch.shades
        graph = DiGraph(name=self.sketch.title[0])
        for k, node in enumerate(self.sketch.nodes):
            graph.add_node(
                k,
                player=node.player,
                infoset=node.text if node.player >= 0 else None,
                payoff=Fraction(node.text) if node.player == TERMINAL else None,
                subgame=shades[node.shade] if node.shade >= 0 else None,
                label=node.text,
                pos=(layout.x[k], layout.y[k]),
            )
            if node.parent >= 0:
                graph.add_edge(node.parent, k, label=node.move)
        return graph


def draw(
    game: GameLike,
    *,
    at: str | Sequence[str] | None = None,
    defender: int | None = None,
    depth: int | None = None,
    gadget: str | None = None,
    blueprint: StrategyLike = NASH,
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

    Raises
    ------
    ValueError
        If the game is none or has more than ``MOST_HISTORIES`` histories, more than ``MOST_DRAWN`` would be
        shown, there are no such subgames, or there is a blueprint without a gadget.
    """
    if (at is None) != (defender is None):
        raise ValueError(
            "subgames are shaded where they begin (at) and by whose they are (defender): give both or neither"
        )
    if gadget is None and not (isinstance(blueprint, str) and blueprint == NASH):
        raise ValueError("a blueprint is for the game of a gadget: name one (gadget)")
    made = game_of(game)
    tree = walk(made, MOST_HISTORIES)
    if at is None or defender is None:
        if gadget is not None:
            raise ValueError(
                "a gadget is drawn on one subgame: say where it begins (at) and whose it is (defender)"
            )
        return TreePicture(sketch(tree, MOST_DRAWN, ADVICE, depth))
    trunk = number_tree(tree)
    cuts = cuts_of(trunk, defender, at)
    if gadget is None:
        return TreePicture(sketch(tree, MOST_DRAWN, ADVICE, depth, cuts))
    if len(cuts) > 1 or depth is not None:
        raise ValueError(
            f"a gadget is drawn on one subgame and whole, got {len(cuts)} subgames, depth {depth}"
        )
    return TreePicture(_gadget_game(made, trunk, cuts[0], gadget, blueprint))


def _gadget_game(
    game: Game[Any], trunk: NumberedTree, piece: Cut, method: str, blueprint: StrategyLike
) -> Sketch:
    check_method(method)
    inside = sum(int(trunk.tree.end[root]) - root for root in piece.roots.tolist())
    if inside > MOST_DRAWN:
        raise ValueError(f"{piece.name!r} has {inside:,} histories, and at most {MOST_DRAWN:,} are drawn")
    start = make_blueprint(game, trunk.form, blueprint, solve_lp(trunk.form).profile).strategy
    subgame = Subgame.of(piece, start)
    solver = solver_of(method, [subgame], joint_optimum([subgame]))
    if not isinstance(solver, EquilibriumOf):
        raise ValueError(f"{method} is no game, so that there is none to be drawn")
    return gadget_sketch(solver.gadget, subgame)
