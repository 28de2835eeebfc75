"""Published figures of uniform play and of runs of minimisers; values are in games.counting.references."""

UNIFORM_NASH_CONV_LIARS_DICE = 1.5614886464
"""NashConv of uniform play in liar's dice with one die of six faces (OpenSpiel)."""

CFR_PLUS_KUHN_1000_BEFORE = 1.747306e-4
"""NashConv of CFR+ on Kuhn poker after 1,000 iterations, weight t on the plan before update t: OpenSpiel."""
CFR_PLUS_KUHN_1000 = 1.48170e-4
"""The same with weight t on the plan after update t (LiteEFG)."""

EXPLOITABILITY_1000 = {
    "kuhn_poker": {"cfr": 9.3762e-4, "cfr+": 8.736532e-5, "dcfr": 1.465002e-4},
    "leduc_poker": {"cfr": 1.18171e-2},
    "goofspiel": {"cfr": 7.9167e-4, "cfr+": 1.8315e-6, "dcfr": 3.4948e-9},
    "goofspiel(cards=4)": {"cfr+": 2.6801e-4, "dcfr": 4.0964e-4},
    "liars_dice(faces=3)": {"cfr": 8.4624e-4, "cfr+": 4.8425e-6, "dcfr": 3.9524e-8},
    "liars_dice(faces=4)": {"cfr": 1.7272e-3, "cfr+": 4.5332e-5, "dcfr": 2.6220e-5},
}
"""NashConv / 2 after 1,000 iterations, plans counted before updates: the data of Xu et al., Dynamic
discounted counterfactual regret minimization (2024), which were computed with OpenSpiel.

Left out are three that ties decide: Leduc's CFR+ (2.57110e-4, here 2.5598e-4) and DCFR (1.52708e-4, here
1.8949e-4), and CFR on goofspiel with four cards (5.3973e-3, here 6.8846e-3).
"""

FIRST_BELOW = {"cfr": 3539, "cfr+": 343}
"""The first iteration after which exploitability is at most 1e-3 in skewed matching pennies (1, 4, -2):
Tammelin, Burch, Johanson and Bowling, Solving heads-up limit Texas hold'em (2015), section 5.3."""
