"""The ladder: games of rising size on which solvers are examined, from a matrix to a river."""

from dataclasses import dataclass, field

from treeplex.bench.examination.answers import Terms
from treeplex.bench.examination.examined import SolverLike, examined
from treeplex.core.loading import GameLike
from treeplex.core.progress import silent
from treeplex.games.base.display import Block, Columns, Shown


@dataclass(frozen=True, repr=False)
class Rung(Shown):
    """A game on which solvers are examined.

    Attributes
    ----------
    game : str, Path, Game or Problem
    what : str
        What the game is there for.
    terms : Terms
    is_large : bool
        Whether it is left out once a solver is wrong on a game before it.
    """

    game: GameLike
    what: str = ""
    terms: Terms = field(default_factory=Terms)
    is_large: bool = False

    @property
    def name(self) -> str:
        """The game's spec."""
        return self.game if isinstance(self.game, str) else str(getattr(self.game, "name", self.game))

    def brief(self) -> str:
        """Return the game and what it is there for."""
        return f"{self.name}: {self.what}" if self.what else self.name

    def check(self, solver: SolverLike) -> None:
        """Examine a solver on this game.

        Raises
        ------
        AssertionError
            If it is wrong, or it cannot be told in this time; the message is the verdict.
        ValueError
            If it could not be run, as :func:`treeplex.examine` says.
        """
        report = examined(solver, self.game, self.terms, silent)
        if report.verdict in ("wrong", "cannot tell"):
            raise AssertionError(report.line)


class Ladder(Shown, tuple[Rung, ...]):
    """The games on which solvers are examined: a tuple of rungs."""

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each game."""
        rows = tuple((rung.name, rung.what, "large" if rung.is_large else "") for rung in self)
        return (Columns(None, ("game", "what it is there for", ""), rows, left=None),)

    def brief(self) -> str:
        """Return how many games there are."""
        return f"{len(self)} games"


LADDER = Ladder(
    (
        Rung("dummy_pennies", "matching pennies with a move that changes nothing"),
        Rung("matrix_game(payoff=[[0,-1,2],[1,0,-1],[-1,1,0]])", "both players move at once"),
        Rung(
            "matrix_game(payoff=[[-3.5,4,4.5,-8.75],[1.25,-8,6.5,9],[2.75,0.25,-2.75,-3.75],[-8.75,6.75,-6,-3]])",
            "four actions; payoffs over 5 that are no integers",
            Terms(0.05),
        ),
        Rung("coin_toss", "a subgame that the other player may leave"),
        Rung("random_game(seed=7,depth=6,actions=3)", "player 0 never acts"),
        Rung("kuhn_poker", "the usual first game"),
        Rung("random_game(seed=9,depth=6,actions=3)", "chance with unequal odds, moves that are half seen"),
        Rung(
            "example:uneven_deals",
            "cards that come twice and hardly ever, four moves in a row, keys of both players",
            Terms(0.02),
        ),
        Rung("random_game(seed=8,depth=5,actions=3)", "player 1 never acts"),
        Rung("kuhn_poker(ranks=4)", "one card more"),
        Rung("random_game(seed=3,depth=6,actions=3)", "unequal odds, as above"),
        Rung("goofspiel(cards=3)", "moves at once, one round after another; ties"),
        Rung("leduc_poker(ranks=2)", "showdowns that tie", Terms(0.05)),
        Rung("kuhn_poker(ranks=13)", "many hands on one line", Terms(0.02)),
        Rung(
            "liars_dice(dice=1,faces=3)",
            "long lines, most of which are never played: zero reaches",
            Terms(0.05),
        ),
        Rung("small_holdem", "hold'em hands that block each other", Terms(0.02)),
        Rung("goofspiel(cards=4)", "moves at once, 1,077 histories", Terms(0.05), is_large=True),
        Rung("leduc_poker", "two rounds of betting, 9,451 histories", Terms(0.2), is_large=True),
        Rung(
            "example:river",
            "a real river, about 38 million histories",
            Terms(0.1, is_spot=True),
            is_large=True,
        ),
    )
)
"""Games of rising size."""


def rungs() -> Ladder:
    """Return the games of the ladder one by one, such as for ``pytest.mark.parametrize``.

    >>> rungs()[0].name
    'dummy_pennies'
    """
    return LADDER
