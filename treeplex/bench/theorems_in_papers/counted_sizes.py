"""Sizes of poker games counted without building them, and those of built trees, programs, betting lines."""

from collections.abc import Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, poker, problem
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.counting.betting_counts import count_betting
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.sequence_program import sequence_program
from treeplex.seqform.trees.public_tree import compile_public

QUICK = (
    "kuhn_poker(ranks=20)",
    "leduc_poker(raises=1,suits_visible=true)",
    "leduc_poker(ranks=5,suits=3,raises=1)",
    "small_holdem(stack=0)",
    'small_holdem(ranges=["AQ,KJ","TT,AA"])',
)
MORE = (
    "rhode_island(ranks=3,suits=2,raises=1)",
    "no_limit_leduc",
    "leduc_poker(ranks=14,suits=1,raises=0)",
    "no_limit_leduc(stack=9,bets=[1/2,1,a],max_raises=[2,2])",
    "rhode_island(ranks=4,suits=1,raises=2)",
    "flop_holdem(ranks=4,suits=2,raises=[1,0])",
    'small_holdem(board="As Kh Qs Jh",ranks=7,ranges=["JT,QJ,KT","KQ,TT"],bets=[1,a],raises=[a])',
)


def _built(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose(QUICK, MORE):
        yield Instance(spec)


def _counted(instance: Instance) -> Iterator[Comparison]:
    game = poker(instance.game)
    sizes, form = game_sizes(game), sequence_form(compile_public(game), factored=False)
    for player in (0, 1):
        rows, columns = sequence_program(form, player).program.matrix.shape
        yield Comparison(sizes.infosets[player], form.n_infosets[player], at=f"infosets of {player}")
        yield Comparison(sizes.sequences[player], form.n_sequences[player], at=f"sequences of {player}")
        yield Comparison(sizes.lp_rows[player], rows, at=f"rows of {player}")
        yield Comparison(sizes.lp_cols[player], columns, at=f"columns of {player}")
    tree = enumerated(instance.game).tree
    yield Comparison(sizes.decision_states, int((tree.player >= 0).sum()), at="states")
    yield Comparison(sizes.leaf_states, len(tree.leaves), at="leaves")


def _lines_for_leaves(instance: Instance) -> Iterator[Comparison]:
    sizes, tree = problem(instance.game).sizes, enumerated(instance.game).tree
    dealt = sizes.rounds[-1].deals.dealt
    yield Comparison(sizes.leaves * dealt, len(tree.leaves))


COUNTED_SIZES = Theorem(
    name="counted-sizes-are-built",
    plain="Infosets, sequences, program sizes, states and leaves counted without building a game are those "
    "of its tree and its program.",
    tex=r"|\Sigma_i| = 1 + \sum_r |\text{actions}_{i,r}| \cdot |\text{deals}_{i,r}|",
    source="Johanson 2013 (counting lines and deals apart); compared with built games here",
    relation="==",
    instances=_built,
    measure=_counted,
    tolerance=0.0,
    twin=Twin("Every betting line ends with a full board.", _lines_for_leaves),
)


COUNTS = ("decisions of 0", "decisions of 1", "actions of 0", "actions of 1", "folds", "showdowns")


def _bettings(effort: Effort) -> Iterator[Instance]:
    quick = (
        "no_limit_holdem(stack=8,blinds=[2,1])",
        "no_limit_holdem(stack=9,blinds=[3/2,1])",
        "no_limit_holdem(stack=8,blinds=[1,1/2],bets=[1,a],raises=[a])",
        "leduc_poker",
        "limit_holdem(raises=[1,2,1,0])",
    )
    more = (
        "no_limit_holdem(stack=12,blinds=[2,1])",
        "no_limit_holdem(stack=25/3,blinds=[4/3,1/2],max_raises=2)",
        "no_limit_leduc",
        "limit_holdem(raises=[2,2,1,1])",
    )
    for spec in effort.choose(quick, more):
        yield Instance(spec)


def _walked(betting: Betting) -> list[list[int]]:
    """Return ``COUNTS`` of each round, one line after the other."""
    found = [[0] * len(COUNTS) for _ in range(betting.n_rounds)]
    todo = [(betting.root(), 0)]
    while todo:
        state, last = todo.pop()
        if state.player == ROUND_OVER:
            todo.append((betting.next_round(state), last))
        elif state.player == HAND_OVER:
            found[last][4 if state.folded >= 0 else 5] += 1
        else:
            children = betting.legal(state)
            found[state.round][state.player] += 1
            found[state.round][2 + state.player] += len(children)
            todo += [(child, state.round) for _, child in children]
    return found


def _lines(instance: Instance) -> Iterator[Comparison]:
    betting = poker(instance.game).betting
    for k, (one, walked) in enumerate(zip(count_betting(betting).rounds, _walked(betting), strict=True)):
        counted = *one.decisions, *one.actions, one.folds, one.showdowns
        for name, left, right in zip(COUNTS, counted, walked, strict=True):
            yield Comparison(left, right, at=f"{name}, round {k}")


def _two_actions_each(instance: Instance) -> Iterator[Comparison]:
    for k, (first, second, *actions, _, _) in enumerate(_walked(poker(instance.game).betting)):
        yield Comparison(2 * (first + second), sum(actions), at=f"round {k}")


COUNTED_LINES = Theorem(
    name="counted-lines-are-walked",
    plain="Decisions, actions, folds and showdowns of each round, by merged states and by partitions of "
    "chips, are those of a walk over all betting lines.",
    tex=r"(D_r, A_r, F_r, S_r)_{\text{counted}} = (D_r, A_r, F_r, S_r)_{\text{walked}}",
    source="Johanson 2013; partitions of chips derived here",
    relation="==",
    instances=_bettings,
    measure=_lines,
    tolerance=0.0,
    twin=Twin("Each decision has two actions.", _two_actions_each),
)

THEOREMS = (COUNTED_SIZES, COUNTED_LINES)
