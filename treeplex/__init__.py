"""An exact-solver workbench for two-player zero-sum games of imperfect information.

>>> import treeplex as tp
>>> r = tp.solve("kuhn_poker", exact=True)
>>> r.exact_value
Fraction(-1, 18)

Every name below has help of its own, such as ``help(tp.solve)``; ``print`` shows any result as a table.

Games
    load                a game made ready: from a spec, a file or an object of your own
    catalogue           all games that specs know by name, with sizes and exact values
    size                how big a poker game is, counted without building it
    normal_form         a tiny game as a matrix of exact payoffs
    Problem             a game and its forms: what load returns
    CatalogueEntry      a named game: what the catalogue holds
    NormalForm          a game as a matrix: what normal_form returns

Solve
    solve               a game solved, with a proof of how well
    race                regret minimisers side by side, each certified in its course
    methods             the regret minimisers, their forms and options
    LocalRule           a local regret minimiser of your own: two compiled functions
    MethodTable         what methods returns
    Result              strategy, certificate and what follows from them
    Race                what race returns: a Runner for every method on every game
    Runner              one method on one game: its result, and how many payoffs it touched
    Strategy            the protocol: both players' behaviour by infoset and action
    Profile             a strategy as a table of all infosets
    FactoredStrategy    a strategy on betting lines times boards
    BucketStrategy      the same by buckets of a card abstraction

Facts
    LPSize              rows, columns and nonzeros of a linear program
    MergedHands         hands that it merged
    BoardCounts         boards of a strategy, and boards that judged it
    TableBytes          size and number format of tables
    FixedPointFacts     scales of a run in integers, and how often they were too large
    SplitFacts          how a split game was solved, and what that took
    AbstractionFacts    the card abstraction that a result was solved in
    BlueprintFacts      how a blueprint was sampled
    LowerBounds         what a local best response won where nothing certifies

Judge
    check               a strategy from any source, certified by best responses
    certify             a profile on a sequence form, certified in floats
    certify_exactly     the same in exact arithmetic
    crosscheck          every method that fits a game, their proofs compared
    match               two agents play hands: what one wins, estimated and exactly
    losses              what each infoset's behaviour costs its player
    repairs             at which infosets a strategy is mistaken
    theory              a run's exact regrets beside the bounds that theory proves
    Certificate         an interval that is proved to hold the game's value
    Crosscheck          results of several methods: what crosscheck returns
    MatchResult         what an agent won a hand, with intervals: what match returns
    Loss                what the behaviour at one infoset costs
    Repair              by how much NashConv falls if one infoset is played otherwise
    Theory              regrets and bounds of a run of full width
    SampledTheory       regrets and bounds of a Monte Carlo run

Subgames
    resolve             subgames of a strategy solved again by a gadget
    nested              an abstraction's strategy, with a subgame solved for every move that it lacks
    translate           an abstraction's strategy, which takes bets that it lacks for bets that it has
    depth_limited       the top of a game solved alone, above continuations
    answer              an answer to one bet that nobody planned for
    improve             a strategy with answers to the bets that opponents made in matches
    Resolution          margins and exploitability: what resolve returns
    OffTreeResult       what nested and translate return
    DepthLimitedResult  what depth_limited returns
    DepthLimits         parameters of depth_limited
    Answer              what answer returns
    Improvement         what improve returns

Bench
    verify              theorems of the field, both sides measured on games
    challenge           the smallest case that breaks a claim
    examine             whether a solver is right, and where it first goes wrong
    examine_estimator   whether an estimator of strength is unbiased, and which of its terms is wrong
    rungs               the games on which solvers are examined, such as for pytest
    reference           exact values, sizes and optimal strategies for other projects
    reproduce           a table or a figure of a paper computed again
    Theorem             a statement with its source, its instances and both sides
    Instance            one case on which a theorem is measured
    Comparison          both sides of a statement, measured once
    Twin                a false statement just beyond a theorem
    TheoremReport       what was measured of one theorem
    Verification        what verify returns
    Challenge           what challenge returns
    Counterexample      a case on which a claim is broken
    Examination         what examine returns
    EstimatorReport     what examine_estimator returns
    Setting             what an estimator of strength is given
    Hand                a hand that was played
    Rung                a game on which solvers are examined
    Reproduced          what reproduce returns

Abstractions
    abstract            hands and boards put into buckets, street by street
    read_abstraction    a card abstraction from a file
    write_abstraction   a card abstraction to a file
    CardAbstraction     buckets of hands, street by street

Pictures
    draw                a small game tree with its infosets
    show                a strategy at a node of a poker game, or buckets of hands, by classes of hands
    plot                how NashConv falls in the course of runs
    Picture             what show returns
    BucketPicture       what show returns of a card abstraction
    NodeRanges          what show returns of both players' ranges, as texts that specs take
    TreePicture         what draw returns
    CurvePicture        what plot returns

Files
    read                a strategy from a file
    write               a strategy to a file
    export              a game for another program
    from_dict           a profile from a dictionary
    to_dict             a profile as a dictionary
    from_policy         a profile from a policy of OpenSpiel
    to_tabular_policy   a profile as a policy of OpenSpiel

Errors
    TreeplexError       what is raised on purpose, a ValueError of one line
    BadInputError       input that is not what it must be
    NotSolvedError      what no solver proved as exactly as was asked
"""

from pathlib import Path

import lazy_loader

from treeplex.process.kernel_folder import settle

settle(Path(__file__).parent)  # before anything imports numba

__version__ = "0.1.0"

__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
