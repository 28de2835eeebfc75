"""Values and sizes of poker games."""

from fractions import Fraction

from treeplex.games.references.reference import Reference
from treeplex.games.references.sources import EXACT_LP, FLOAT_LP

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
