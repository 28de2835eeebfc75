"""Values and sizes of games: what is known of a game before anything of it is computed."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Reference:
    """The value and the sizes of a game.

    Attributes
    ----------
    spec : str
    value : Fraction
        Player 0's.
    histories : int
        Nodes of the game's tree, those of chance and the leaves counted.
    infosets, sequences : pair of int
        Of each player, the empty sequence counted.
    nnz : int or None
        Nonzeros of the payoff matrix, one entry a pair of sequences; None where no source counts them.
    source : str
        Where the value is from.
    erratum : str
        What is wrong in a source.
    slow : bool
        Whether its exact optimum takes seconds.
    """

    spec: str
    value: Fraction
    histories: int
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


EXACT_LP = "a separate sequence-form program, its basis solved and checked in rational arithmetic"
FLOAT_LP = "a separate sequence-form program in double precision"


KUHN = "H. W. Kuhn, A simplified two-person poker, 1950"
NO_LIMIT = (
    "the exact rational optimum of this project; rules and a sequence-form program written apart, solved by "
    "Clarabel in double precision, agree to 1e-11"
)
STREETS = (
    "the exact rational optimum of this project; the engine and the judge of betting lines times boards, "
    "which share no code with it, prove an interval of 6e-4 that holds it"
)
FLOATS_AGREE = f"the exact rational optimum of this project; {FLOAT_LP} agrees to 1e-9"
LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
LEDUC_5 = Fraction(-35218006363421785353538286651298673623049, 312302377649515583433939664579927348213692)
LEDUC_1 = Fraction(-69926057354269, 895267328620270)
NO_LIMIT_LEDUC = Fraction(-65736494723, 1209218451120)
"""Bets of 3/4 of the pot beside 1/2 and 1 are worth nothing here: the value is the same with and without."""


def _kuhn(ranks: int, value: Fraction, source: str) -> Reference:
    """Return Kuhn poker: 9 nodes and 5 leaves a pair of cards, 2 infosets of 2 actions a card and player."""
    n = (2 * ranks, 2 * ranks), (4 * ranks + 1, 4 * ranks + 1)
    pairs = ranks * (ranks - 1)
    return Reference(f"kuhn_poker(ranks={ranks})", value, 1 + 9 * pairs, *n, 5 * pairs, source)


POKER = (
    _kuhn(3, Fraction(-1, 18), KUHN),
    _kuhn(4, Fraction(-1, 24), EXACT_LP),
    _kuhn(5, Fraction(-1, 15), EXACT_LP),
    _kuhn(13, Fraction(-5, 78), EXACT_LP),
    _kuhn(50, Fraction(-121, 2100), FLOATS_AGREE),
    _kuhn(100, Fraction(-1121, 19800), FLOATS_AGREE),
    _kuhn(200, Fraction(-13397, 238800), FLOATS_AGREE),
    _kuhn(400, Fraction(-17821, 319200), FLOATS_AGREE),
    Reference("leduc_poker", LEDUC, 9451, (144, 144), (337, 337), 966, EXACT_LP),
    Reference("leduc_poker(suits_visible=true)", LEDUC, 9451, (468, 468), (1093, 1093), 4920, EXACT_LP),
    Reference("leduc_poker(raises=1)", LEDUC_1, 3511, (60, 60), (121, 121), 324, EXACT_LP),
    Reference("leduc_poker(ranks=5)", LEDUC_5, 55_351, (390, 390), (911, 911), 5000, EXACT_LP),
    Reference(
        "rhode_island(ranks=3,suits=2,raises=1)",
        Fraction(-92, 567),
        32_671,
        (2352, 2352),
        (4705, 4705),
        None,
        STREETS,
    ),
    Reference(
        "leduc_poker(bets=[4,8])",
        Fraction(-10859195637151465227407, 171088527817540376152420),
        9451,
        (144, 144),
        (337, 337),
        None,
        FLOATS_AGREE,
    ),
    Reference(
        "leduc_poker(bets=[8,8])",
        Fraction(-422119, 19858320),
        9451,
        (144, 144),
        (337, 337),
        None,
        FLOATS_AGREE,
    ),
    Reference(
        "leduc_poker(bets=[10,4])", Fraction(-1618, 139575), 9451, (144, 144), (337, 337), None, FLOATS_AGREE
    ),
    Reference("no_limit_leduc", NO_LIMIT_LEDUC, 23_851, (324, 324), (877, 877), 2646, NO_LIMIT),
    Reference(
        "no_limit_leduc(bets=[0.5,0.75,1])", NO_LIMIT_LEDUC, 63_631, (831, 831), (2362, 2362), 7236, NO_LIMIT
    ),
    Reference(
        "leduc_poker(ranks=13)",
        Fraction(-113743011961333498012928459, 1227346755696326019173737500),
        1_179_751,
        (2574, 2574),
        (6007, 6007),
        95_056,
        "the exact rational optimum of this project",
        "-0.090405756136 with 94,906 nonzeros circulates; it scores a pair as its rank plus 10, so that the "
        "two highest of 13 ranks beat or tie the lowest pairs. Scored so, this project gives both figures.",
        slow=True,
    ),
)


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


SIX_FACES = f"the exact rational optimum of this project; {FLOAT_LP} agrees to 1e-15"
CHANCES = "by hand: how likely uniform marks or shots are to meet the other's, which no play changes"
OPEN_SPIEL = (
    "the exact rational optimum of this project; OpenSpiel's game, which is the same history by history, "
    "finds it unexploitable to 1e-9"
)
UMPIRE = "the exact rational optimum of this project; rules and a program written apart agree to 1e-9"
SYMMETRY = "the rules are the same for both players"
PLANS = "the exact rational optimum of this project; a linear program from rules written apart agrees to 1e-9"
SHERIFF = "by hand: N v f / (N (v + p) + f); talk and bribes are worth nothing in a zero-sum game"
ALARM = "by hand: from a post in the middle the patroller reaches every other within two moves"
RING = "Alpern, Morton and Papadaki, Patrolling games, 2011: m of n posts in a ring are covered"
LIARS_DICE = Fraction(-7, 258)

ZOO = (
    Reference("goofspiel", Fraction(0), 67, (8, 8), (18, 18), 26, SYMMETRY),
    Reference("goofspiel(cards=4)", Fraction(0), 1077, (81, 81), (175, 175), 464, SYMMETRY),
    Reference("liars_dice(faces=4)", Fraction(1, 16), 8177, (512, 512), (1021, 1021), 4080, EXACT_LP),
    Reference("liars_dice(faces=5)", Fraction(1, 125), 51_176, (2560, 2560), (5116, 5116), 25_575, EXACT_LP),
    Reference("liars_dice", LIARS_DICE, 294_877, (12_288,) * 2, (24_571,) * 2, 147_420, SIX_FACES, slow=True),
    Reference("oshi_zumo", Fraction(0), 6977, (959, 959), (2155, 2155), 2122, SYMMETRY),
    Reference("oshi_zumo(information=winner)", Fraction(0), 6977, (363, 363), (809, 809), 2122, SYMMETRY),
    Reference("phantom_mnk", Fraction(13, 17), 3973, (189, 107), (573, 393), 2798, UMPIRE),
    Reference("phantom_mnk(failure=again)", Fraction(1), 4405, (109, 117), (349, 419), 3040, UMPIRE),
    Reference("phantom_mnk(columns=2)", Fraction(2, 3), 129, (17, 5), (41, 17), 84, CHANCES),
    Reference("phantom_mnk(rows=1,columns=5)", Fraction(76, 99), 5713, (344, 213), (542, 508), 2294, UMPIRE),
    Reference("battleship", Fraction(2, 9), 238, (22, 25), (49, 58), 99, CHANCES),
    Reference(
        "battleship(rows=2,columns=2,ships=[2])",
        Fraction(1, 16),
        3029,
        (133, 337),
        (405, 1029),
        448,
        OPEN_SPIEL,
    ),
    Reference(
        "battleship(columns=4,ships=[2],shots=3)",
        Fraction(5, 9),
        5665,
        (880, 1189),
        (1864, 2644),
        1836,
        OPEN_SPIEL,
    ),
    Reference("sheriff", Fraction(15, 19), 257, (29, 21), (89, 43), 138, SHERIFF),
    Reference("sheriff(rounds=3)", Fraction(15, 19), 1553, (173, 129), (521, 259), 828, SHERIFF),
    Reference(
        "sheriff(items=10,bribes=3,rounds=3)", Fraction(50, 61), 9648, (804, 292), (3224, 585), 5568, SHERIFF
    ),
    Reference("patrol", Fraction(11, 9), 2029, (113, 109), (173, 287), 920, PLANS),
    Reference("patrol(watch=false)", Fraction(1), 2029, (25, 109), (41, 287), 920, PLANS),
    Reference("patrol(alarm=heard)", Fraction(1), 2029, (113, 159), (173, 417), 920, PLANS),
    Reference("patrol(alarm=located)", Fraction(0), 2029, (113, 487), (173, 1273), 920, ALARM),
    Reference("patrol(steps=6)", Fraction(4, 3), 14_547, (497, 753), (749, 1973), 6622, PLANS),
    Reference(
        "patrol(values=[2,1,3,2],graph=ring,duration=1)",
        Fraction(132719, 112165),
        3845,
        (121, 161),
        (245, 485),
        1920,
        PLANS,
    ),
    Reference(
        "patrol(values=[1,1,1,1,1],graph=ring,penalty=0,watch=false)",
        Fraction(3, 5),
        5076,
        (31, 201),
        (51, 606),
        1950,
        RING,
    ),
    Reference("auction", Fraction(-29, 48), 4093, (33, 44), (133, 177), 2598, PLANS),
    Reference("auction(items=1)", Fraction(-7, 24), 253, (3, 4), (13, 17), 138, PLANS),
    Reference("auction(values=[3,3])", Fraction(0), 3070, (33, 33), (133, 133), 1880, SYMMETRY),
    Reference("auction(kind=second_price)", Fraction(-7, 12), 4093, (33, 44), (133, 177), 2653, PLANS),
    Reference(
        "auction(kind=all_pay)", Fraction(-20258933, 32607432), 4093, (33, 44), (133, 177), 2582, PLANS
    ),
    Reference("auction(values=[4,5],bids=4)", Fraction(-59, 96), 15_621, (56, 70), (281, 351), 10_958, PLANS),
)


REFERENCES = (*SMALL, *ZOO, *POKER)
"""Games whose exact value is known, in the order of the page of games."""
BY_SPEC = {reference.spec: reference for reference in REFERENCES}
