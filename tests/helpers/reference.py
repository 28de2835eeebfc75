"""Values and sizes of games from the literature and from independent programs, with source and erratum."""

from dataclasses import dataclass
from fractions import Fraction

BY_HAND = "by hand: a matrix game's or Coin Toss's equilibrium conditions"
KUHN = "H. W. Kuhn, A simplified two-person poker, 1950"
EXACT_LP = "a separate sequence-form program, its basis solved and checked in rational arithmetic"
FLOAT_LP = "a separate sequence-form program in double precision"
COIN_TOSS = "Brown and Sandholm, Safe and nested subgame solving for imperfect-information games, 2017"
NO_LIMIT = (
    "the exact rational optimum of this project; rules and a sequence-form program written apart, solved by "
    "Clarabel in double precision, agree to 1e-11"
)
SIX_FACES = f"the exact rational optimum of this project; {FLOAT_LP} agrees to 1e-15"
CHANCES = "by hand: how likely uniform marks or shots are to meet the other's, which no play changes"
OPEN_SPIEL = (
    "the exact rational optimum of this project; OpenSpiel's game, which is the same history by history, "
    "finds it unexploitable to 1e-9"
)
UMPIRE = "the exact rational optimum of this project; rules and a program written apart agree to 1e-9"
STREETS = (
    "the exact rational optimum of this project; the engine and the judge of betting lines times boards, "
    "which share no code with it, prove an interval of 6e-4 that holds it"
)
SYMMETRY = "the rules are the same for both players"
PLANS = "the exact rational optimum of this project; a linear program from rules written apart agrees to 1e-9"
ALL_PLANS = "the exact rational optimum of this project; the matrix game of all plans agrees to 1e-9"
SHERIFF = "by hand: N v f / (N (v + p) + f); talk and bribes are worth nothing in a zero-sum game"
ALARM = "by hand: from a post in the middle the patroller reaches every other within two moves"
RING = "Alpern, Morton and Papadaki, Patrolling games, 2011: m of n posts in a ring are covered"
PENNIES = "matching pennies; the dummy move changes nothing"


@dataclass(frozen=True)
class Reference:
    """What is known of a game.

    Attributes
    ----------
    spec : str
    value : Fraction or float
        Player 0's; a float is good to 1e-9.
    infosets, sequences : pair of int
        Of each player, the empty sequence counted.
    nnz : int or None
        Nonzeros of the payoff matrix, one entry a pair of sequences; None where no source counts them.
    source : str
    erratum : str
        What is wrong in the source.
    slow : bool
    """

    spec: str
    value: Fraction | float
    infosets: tuple[int, int]
    sequences: tuple[int, int]
    nnz: int | None
    source: str
    erratum: str = ""
    slow: bool = False

    @property
    def rows(self) -> int:
        """Rows of player 0's program: its flow, and one for each sequence of player 1."""
        return self.sequences[1] + 1 + self.infosets[0]

    @property
    def cols(self) -> int:
        """Columns of player 0's program: its plan, and the values of player 1's infosets and root."""
        return self.sequences[0] + 1 + self.infosets[1]


def _kuhn(ranks: int, value: Fraction | float, source: str) -> Reference:
    """Return Kuhn poker: each player has 2 infosets a card, each with 2 actions; 5 leaves a pair of cards."""
    n = (2 * ranks, 2 * ranks), (4 * ranks + 1, 4 * ranks + 1)
    return Reference(f"kuhn_poker(ranks={ranks})", value, *n, 5 * ranks * (ranks - 1), source)


LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
LEDUC_5 = Fraction(-35218006363421785353538286651298673623049, 312302377649515583433939664579927348213692)
LEDUC_1 = Fraction(-69926057354269, 895267328620270)
LIARS_DICE = Fraction(-7, 258)
NO_LIMIT_LEDUC = Fraction(-65736494723, 1209218451120)
"""Bets of 3/4 of the pot beside 1/2 and 1 are worth nothing here: the value is the same with and without."""

REFERENCES = (
    Reference(
        "coin_toss",
        Fraction(0),
        (2, 1),
        (5, 4),
        8,
        COIN_TOSS,
        "section 5 prints 3/4 Heads as the better strategy; that is exploitable for 1/2, 1/4 Heads is right",
    ),
    Reference("coin_toss(heads=-1/2,tails=1/2)", Fraction(0), (2, 1), (5, 4), 8, COIN_TOSS),
    Reference("coin_toss(forfeit=false,subgames=2)", Fraction(0), (2, 2), (5, 5), 10, COIN_TOSS),
    Reference("matrix_game(payoff=[[1,-1],[-1,1]])", Fraction(0), (1, 1), (3, 3), 4, BY_HAND),
    Reference("matrix_game(payoff=[[0,-1,1],[1,0,-1],[-1,1,0]])", Fraction(0), (1, 1), (4, 4), 6, BY_HAND),
    Reference("matrix_game(payoff=[[2,-1],[-1,1]])", Fraction(1, 5), (1, 1), (3, 3), 4, BY_HAND),
    Reference("matrix_game(payoff=[[3,1],[1/3,5]])", Fraction(11, 5), (1, 1), (3, 3), 4, BY_HAND),
    Reference("matrix_game(payoff=[[7]])", Fraction(7), (1, 1), (2, 2), 1, BY_HAND),
    Reference("dummy_pennies", Fraction(0), (1, 3), (3, 7), 6, PENNIES),
    Reference("dummy_pennies(mover=0)", Fraction(0), (3, 1), (7, 3), 6, PENNIES),
    Reference("goofspiel", Fraction(0), (8, 8), (18, 18), 26, SYMMETRY),
    Reference("goofspiel(cards=4)", Fraction(0), (81, 81), (175, 175), 464, SYMMETRY),
    Reference("liars_dice(faces=4)", Fraction(1, 16), (512, 512), (1021, 1021), 4080, EXACT_LP),
    Reference("liars_dice(faces=5)", Fraction(1, 125), (2560, 2560), (5116, 5116), 25_575, EXACT_LP),
    Reference("liars_dice", LIARS_DICE, (12_288,) * 2, (24_571,) * 2, 147_420, SIX_FACES, slow=True),
    Reference("oshi_zumo", Fraction(0), (959, 959), (2155, 2155), 2122, SYMMETRY),
    Reference("oshi_zumo(information=winner)", Fraction(0), (363, 363), (809, 809), 2122, SYMMETRY),
    Reference("phantom_mnk", Fraction(13, 17), (189, 107), (573, 393), 2798, UMPIRE),
    Reference("phantom_mnk(failure=again)", Fraction(1), (109, 117), (349, 419), 3040, UMPIRE),
    Reference("phantom_mnk(columns=2)", Fraction(2, 3), (17, 5), (41, 17), 84, CHANCES),
    Reference("phantom_mnk(rows=1,columns=5)", Fraction(76, 99), (344, 213), (542, 508), 2294, UMPIRE),
    Reference("battleship", Fraction(2, 9), (22, 25), (49, 58), 99, CHANCES),
    Reference(
        "battleship(rows=2,columns=2,ships=[2])", Fraction(1, 16), (133, 337), (405, 1029), 448, OPEN_SPIEL
    ),
    Reference(
        "battleship(columns=4,ships=[2],shots=3)", Fraction(5, 9), (880, 1189), (1864, 2644), 1836, OPEN_SPIEL
    ),
    Reference("sheriff", Fraction(15, 19), (29, 21), (89, 43), 138, SHERIFF),
    Reference("sheriff(rounds=3)", Fraction(15, 19), (173, 129), (521, 259), 828, SHERIFF),
    Reference(
        "sheriff(items=10,bribes=3,rounds=3)",
        Fraction(50, 61),
        (804, 292),
        (3224, 585),
        5568,
        SHERIFF,
    ),
    Reference("patrol", Fraction(11, 9), (113, 109), (173, 287), 920, PLANS),
    Reference("patrol(watch=false)", Fraction(1), (25, 109), (41, 287), 920, PLANS),
    Reference("patrol(alarm=heard)", Fraction(1), (113, 159), (173, 417), 920, PLANS),
    Reference("patrol(alarm=located)", Fraction(0), (113, 487), (173, 1273), 920, ALARM),
    Reference("patrol(steps=6)", Fraction(4, 3), (497, 753), (749, 1973), 6622, PLANS),
    Reference(
        "patrol(values=[2,1,3,2],graph=ring,duration=1)",
        Fraction(132_719, 112_165),
        (121, 161),
        (245, 485),
        1920,
        PLANS,
    ),
    Reference(
        "patrol(values=[1,1,1,1,1],graph=ring,penalty=0,watch=false)",
        Fraction(3, 5),
        (31, 201),
        (51, 606),
        1950,
        RING,
    ),
    Reference("auction", Fraction(-29, 48), (33, 44), (133, 177), 2598, PLANS),
    Reference("auction(items=1)", Fraction(-7, 24), (3, 4), (13, 17), 138, PLANS),
    Reference("auction(values=[3,3])", Fraction(0), (33, 33), (133, 133), 1880, SYMMETRY),
    Reference("auction(kind=second_price)", Fraction(-7, 12), (33, 44), (133, 177), 2653, PLANS),
    Reference(
        "auction(kind=all_pay)",
        Fraction(-20_258_933, 32_607_432),
        (33, 44),
        (133, 177),
        2582,
        PLANS,
    ),
    Reference(
        "auction(values=[4,5],bids=4)",
        Fraction(-59, 96),
        (56, 70),
        (281, 351),
        10_958,
        PLANS,
    ),
    Reference("random_game", Fraction(4, 35), (6, 4), (16, 10), 28, ALL_PLANS),
    _kuhn(3, Fraction(-1, 18), KUHN),
    _kuhn(4, Fraction(-1, 24), EXACT_LP),
    _kuhn(5, Fraction(-1, 15), EXACT_LP),
    _kuhn(13, Fraction(-5, 78), EXACT_LP),
    _kuhn(50, -0.057619048, FLOAT_LP),
    _kuhn(100, -0.056616162, FLOAT_LP),
    _kuhn(200, -0.056101340, FLOAT_LP),
    _kuhn(400, -0.055830201, FLOAT_LP),
    Reference("leduc_poker", LEDUC, (144, 144), (337, 337), 966, EXACT_LP),
    Reference("leduc_poker(suits_visible=true)", LEDUC, (468, 468), (1093, 1093), 4920, EXACT_LP),
    Reference("leduc_poker(raises=1)", LEDUC_1, (60, 60), (121, 121), 324, EXACT_LP),
    Reference("leduc_poker(ranks=5)", LEDUC_5, (390, 390), (911, 911), 5000, EXACT_LP),
    Reference(
        "rhode_island(ranks=3,suits=2,raises=1)",
        Fraction(-92, 567),
        (2352, 2352),
        (4705, 4705),
        None,
        STREETS,
    ),
    Reference("leduc_poker(bets=[4,8])", -0.063471208594, (144, 144), (337, 337), None, FLOAT_LP),
    Reference("leduc_poker(bets=[8,8])", -0.021256531267, (144, 144), (337, 337), None, FLOAT_LP),
    Reference("leduc_poker(bets=[10,4])", -0.011592333871, (144, 144), (337, 337), None, FLOAT_LP),
    Reference("no_limit_leduc", NO_LIMIT_LEDUC, (324, 324), (877, 877), 2646, NO_LIMIT),
    Reference("no_limit_leduc(bets=[0.5,0.75,1])", NO_LIMIT_LEDUC, (831, 831), (2362, 2362), 7236, NO_LIMIT),
    Reference(
        "leduc_poker(ranks=13)",
        -0.092673901199,
        (2574, 2574),
        (6007, 6007),
        95_056,
        "this project",
        "-0.090405756136 with 94,906 nonzeros circulates; it scores a pair as its rank plus 10, so that the "
        "two highest of 13 ranks beat or tie the lowest pairs. Scored so, this project gives both figures.",
        slow=True,
    ),
)

HISTORIES = {
    "coin_toss": 13,
    "coin_toss(heads=-1/2,tails=1/2)": 13,
    "coin_toss(forfeit=false,subgames=2)": 19,
    "matrix_game(payoff=[[1,-1],[-1,1]])": 7,
    "matrix_game(payoff=[[0,-1,1],[1,0,-1],[-1,1,0]])": 13,
    "matrix_game(payoff=[[2,-1],[-1,1]])": 7,
    "matrix_game(payoff=[[3,1],[1/3,5]])": 7,
    "matrix_game(payoff=[[7]])": 3,
    "dummy_pennies": 11,
    "dummy_pennies(mover=0)": 11,
    "goofspiel": 67,
    "goofspiel(cards=4)": 1_077,
    "liars_dice(faces=4)": 8_177,
    "liars_dice(faces=5)": 51_176,
    "liars_dice": 294_877,
    "oshi_zumo": 6977,
    "oshi_zumo(information=winner)": 6977,
    "phantom_mnk": 3973,
    "phantom_mnk(failure=again)": 4405,
    "phantom_mnk(columns=2)": 129,
    "phantom_mnk(rows=1,columns=5)": 5713,
    "battleship": 238,
    "battleship(rows=2,columns=2,ships=[2])": 3029,
    "battleship(columns=4,ships=[2],shots=3)": 5665,
    "sheriff": 257,
    "sheriff(rounds=3)": 1_553,
    "sheriff(items=10,bribes=3,rounds=3)": 9_648,
    "patrol": 2_029,
    "patrol(watch=false)": 2_029,
    "patrol(alarm=heard)": 2_029,
    "patrol(alarm=located)": 2_029,
    "patrol(steps=6)": 14_547,
    "patrol(values=[2,1,3,2],graph=ring,duration=1)": 3_845,
    "patrol(values=[1,1,1,1,1],graph=ring,penalty=0,watch=false)": 5_076,
    "auction": 4_093,
    "auction(items=1)": 253,
    "auction(values=[3,3])": 3_070,
    "auction(kind=second_price)": 4_093,
    "auction(kind=all_pay)": 4_093,
    "auction(values=[4,5],bids=4)": 15_621,
    "random_game": 66,
    "kuhn_poker(ranks=3)": 55,
    "kuhn_poker(ranks=4)": 109,
    "kuhn_poker(ranks=5)": 181,
    "kuhn_poker(ranks=13)": 1_405,
    "leduc_poker": 9_451,
    "leduc_poker(suits_visible=true)": 9_451,
    "leduc_poker(raises=1)": 3_511,
    "leduc_poker(ranks=5)": 55_351,
    "no_limit_leduc": 23_851,
    "rhode_island(ranks=3,suits=2,raises=1)": 32_671,
    "no_limit_leduc(bets=[0.5,0.75,1])": 63_631,
}
"""Nodes of a game's tree, chance's and the leaves counted."""

UNIFORM_NASH_CONV = {
    "kuhn_poker": Fraction(11, 12),
    "leduc_poker": Fraction(1709, 360),
    "goofspiel(cards=4)": Fraction(17, 12),
}
"""NashConv of uniform play: 0.9166667, 4.747222222222 and 1.4166666667 in OpenSpiel."""
UNIFORM_NASH_CONV_LIARS_DICE = 1.5614886464
"""The same of liar's dice with one die of six faces."""

CFR_PLUS_KUHN_1000_BEFORE = 1.747306e-4
"""The same with weight t on the plan before update t (OpenSpiel, NoRegret)."""
CFR_PLUS_KUHN_1000 = 1.48170e-4
"""NashConv of CFR+ on Kuhn poker after 1,000 iterations, weight t on the plan after update t (LiteEFG)."""
