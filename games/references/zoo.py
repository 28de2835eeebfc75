"""Values and sizes of the games of the zoo that are not poker."""

from fractions import Fraction

from treeplex.games.references.reference import Reference
from treeplex.games.references.sources import EXACT_LP, FLOAT_LP

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
