"""Published figures of uniform play and of runs of minimisers; values are in treeplex.games.references."""

UNIFORM_NASH_CONV_LIARS_DICE = 1.5614886464
"""NashConv of uniform play in liar's dice with one die of six faces (OpenSpiel)."""

CFR_PLUS_KUHN_1000_BEFORE = 1.747306e-4
"""NashConv of CFR+ on Kuhn poker after 1,000 iterations, weight t on the plan before update t: OpenSpiel."""
CFR_PLUS_KUHN_1000 = 1.48170e-4
"""The same with weight t on the plan after update t (LiteEFG)."""
