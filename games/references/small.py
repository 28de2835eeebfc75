"""Values and sizes of small games for textbooks and tests."""

from fractions import Fraction

from treeplex.games.references.reference import Reference

BY_HAND = "by hand: a matrix game's or Coin Toss's equilibrium conditions"
COIN_TOSS = "Brown and Sandholm, Safe and nested subgame solving for imperfect-information games, 2017"
ALL_PLANS = "the exact rational optimum of this project; the matrix game of all plans agrees to 1e-9"
PENNIES = "matching pennies; the dummy move changes nothing"


SMALL = (
    Reference(
        "coin_toss",
        Fraction(0),
        13,
        (2, 1),
        (5, 4),
        8,
        COIN_TOSS,
        "section 5 prints 3/4 Heads as the better strategy; that is exploitable for 1/2, 1/4 Heads is right",
    ),
    Reference("coin_toss(heads=-1/2,tails=1/2)", Fraction(0), 13, (2, 1), (5, 4), 8, COIN_TOSS),
    Reference("coin_toss(forfeit=false,subgames=2)", Fraction(0), 19, (2, 2), (5, 5), 10, COIN_TOSS),
    Reference("matrix_game(payoff=[[1,-1],[-1,1]])", Fraction(0), 7, (1, 1), (3, 3), 4, BY_HAND),
    Reference(
        "matrix_game(payoff=[[0,-1,1],[1,0,-1],[-1,1,0]])", Fraction(0), 13, (1, 1), (4, 4), 6, BY_HAND
    ),
    Reference("matrix_game(payoff=[[2,-1],[-1,1]])", Fraction(1, 5), 7, (1, 1), (3, 3), 4, BY_HAND),
    Reference("matrix_game(payoff=[[3,1],[1/3,5]])", Fraction(11, 5), 7, (1, 1), (3, 3), 4, BY_HAND),
    Reference("matrix_game(payoff=[[7]])", Fraction(7), 3, (1, 1), (2, 2), 1, BY_HAND),
    Reference("dummy_pennies", Fraction(0), 11, (1, 3), (3, 7), 6, PENNIES),
    Reference("dummy_pennies(mover=0)", Fraction(0), 11, (3, 1), (7, 3), 6, PENNIES),
    Reference("random_game", Fraction(4, 35), 66, (6, 4), (16, 10), 28, ALL_PLANS),
)
