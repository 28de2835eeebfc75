"""Published figures of uniform play and of runs of minimisers; values are in treeplex.games.references."""

from fractions import Fraction

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
